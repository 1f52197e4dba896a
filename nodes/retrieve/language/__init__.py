"""A causal language model of Hugging Face: opened, tuned by factors, and writing."""
