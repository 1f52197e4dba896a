"""Where the noun of a slot stands in the conversation, in any of the languages that are read."""

from collections.abc import Iterator

from rapidfuzz import fuzz

from gretel.nodes.plan.matching.profile import SlotCues
from gretel.nodes.plan.matching.view import View
from gretel.text.identifiers import fold_identifier
from gretel.text.words import stem

_COGNATE, _BEGINNING = 80, 3
"""How alike, of 100, two long words of two languages are, and the letters that they begin with."""


def nouns_of(view: View, cues: SlotCues) -> Iterator[tuple[int, int]]:
    """Where the slot's noun stands: one word, its like in another language, or the whole name."""
    tokens = view.document.tokens
    places = {i for i, token in enumerate(tokens) if stem(token.lower) in cues.nouns}
    if not places:
        places = {i for noun in cues.nouns for i in view.glosses.get(noun, ())}
    if not places:
        places = {i for i, token in enumerate(tokens) if _is_cognate(token.lower, cues)}
    yield from ((place, place + 1) for place in sorted(places))
    wanted = fold_identifier(cues.slot.name)
    for first in range(len(tokens)):
        for last in (first + 1, first + 2, first + 3):
            words = [token for token in tokens[first:last] if token.is_word]
            if len(words) == last - first and _joined(view, first, last) == wanted:
                yield first, last


def _joined(view: View, first: int, last: int) -> str:
    return fold_identifier("".join(token.text for token in view.document.tokens[first:last]))


def _is_cognate(word: str, cues: SlotCues) -> bool:
    """Whether a word is another language's form of a noun, or the whole word of a short one.

    Spanish and French set an "e" before "sp" and the like.
    """
    word = word[1:] if word[:2] in ("es", "és") else word
    return (
        len(word) > 4
        and word.isalpha()
        and any(
            word[:_BEGINNING] == noun[:_BEGINNING]
            and (
                fuzz.ratio(stem(word), noun) >= _COGNATE
                or cues.identifies
                and word.startswith(noun)
            )
            for noun in cues.nouns
        )
    )
