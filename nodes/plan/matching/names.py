"""Names without quotes, and nouns: where those stand, which words can be one, where it is over."""

from collections.abc import Iterator

from rapidfuzz import fuzz

from gretel.nodes.plan.matching.profile import Profile, SlotCues, Slots
from gretel.nodes.plan.matching.view import View
from gretel.nodes.plan.mentions.literals import CJK
from gretel.nodes.plan.mentions.spans import MentionSpan, Placed
from gretel.text.identifiers import fold_identifier, split_identifier
from gretel.text.words import GENERIC_WORDS, REQUEST_VERBS, STOP_WORDS, stem, word_set

VERBS = word_set("is are has have had was were does do did please")
_ABROAD = word_set(
    """de des du del dem den der die das von vom zu im am et ou en con avec pour por para y e und
    oder dans sur aus für mit auf el la los las le les"""
)
"""Function words of other languages, which are no names."""
_FOLLOWERS = VERBS | word_set(
    "of in for on at from with and or to set up by now as too also again instead look"
)
"""Behind a name: it is over."""
_PARTICLES = word_set("away out off back down over around aside apart together forward")
"""Behind the thing that a verb does it to: "throw the collection away"."""
DESCRIBING = word_set("default")
"""Words of descriptions that things are named with, too."""


def together(view: View, left: int, right: int) -> bool:
    """Whether two tokens stand in one sentence."""
    return view.document.sentences[left] == view.document.sentences[right]


def is_name(view: View, profile: Profile, place: int) -> bool:
    """Whether a plain word can be a name: nothing that the tool or a request is phrased with.

    Names with capitals are found by their capitals.
    """
    token = view.document.tokens[place]
    common = token.lower in STOP_WORDS | _ABROAD | _PARTICLES
    common |= not view.language and token.lower in REQUEST_VERBS
    common |= view.document.segments[token.segment].role != "user"
    known = token.concept in profile.vocabulary or token.lower in GENERIC_WORDS - DESCRIBING
    return token.text.islower() and not (common or known or token.text.endswith("ed"))


def capitalised(view: View, profile: Profile, place: int) -> MentionSpan | None:
    """The run of capitalised words that begins at a token, unless the tool is described so."""
    runs = [s for s in view.spans if s.first == place and s.mention.kind == "proper"]
    longest = max(runs, key=lambda span: span.last, default=None)
    quoted = any(s.first <= place < s.last for s in view.spans if s.mention.kind == "quoted")
    if longest is None or quoted or not ends(view, longest.last):
        return None
    own = view.document.tokens[longest.first : longest.last]
    return None if all(token.concept in profile.vocabulary for token in own) else longest


def stops(view: View, place: int) -> bool:
    """Whether a clause ends before a token, or is about to say what is asked of a name."""
    if place >= len(view.document.tokens) or not together(view, place - 1, place):
        return True
    token = view.document.tokens[place]
    return token.text in ".,;:!?)" or token.lower in VERBS


def ends(view: View, place: int) -> bool:
    """Whether a name is over at a token: no further word of it follows."""
    tokens = view.document.tokens
    if place >= len(tokens) or not together(view, place - 1, place):
        return True
    word = tokens[place]
    over = word.lower in _FOLLOWERS | _ABROAD or word.text > CJK[0]
    return not word.is_word or over or word.lower.endswith("ed")


_FIRST = word_set("first firstname given givenname forename vorname prénom prenom nombre")
_LAST = word_set("last lastname family familyname surname nachname apellido")


def first_and_last(view: View, slots: Slots) -> Placed:
    """The only two slots for either name, with both words of the only name of two that is said.

    The latest turn's: capitals set it off from what stands around it.
    """
    first, last = (
        [index for index, cues in slots.items() if _asks_for(cues, words)]
        for words in (_FIRST, _LAST)
    )
    names = _names_of_two(view)
    if len(first) == len(last) == len(names) == 1:
        yield first[0], view.word_span(names[0])
        yield last[0], view.word_span(names[0] + 1)


def _asks_for(cues: SlotCues, words: frozenset[str]) -> bool:
    own = split_identifier(cues.slot.name)
    named = own[-1:] == ("name",) or len(own) == 1
    return named and not cues.slot.many and not words.isdisjoint(own[:1] if len(own) == 1 else own)


def _names_of_two(view: View) -> list[int]:
    """Where runs of just two capitalised words begin, cities and countries left out."""
    turn = len(view.document.segments) - 1
    runs = [s for s in view.spans if s.mention.kind == "proper" and s.mention.segment == turn]
    places = [s for s in view.spans if s.mention.kind in ("city", "country")]

    def within(span: MentionSpan, others: list[MentionSpan]) -> bool:
        wider = (o for o in others if o is not span and o.last - o.first >= span.last - span.first)
        return any(o.first <= span.first and span.last <= o.last for o in wider)

    words = [span for span in runs if span.last - span.first == 2 and not within(span, runs)]
    return [
        span.first
        for span in words
        if all(part.isalpha() for part in span.mention.text.split()) and not within(span, places)
    ]


_PAIRS = (
    ("app", "application"), ("repo", "repository"), ("org", "organization"),
    ("env", "environment"), ("db", "database"), ("config", "configuration"),
    ("dir", "directory"), ("spec", "specification"), ("dept", "department"),
)  # fmt: skip
_SHORT = {stem(a): stem(b) for pair in _PAIRS for a, b in (pair, pair[::-1])}
"""What people shorten, both ways: "the repository" of a parameter `repo`."""
_COGNATE, _BEGINNING = 80, 3
"""How alike, of 100, two long words of two languages are, and the letters that they begin with."""


def nouns_of(view: View, cues: SlotCues) -> Iterator[tuple[int, int]]:
    """Where the slot's noun stands: one word, its like in another language, or the whole name."""
    tokens = view.document.tokens
    places = {i for i, token in enumerate(tokens) if stem(token.lower) in cues.nouns}
    if not places:
        places = {
            i for i, token in enumerate(tokens) if _SHORT.get(stem(token.lower)) in cues.nouns
        }
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


_FOLDERS, _PLACES = word_set("folder directory dir"), word_set("root parent home working base")
"""Nouns of folders, and words before them that are no names."""


def is_folder(view: View, cues: SlotCues, noun: int) -> bool:
    """Whether a slot takes a folder, no file or pattern of files, and the word before `noun` may
    be the name of one: "the hives folder".
    """
    tokens, own = view.document.tokens, split_identifier(cues.slot.name)
    takes = not _FOLDERS.isdisjoint(own) or cues.slot.kind == "path" and own[-1:] == ("path",)
    named = noun > 0 and tokens[noun - 1].lower not in _PLACES
    return takes and named and tokens[noun].lower in _FOLDERS


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
