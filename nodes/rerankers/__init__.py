"""Strategies that the `rerankers` place of the graph can take."""
