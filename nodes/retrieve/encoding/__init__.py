"""Texts to unit vectors, and where vectors are kept."""
