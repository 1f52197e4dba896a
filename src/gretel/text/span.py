"""A piece of a text by its place."""

from typing import TypeAlias

Span: TypeAlias = tuple[int, int]
"""Characters from and up to."""
