"""How a language model is asked: one structured reply, repaired once, counted."""
