"""Runs of words that could be a value though nothing about their shape says so."""

from collections.abc import Iterator

from gretel.nodes.plan.mentions.document import Document, Token
from gretel.nodes.plan.mentions.literals import is_file, is_literal
from gretel.nodes.plan.mentions.mention import Mention, MentionKind
from gretel.text.words import REQUEST_VERBS, STOP_WORDS, word_set

_ASKING = word_set(
    """give show find get list fetch retrieve return suggest recommend provide me us top first
    latest print display read which"""
)
_SEVERAL = word_set(
    "two three four five six seven eight nine ten twelve fifteen twenty fifty hundred dozen"
)
_BEFORE = word_set("put append rename attach assign copy pull invite enter")
"""As the first word of a sentence: what is to be done, and no part of the name behind it."""
_AFTER = word_set("yet even already anymore either")
"""Behind a name: it is over."""
_LINKS = word_set("of and for in the on & - de la at with to")
_NAMING = word_set("called named titled entitled")
"""What follows is a name, and they are no part of it."""
_LONGEST_RUN = 9
_LONGEST_SUBRUN = 5
_LONGEST_LINKED = 8
_OPENERS = word_set("about saying says say that : on for regarding is to as with")
_LONGEST_TAIL = 40


def is_count(tokens: tuple[Token, ...], index: int) -> bool:
    """Whether a bare number says how many of the things behind it are asked for.

    Not where a name may begin with it ("find 12 Monkeys").
    """
    number = tokens[index].lower if 0 < index < len(tokens) - 1 else ""
    if not (number.isdigit() or number in _SEVERAL):
        return False
    behind = tokens[index + 1].text
    before = tokens[index - 2 if index > 1 and tokens[index - 1].lower == "a" else index - 1]
    return before.lower in _ASKING and (behind.islower() or behind.isupper())


def _is_break(tokens: tuple[Token, ...], index: int, sentences: tuple[int, ...]) -> bool:
    token = tokens[index]
    if is_literal(token.text) or token.lower in _NAMING or token.text in _AFTER:
        return True
    if not token.is_word or token.lower in STOP_WORDS:
        return not (token.lower in STOP_WORDS and token.text.isupper() and len(token.text) > 1)
    if is_count(tokens, index):
        return True
    first = index == 0 or sentences[index - 1] != sentences[index]
    if first and token.lower in _BEFORE:
        return True
    if token.lower in REQUEST_VERBS and not token.text[1:].isupper():
        before = "" if first else tokens[index - 1].lower
        return first or before in STOP_WORDS and before not in ("the", "a", "an", "my", "of", "for")
    return False


def runs(document: Document) -> list[tuple[int, int]]:
    """Maximal runs of content words within one sentence, as (first, one past the last)."""
    found: list[tuple[int, int]] = []
    begin: int | None = None
    tokens, sentences = document.tokens, document.sentences
    for index in range(len(tokens) + 1):
        over = (
            index == len(tokens)
            or _is_break(tokens, index, sentences)
            or (begin is not None and sentences[index] != sentences[begin])
        )
        if begin is not None and over:
            found.append((begin, index))
            begin = None
        if index < len(tokens) and begin is None and not _is_break(tokens, index, sentences):
            begin = index
    return found


def _subruns(document: Document, run: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """The run and the runs within it; a number is a phrase only where it stands alone."""
    start, end = run
    if end - start <= _LONGEST_RUN:
        yield run
    for length in range(1, min(_LONGEST_SUBRUN, end - start) + 1):
        for first in range(start, end - length + 1):
            if length > 1 or end - start == 1 or not document.tokens[first].text.isdigit():
                yield first, first + length


def _linked(document: Document, found: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Two or three neighbouring runs with one link word (or two) between: "Bank of China"."""
    for position, (start, _) in enumerate(found):
        for other in found[position + 1 : position + 3]:
            if other[1] - start > _LONGEST_LINKED:
                break
            between = document.tokens[found[position][1] : other[0]]
            same = document.sentences[start] == document.sentences[other[0]]
            content = [t for t in between if t.lower not in STOP_WORDS and t.is_word]
            links = all(t.lower in _LINKS or t in content for t in between)
            if same and links:
                yield start, other[1]


def _firms(document: Document) -> Iterator[tuple[int, int]]:
    """Capitalised words on both sides of "&": "Johnson & Sons"."""
    tokens = document.tokens
    for place in (i for i, token in enumerate(tokens) if token.text == "&"):
        start, end = place, place + 1
        while start and tokens[start - 1].text[0].isupper():
            start -= 1
        while end < len(tokens) and tokens[end].text[0].isupper():
            end += 1
        if start < place < end - 1 and document.sentences[start] == document.sentences[end - 1]:
            yield start, end


def _tails(document: Document) -> Iterator[tuple[int, int]]:
    """What stands behind "about", "saying", ":" … up to the comma or the sentence's end."""
    tokens, sentences = document.tokens, document.sentences
    for index, token in enumerate(tokens[:-1]):
        if token.lower not in _OPENERS:
            continue
        end = index + 1
        while end < len(tokens) and sentences[end] == sentences[index]:
            if tokens[end].text in ",;.?!" or end - index > _LONGEST_TAIL:
                break
            end += 1
        if end - index > 4:
            yield index + 1, end


def phrase_mentions(document: Document) -> list[tuple[Mention, int, int]]:
    """Phrases that may be values, with their tokens; a run of capitalised words is `proper`."""
    found = runs(document)
    spans = dict.fromkeys(
        [*(inner for run in found for inner in _subruns(document, run)), *_linked(document, found)]
    )
    spans |= dict.fromkeys([*_firms(document), *_tails(document)])
    return [
        (_mention(document, start, end), start, end)
        for start, end in spans
        # a file is a value by itself
        if end - start == 1 or not any(is_file(token.text) for token in document.tokens[start:end])
    ]


def _mention(document: Document, start: int, end: int) -> Mention:
    words = [t for t in document.tokens[start:end] if t.is_word and t.lower not in _LINKS]
    first = start == 0 or document.sentences[start - 1] != document.sentences[start]
    first |= document.tokens[start - 1].text in "¿¡"
    capital = bool(words) and all(t.text[0].isupper() or t.text[0].isdigit() for t in words)
    proper = capital and any(t.text[0].isalpha() for t in words) and not (first and len(words) == 1)
    kind: MentionKind = "proper" if proper else "phrase"
    text = document.text(start, end)
    first_token = document.tokens[start]
    return Mention(
        kind, text, text, first_token.segment, first_token.start, document.tokens[end - 1].end
    )
