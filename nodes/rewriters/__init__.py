"""Strategies that the `rewriters` place of the graph can take."""
