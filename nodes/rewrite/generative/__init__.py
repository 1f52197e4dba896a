"""Queries that a small language model of the user's own writes, as it was trained to."""
