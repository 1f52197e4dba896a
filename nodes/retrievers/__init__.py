"""Strategies that the `retrievers` place of the graph can take."""
