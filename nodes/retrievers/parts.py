"""The sentences and clauses of a request, each of which may ask for another tool."""

import re

from gretel.nodes.retrievers.tokens import words

_END = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])|\n+|,\s(?=(?:and|then|also)\s)")
_CHARACTERS_READ = 5_000
_PARTS_READ = 8
_SHORTEST = 3
"""Words; a shorter part says too little to be searched for by itself."""


def request_parts(text: str) -> list[str]:
    """At most eight parts of `text`, in order; empty where it is one sentence or less."""
    pieces = [piece.strip() for piece in _END.split(text[:_CHARACTERS_READ])]
    parts = [piece for piece in pieces if len(words(piece)) >= _SHORTEST]
    return parts[:_PARTS_READ] if len(parts) > 1 else []
