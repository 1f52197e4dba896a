"""Scripts that make lists of words which are shipped."""
