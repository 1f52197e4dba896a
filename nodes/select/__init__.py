"""The end of every route: what the caller gets."""
