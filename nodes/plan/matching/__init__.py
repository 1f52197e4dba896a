"""How well each mention fits each slot."""
