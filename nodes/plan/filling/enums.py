"""Enum slots: which of the allowed values the conversation speaks of."""

import re

from gretel.contracts.record import JsonValue
from gretel.nodes.plan.filling.filling import Filling, Match, filling_of
from gretel.nodes.plan.matching.names import nouns_of
from gretel.nodes.plan.matching.profile import SlotCues
from gretel.nodes.plan.matching.view import ALIKE, View, compact
from gretel.nodes.plan.mentions.mention import Amount
from gretel.text.identifiers import split_identifier
from gretel.text.words import STOP_WORDS, concept, stem, word_set

_VAGUE = word_set("all any yes no none other default true false on off auto and or not")
_MEASURE = re.compile(r"(\d+(?:\.\d+)?)[\s_-]?([A-Za-z]+?)s?")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_RANGE = re.compile(r"(\d+)(?:\s?(?:-|–|to)\s?(\d+)|\+)")
_TURNS = word_set("turn switch power")
_ALL = word_set("all different various every multiple")
_NEARBY = 4
_DAYS = dict.fromkeys(("monday", "tuesday", "wednesday", "thursday", "friday"), "weekday")
_DAYS |= {"saturday": "weekend", "sunday": "weekend"}
_ORDERS = {
    "ascending": word_set("oldest earliest smallest lowest least cheapest shortest"),
    "descending": word_set("newest latest recent largest biggest highest most longest"),
}
"""What stands before "first" or "on top"."""
_BEING, _THINGS = word_set("is was"), word_set("it this that he she")
_LONGEST = 300
"""Letters of a member that somebody may speak of."""
_HALF = 0.27
"""Score of a member half of whose words were found."""
ENOUGH_REQUIRED, ENOUGH_OPTIONAL = 0.5, 0.8
"""Scores from which a value is taken."""


_NONE = Match(0.0, -1, -1)


def _words(member: str) -> list[str]:
    words = split_identifier(member)
    return [concept(w) for w in words if w not in STOP_WORDS] or [concept(w) for w in words]


def _literal(view: View, member: str) -> Match:
    """The member as it is written, at the borders of words."""
    wanted = compact(member)
    if not wanted or wanted not in view.letters:
        return _NONE
    tokens = view.document.tokens
    for first in range(len(tokens)):
        text = ""
        for last in range(first, len(tokens)):
            text += compact(tokens[last].text)
            if text == wanted:
                short = len(wanted) <= 2 and not tokens[first].text.isupper()
                return Match(0.6 if short else 1.0, first, last + 1)
            if not wanted.startswith(text):
                break
    return _NONE


def place_of(view: View, word: str) -> int | None:
    """Where a word stands, or one that begins like it ("mountainous" for "mountain")."""
    if word in view.positions:
        return view.positions[word][0]
    return view.beginnings.get(word[:ALIKE]) if len(word) >= ALIKE else None


def _by_words(view: View, member: str) -> Match:
    words = _words(member)
    places = [place_of(view, word) for word in words]
    found = [place for place in places if place is not None]
    if not words or not found:
        return _NONE
    share = len(found) / len(words)
    compact = max(found) - min(found) <= len(words) + 2
    score = (0.9 if compact else 0.65) if share == 1 else 0.55 * share
    return Match(score, min(found), max(found) + 1 if compact else min(found) + 1)


def _by_group(view: View, member: str) -> Match:
    """A weekday where "weekdays" are spoken of, a day of the weekend likewise."""
    group = _DAYS.get(member.casefold())
    places = view.positions.get(concept(group), []) if group else []
    return Match(0.85, places[0], places[0] + 1) if places else _NONE


def _typed(view: View, member: JsonValue) -> Match:
    """The member as the number, code or day of some mention: NYC for "New York", 2 for "two"."""
    if isinstance(member, dict | list | bool):
        return _NONE
    span = view.codes.get(member)
    if span is None and _DAY.fullmatch(str(member)):
        # the year was not said: the member's own is meant
        span = view.codes.get(str(member)[5:])
    return Match(0.85, span.first, span.last) if span else _NONE


def _within(view: View, member: str, near: set[int]) -> Match:
    """A range of numbers that holds one said close to the slot's words: `6-8` for "7-year-old"."""
    ends = _RANGE.fullmatch(member)
    if ends is None:
        return _NONE
    low, high = float(ends[1]), float(ends[2] or "inf")
    for span in view.spans:
        value = span.mention.value
        inside = isinstance(value, Amount) and low <= value.number <= high
        if inside and any(abs(span.first - place) <= _NEARBY for place in near):
            return Match(0.6, span.first, span.last)
    return _NONE


def _measured(view: View, member: str) -> Match:
    """A number with its unit, however that is written: `72h` for "72 hours"."""
    said = _MEASURE.fullmatch(member)
    if said is None:
        return _NONE
    for span in view.spans:
        value = span.mention.value
        if (
            isinstance(value, Amount)
            and value.number == float(said[1])
            and value.unit
            and value.unit[: len(said[2])] == said[2].casefold()[: len(value.unit)]
        ):
            return Match(0.9, span.first, span.last)
    return _NONE


def _ordered(view: View, member: str) -> Match:
    """An order, by what comes first in it: `asc` for "oldest first"."""
    order = next((order for order in _ORDERS if member and order.startswith(member)), "")
    words, tokens = _ORDERS.get(order, frozenset()), view.document.tokens
    for place, token in enumerate(tokens[:-1]):
        if token.lower in words and tokens[place + 1].lower in ("first", "on"):
            return Match(0.9, place, place + 2)
    said = [place for place, token in enumerate(tokens) if token.lower == order]
    return Match(0.9, said[-1], said[-1] + 1) if said else _NONE


def _match(view: View, cues: SlotCues, member: JsonValue, near: set[int]) -> Match:
    text = cues.slot.label(member)
    if len(text) > _LONGEST:
        return _NONE
    best = max(
        (
            _literal(view, text),
            _by_words(view, text),
            _by_group(view, text),
            _ordered(view, text.casefold()),
            _typed(view, member),
            _measured(view, text),
            _within(view, text, near),
        ),
        key=lambda match: match.score,
    )
    vague = text.casefold().strip("_") in _VAGUE
    coded = not text.isalpha() and not text.isdigit()
    if best.score and (vague or len(text) <= 2 and not coded):
        meant = _is_near(near, best.token) or _is_switched(view, best.token)
        return best if meant else best._replace(score=0.0)
    if best.score and not cues.slot.required and _is_wondered(view, best):
        return best._replace(score=0.0)
    if best.score and _is_near(near, best.token):
        best = best._replace(score=min(best.score + 0.1, 1.0))
    return best


def _places(view: View, cues: SlotCues) -> set[int]:
    """The tokens that are words of the slot's name, or its noun in another language."""
    own = {place for root in cues.name for place in view.positions.get(root, [])}
    return own or {place for place, _ in nouns_of(view, cues)}


def _is_near(places: set[int], token: int) -> bool:
    return any(abs(place - token) <= _NEARBY for place in places)


def _is_switched(view: View, token: int) -> bool:
    """Whether a token is the "on" or "off" of "turn it on"."""
    tokens = view.document.tokens
    before = tokens[max(0, token - 4) : max(0, token)]
    return tokens[token].lower in ("on", "off") and any(t.concept in _TURNS for t in before)


def _is_wondered(view: View, match: Match) -> bool:
    """Whether a member is what the user wants to know of one thing: "is it paused?", "who paid"."""
    before = [t.lower for t in view.document.tokens[max(0, match.token - 2) : max(0, match.token)]]
    who = before[-1:] == ["who"]
    return who or len(before) == 2 and before[0] in _BEING and before[1] in _THINGS


def _all_of_them(view: View, cues: SlotCues) -> bool:
    """Whether "all" or "different" stands close before one of the slot's words."""
    places = _places(view, cues)
    said = [place for word in _ALL for place in view.positions.get(concept(word), [])]
    return any(place + step in places for place in said for step in (1, 2, 3))


def _rank(view: View, match: Match) -> tuple[float, int, int]:
    """The better match, then the later turn's, then the longer one."""
    turn = view.document.tokens[match.token].segment if match.token >= 0 else -1
    return match.score, turn, match.end - match.token


def _is_noun(view: View, match: Match, member: str, nouns: frozenset[str]) -> bool:
    if match.token < 0 or match.end - match.token != 1:
        return False
    word = view.document.tokens[match.token].lower
    return stem(word) in nouns and word != member.casefold()


def fill_enum(view: View, cues: SlotCues, nouns: frozenset[str]) -> Filling | None:
    """The enum member that the conversation speaks of; a list of all of them where many fit.

    A word of `nouns` speaks of another slot, unless it is the member itself.
    """
    slot = cues.slot
    enough = ENOUGH_REQUIRED if slot.required else ENOUGH_OPTIONAL
    near = _places(view, cues)
    matches = [(_match(view, cues, member, near), member) for member in slot.enum]
    matches = [(m, member) for m, member in matches if not _is_noun(view, m, str(member), nouns)]
    if slot.many and _all_of_them(view, cues):
        return filling_of(view, list(slot.enum), Match(0.8, -1, -1))
    good = [(match, member) for match, member in matches if match.score >= enough]
    partial = [(match, member) for match, member in matches if match.score > 0]
    if not good and slot.required and len(partial) == 1 and partial[0][0].score > _HALF:
        good = partial
    if not good:
        return None
    best, member = max(good, key=lambda pair: _rank(view, pair[0]))
    if not slot.many:
        return filling_of(view, member, best)
    sure = [m for match, m in good if match.score >= ENOUGH_OPTIONAL] or [member]
    return filling_of(view, list(sure), best)
