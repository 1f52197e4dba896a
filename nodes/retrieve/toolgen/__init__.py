"""ToolGen: every tool is a token of a causal language model (arXiv 2410.03439)."""
