"""Which names are those of secrets, in a dozen languages, and the values that stand beside them."""
