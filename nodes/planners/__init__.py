"""Strategies that the `planners` place of the graph can take."""
