"""What turns of requests are called in APIs: "who works on it" asks for members.

`wording.txt` has, by hand, a line for each of 1,147 words of APIs, behind it English phrases that
ask for it (see `phrases.py`); a phrase may stand in several lines. Short requests and glosses are
read so: of what a long one says, enough stands in documents as it is, and its turns mislead
(docs/decisions/0008-language-of-requests.md).
"""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from gretel.text.phrases import Words, pieces
from gretel.text.tokens import content_words

SHORT = 12
"""Content words that a request has at most whose turns are read."""


def meant(text: str) -> tuple[str, ...]:
    """The words of APIs that turns of `text` ask for, each once."""
    if len(set(content_words(text))) > SHORT:
        return ()
    words = Words.of(text)
    table = _table()
    return tuple(
        dict.fromkeys(
            word
            for place, first in enumerate(words.folded)
            for phrase, word in table.get(first[:2], ())
            if words.say(phrase, place)
        )
    )


@cache
def _table() -> Mapping[str, Sequence[tuple[Sequence[str], str]]]:
    """By their first two letters, phrases and what they mean."""
    found: dict[str, list[tuple[Sequence[str], str]]] = {}
    for line in files("gretel.text").joinpath("wording.txt").read_text("utf-8").splitlines():
        word, phrases = line.split("|")
        for phrase in map(pieces, phrases.split()):
            found.setdefault(phrase[0][:2], []).append((phrase, word))
    return found
