"""Strategies that the `simulators` place of the graph can take."""
