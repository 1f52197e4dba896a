"""Text of others in a prompt: between tags that nobody outside this process can write.

Requests, descriptions and answers of tools are hostile input. A block keeps them apart from
instructions by tags that hold a secret of the process: the same for every prompt, so that caches of
providers hold, and known to no author of a document or an answer.
"""

import re
import secrets

from gretel.text.confusables import aligned_skeleton
from gretel.text.invisible import clean, seen_beginning
from gretel.text.known.secret_scan import SecretForms
from gretel.text.redact import masked

MARK = secrets.token_hex(8)
"""Stands in every tag of a block. What a model repeats of it goes no further (`without_mark`)."""

REMOVED = "[removed]"
_FORMS = SecretForms.of(MARK)
_MARK = re.compile(MARK, re.I)

_BEHIND = 200
"""Characters behind a limit that are read with it: a token may reach over it."""

_SPECIAL = re.compile(
    r"<(?!\d+>)(?=[^\s<>]{1,80}>|/?[\w:]{0,20}(?:invoke|parameter|function|tool)\w{0,20}\s[^<>]{1,200}>)"
    r"|<(?=\|[^|<>\n]{0,60}\|[^\S\n]?>)"
    r"|\[(?=/?\w{0,40}?[A-Z]{3}\w{0,40}\]|\|)"
    r"|>(?=>[A-Z_]{2,40}<<)|\u25c1(?=\S{1,40}\u25b7)"
    r"|\n(?=\n[^\S\n]{0,9}\w{1,20}[^\S\n]?:)|\#(?=\#{1,5}[^\S\n]?\w{1,20}[^\S\n]?:)"
)
"""The first character of what may be a token of a model's own: `<|im_start|>`, `<start_of_turn>`,
`<invoke name="x">`, `[/INST]`, `### Response:`; and the end of a line before an empty one that
names who speaks."""


def block(name: str, text: str, limit: int) -> str:
    """The text between tags of `name`, at most `limit` characters of it.

    An empty text is `(none)`; what is beyond the limit is cut, and the cut is marked. What is cut
    is not read: it may be as long as its author likes.
    """
    whole = broken(seen_beginning(text, limit + _BEHIND))
    cut = whole if len(whole) <= limit else f"{whole[:limit]}… [cut]"
    return f"<{name}-{MARK}>\n{cut.strip() or '(none)'}\n</{name}-{MARK}>"


def broken(text: str) -> str:
    """Cleaned text without the mark, in which no tokenizer finds a special token.

    A blank parts the first character of whatever has the form of one, look-alikes included.
    """
    text = clean(text)
    marks = [found.span() for found in _MARK.finditer(aligned_skeleton(text))]
    for start, end in reversed(marks):
        text = f"{text[:start]}{REMOVED}{text[end:]}"
    pieces, done = [], 0
    for found in _SPECIAL.finditer(aligned_skeleton(text)):
        pieces.append(text[done : found.end()])
        done = found.end()
    return " ".join([*pieces, text[done:]])


def without_mark(reply: str) -> str:
    """A model's reply without the mark, in whatever encoding: what it plans goes to a server."""
    seen = clean(reply)
    kept = masked(seen, [_FORMS], was_cut=False)
    return reply if kept == seen else kept
