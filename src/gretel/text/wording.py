"""What turns of requests are called in APIs: "who works on it" asks for members.

`wording.txt` has, by hand, a line for each of 300 words of APIs, behind it English phrases that ask
for it (see `phrases.py`); a phrase may stand in several lines. Glosses are read so: they have turns
of speech, and fewer of the words that documents have (docs/decisions/0008-language-of-requests.md).
"""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from gretel.text.phrases import Words, pieces


def meant(text: str) -> tuple[str, ...]:
    """The words of APIs that turns of `text` ask for, each once."""
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
