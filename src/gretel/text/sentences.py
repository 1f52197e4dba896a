"""Sentences of a text, clauses of a request, and what it is about."""

import re

from gretel.text.tokens import words

_WHOLE = r"(?i:(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\betc\.)(?<!\bmax\.)(?<!\bmin\.)(?<!\bno\.))"
_END = rf"(?<=[.!?;]){_WHOLE}\s+|\n+"
_SENTENCE_END = re.compile(_END)
_CLAUSE_END = re.compile(rf"{_END}|(?<=[。！？；])|,\s(?=(?:and|then|also)\s)")
_QUOTED = re.compile(r"""(?<!\w)(["'`]).{1,80}?\1(?!\w)|[“„«].{1,80}?[”“»]""")
_CHARACTERS_READ = 5_000
_PARTS_READ = 8
_SHORTEST = 3
"""Words; a shorter part says too little to be searched for by itself."""


def sentences(text: str) -> list[str]:
    """The sentences of `text`, each with its own end; not parted at common abbreviations."""
    return _SENTENCE_END.split(text)


def request_parts(text: str) -> list[str]:
    """At most eight parts of `text`, in order; empty where it is one sentence or less."""
    pieces = [piece.strip() for piece in _CLAUSE_END.split(text[:_CHARACTERS_READ])]
    parts = [piece for piece in pieces if len(words(piece)) >= _SHORTEST]
    return parts[:_PARTS_READ] if len(parts) > 1 else []


def unquoted(text: str) -> str:
    """`text` without what stands in quotation marks, where enough is left; else as it is.

    A quoted value is an argument, not what is asked for, but a rare word of it draws the sentence
    vector away: "What does the word 'serendipity' mean?" is nearer to "define word" without it.
    """
    read = text[:_CHARACTERS_READ]
    rest = without_quotes(read)
    return rest if rest != read and len(words(rest)) >= _SHORTEST else text


def without_quotes(text: str) -> str:
    """`text` as it is, or what stands outside of its quotation marks, in single blanks."""
    rest, found = _QUOTED.subn(" ", text)
    return " ".join(rest.split()) if found else text
