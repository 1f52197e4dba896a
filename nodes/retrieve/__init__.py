"""The entry node, and the retrievers that it may ask."""
