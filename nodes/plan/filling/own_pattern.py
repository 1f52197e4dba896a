"""Values found by the regular expression of the slot's schema, where no mention meets it."""

import re
from collections.abc import Iterator

from gretel.nodes.plan.filling.filling import Filling
from gretel.nodes.plan.matching.profile import SlotCues
from gretel.nodes.plan.matching.view import View
from gretel.nodes.plan.slots.slot import leaf_problem

_ORDINARY = ("word", "Word", "WORD", "ABC", "two words", "a", "7", "42", "2024")
"""A pattern that lets any of these pass does not tell a value from other text."""
_RUN = re.compile(r"[^\s\"'“”‘’()\[\]{}<>,;]+")
_QUARTER = re.compile(r"\b[Qq]([1-4])(?: of)?[\s-](\d{4})\b")
_MOST = 300
CONFIDENCE = 0.6


def fill_by_pattern(view: View, cues: SlotCues) -> Filling | None:
    """The last run of characters of the conversation that meets the slot's pattern.

    None where nothing does, and where the pattern also meets ordinary words and numbers.
    """
    if not cues.slot.pattern or any(not leaf_problem(cues.probe, t) for t in _ORDINARY):
        return None
    for segment, text, span in _runs(view):
        if not leaf_problem(cues.probe, text):
            value = [text] if cues.slot.many else text
            origin = view.document.segments[segment].origin
            return Filling(value, origin, span, segment, CONFIDENCE)  # type: ignore[arg-type]
    return None


def _runs(view: View) -> Iterator[tuple[int, str, tuple[int, int]]]:
    """Runs without blanks that are more than a word, and quarters as codes; the last ones first."""
    left = _MOST
    for number in range(len(view.document.segments) - 1, -1, -1):
        text = view.document.segments[number].text
        for match in reversed(list(_QUARTER.finditer(text))):
            yield number, f"{match[2]}-Q{match[1]}", match.span()
        for match in reversed(list(_RUN.finditer(text))):
            run = match.group().rstrip(".:!?")
            if run and not run.isalpha():
                yield number, run, (match.start(), match.start() + len(run))
                left -= 1
            if left == 0:
                return
