"""Steps of a path that are said as one: "the builds of harborlabs/sonar"."""

import re
from collections.abc import Iterator

from gretel.nodes.plan.filling.used_tokens import UsedTokens
from gretel.nodes.plan.matching.profile import SlotCues
from gretel.nodes.plan.matching.view import View
from gretel.nodes.plan.mentions.mention import Mention
from gretel.nodes.plan.mentions.spans import MentionSpan

_JOINED = re.compile(r"[\w.~-]+(?:/[\w.~-]+)+")
_DATE = re.compile(r"\d{1,4}/\d{1,2}/\d{1,4}")


def joined_steps(
    view: View, used: UsedTokens, steps: dict[int, SlotCues]
) -> Iterator[tuple[int, MentionSpan]]:
    """The parts of the only text with as many slashes as steps stand side by side in the path.

    `steps`: slots that are steps of the path, by index. Of more steps than parts the first ones
    that stand side by side, else the first ones.
    """
    ordered = sorted(steps, key=lambda index: steps[index].step)
    runs = [*_side_by_side(steps, ordered), ordered]
    for spans in _parts(view, used):
        run = next((run for run in runs if len(run) >= len(spans)), None)
        if run is not None:
            yield from zip(run, spans, strict=False)
            return


def _side_by_side(steps: dict[int, SlotCues], ordered: list[int]) -> list[list[int]]:
    """Runs of at least two steps with nothing but a slash between them in the path."""
    runs: list[list[int]] = [[]]
    for index in ordered:
        before = steps[runs[-1][-1]] if runs[-1] else None
        if before and steps[index].step != before.step + len(before.slot.name) + len("{}/"):
            runs.append([])
        runs[-1].append(index)
    return [run for run in runs if len(run) > 1]


def _parts(view: View, used: UsedTokens) -> list[list[MentionSpan]]:
    """Of the texts of the latest turn that slashes join, their parts; the latest first."""
    last = len(view.document.segments) - 1
    found = []
    for place, token in enumerate(view.document.tokens):
        whole = view.word_span(place)
        text = token.text.removesuffix("'s")
        joined = _JOINED.fullmatch(text) and not _DATE.fullmatch(text)
        if token.segment == last and joined and used.cost("id", whole) == 0:
            parts, start = [], token.start
            for part in text.split("/"):
                mention = Mention("id", part, part, last, start, start + len(part))
                parts.append(MentionSpan(mention, place, place + 1))
                start += len(part) + 1
            found.append(parts)
    return found[::-1]
