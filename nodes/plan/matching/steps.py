"""Which of several values is which step of a path, and what the beginning of a code says of it."""

import re
from collections.abc import Iterable
from itertools import permutations

from gretel.nodes.plan.matching.profile import SlotCues, Slots
from gretel.nodes.plan.matching.view import View
from gretel.nodes.plan.mentions.mention import Mention
from gretel.nodes.plan.mentions.spans import MentionSpan
from gretel.text.words import word_set

_JOINED = re.compile(r"[\w.~-]+(?:/[\w.~-]+)+")
_PERMUTED = 4
"""Steps whose orders are all looked at."""
_OUTER = word_set("of in at from on for within von bei im de à en du dans del")
"""Before the thing that another is part of."""
_REGION = re.compile(
    r"[a-z]{2,12}-(?:gov-)?(?:(?:north|south)?(?:east|west)|north|south|central)-?\d{1,2}(?:-?[a-z])?"
)
"""Where a cloud's machines stand: `eu-west-1`, `europe-west3`, `us-east1-b`."""
_WHERE = word_set("region location zone datacenter")
_DATE = re.compile(r"\d{1,4}/\d{1,2}/\d{1,4}")


def in_order(
    view: View, slots: list[tuple[int, SlotCues]], spans: list[MentionSpan]
) -> list[tuple[int, SlotCues]]:
    """The slots in the order of their values: as these' prefixes say, else as they are said."""
    return _by_prefix(_by_path(view, slots, spans), spans)


def _by_path(
    view: View, slots: list[tuple[int, SlotCues]], spans: list[MentionSpan]
) -> list[tuple[int, SlotCues]]:
    """The slots in the order in which their values were said, the inner step of a path first.

    "KRAB37 at summit" speaks of `/events/{event}/talks/{code}`.
    """
    if not all(cues.in_path for _, cues in slots):
        return slots
    tokens = view.document.tokens
    inward = all(tokens[span.first - 1].lower in _OUTER for span in spans[1:])
    return sorted(slots, key=lambda slot: slot[1].step, reverse=inward)


def _by_prefix(
    slots: list[tuple[int, SlotCues]], spans: list[MentionSpan]
) -> list[tuple[int, SlotCues]]:
    """The slots in the order in which codes say what they are of; as they stand where none does."""
    if not 1 < len(slots) <= _PERMUTED:
        return slots
    codes = [span.mention.text.lower() for span in spans]

    def alike(order: Iterable[tuple[int, SlotCues]]) -> float:
        pairs = zip(order, codes, strict=True)
        return sum(_of_a_kind(code, cues) for (_, cues), code in pairs)

    return list(max(permutations(slots), key=alike))


def _of_a_kind(code: str, cues: SlotCues) -> float:
    """How surely a code is one of what a slot names, in [0, 1]."""
    where = _REGION.fullmatch(code) is not None
    if where and not _WHERE.isdisjoint(cues.kin):
        return WHOLE
    return 0.0 if where else kinship(prefix_of(code), cues.kin)


def joined_steps(view: View, steps: Slots) -> list[tuple[int, MentionSpan]]:
    """The parts of the last text that slashes join: "the builds of harborlabs/sonar".

    `steps`: slots that are steps of the path, by index. The parts are those steps that stand side
    by side, or the first ones; where there are fewer steps than parts the text is no path.
    """
    ordered = sorted(steps, key=lambda index: steps[index].step)
    runs = [*_side_by_side(steps, ordered), ordered]
    for spans in _parts(view):
        run = next((run for run in runs if len(run) >= len(spans)), None)
        if run is not None:
            return list(zip(run, spans, strict=False))
    return []


def _side_by_side(steps: Slots, ordered: list[int]) -> list[list[int]]:
    """Runs of at least two steps with nothing but a slash between them in the path."""
    runs: list[list[int]] = [[]]
    for index in ordered:
        before = steps[runs[-1][-1]] if runs[-1] else None
        if before and steps[index].step != before.step + len(before.slot.name) + len("{}/"):
            runs.append([])
        runs[-1].append(index)
    return [run for run in runs if len(run) > 1]


def _parts(view: View) -> list[list[MentionSpan]]:
    """Of the texts of the latest turn that slashes join, their parts; the latest first."""
    last = len(view.document.segments) - 1
    found = []
    for place, token in enumerate(view.document.tokens):
        text = token.text.removesuffix("'s")
        joined = _JOINED.fullmatch(text) and not _DATE.fullmatch(text)
        if token.segment == last and joined:
            parts, start = [], token.start
            for part in text.split("/"):
                mention = Mention("id", part, part, last, start, start + len(part))
                parts.append(MentionSpan(mention, place, place + 1))
                start += len(part) + 1
            found.append(parts)
    return found[::-1]


_BEGINS = re.compile(r"([a-z]{1,12})(?:[-_]|:{1,3})\w|([a-z]{1,4})\d+")
WHOLE, SHORT, LETTER = 1.0, 0.6, 0.4
"""A word or its beginning, its consonants, its first letter alone."""


def prefix_of(code: str) -> str:
    """The letters that a code begins with; empty where it is none of this form."""
    found = _BEGINS.match(code)
    return (found[1] or found[2]) if found and " " not in code else ""


def kinship(prefix: str, words: Iterable[str]) -> float:
    """How surely codes with this prefix are those of what `words` name, in [0, 1]."""
    own = [word for word in words if word]
    if not prefix:
        return 0.0
    if len(prefix) > 1 and prefix == "".join(word[0] for word in own):
        return WHOLE
    return max((_alike(prefix, word) for word in own), default=0.0)


def _alike(prefix: str, word: str) -> float:
    if prefix[0] != word[0]:
        return 0.0
    if len(prefix) == 1:
        return LETTER
    if word.startswith(prefix) or len(word) > 2 and prefix.startswith(word):
        return WHOLE
    rest = iter(word)
    return SHORT if all(letter in rest for letter in prefix) else 0.0
