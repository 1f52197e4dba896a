"""What the beginning of a Markdown page says of a call that came to nothing.

Tools that write for people head a page with "Note not found: Ridge" or "No file specified", or
begin it with "Please give a query", and go on with advice, so that the whole is too long to be read
as a message. A page about such words is an answer: only a head that names what the call said, or
left out, is a message.
"""

import re

from gretel.sandbox.answers.blame import blamed, lacked
from gretel.sandbox.answers.called import Called
from gretel.sandbox.answers.words.nothing import is_nothing_found
from gretel.sandbox.answers.words.phrases import ASKS_CALLER, leading

_HEAD = re.compile(
    r"\s*(?:#{1,6} +|(?P<bold>\*\*|__)(?=\S))(?P<title>[^\n]{1,300}?)(?(bold)(?P=bold)) *(?:\n|$)"
    r"\s*(?P<rest>(?s:.{0,1000}))"
)
_UNSAID = re.compile(
    r"\bno (?:[\w-]+ ){1,4}(?:was |were )?(?:specified|provided|given|supplied|selected)\b"
    r"|^missing\b|\bnot (?:specified|provided|given|supplied|selected)\b",
    re.I,
)
"""How a title says that the call left something out."""


def told_in_head(call: Called, text: str) -> str:
    """The message in the head of a page that tells of a failure of `call`; '' where there is none.

    It says that something which the call named was not found, or asks for what the call left out.
    """
    head = _HEAD.match(text)
    if head is None:
        return ""
    title, first = head["title"].strip(), leading(head["rest"])
    if is_nothing_found(title) and blamed(title, call.tool, call.arguments):
        return title
    if ASKS_CALLER.match(first) and lacked(first, call.tool, call.arguments):
        return first
    if not _UNSAID.search(title):
        return ""
    lines = (line.strip(" -*>\t") for line in head["rest"].splitlines())
    naming = (line for line in lines if lacked(line, call.tool, call.arguments))
    return next((f"{title}: {leading(line)}" for line in naming), "")
