"""Training of MassTool (arXiv 2507.00487): the encoder first, then the model on its vectors."""
