"""What plans show before anything is sent: how much of the request each takes, and what it lacks.

A tool that has a parameter for what the request says was meant by it: who gives a flight number
wants a tool that takes one. But any search takes any word, so a span of the request says the less
of a call, the more other calls consume it too: its specificity is an inverse document frequency
(Spärck Jones, Journal of Documentation 1972) with calls for documents.
"""

from collections import defaultdict
from collections.abc import Mapping, Set
from functools import cache
from math import fsum, log
from typing import TypeVar

from gretel.contracts.tool import Tool, ToolId
from gretel.contracts.trial import Argument, CallPlan, PlanResult, Refusal
from gretel.text.span import Span

_Span = TypeVar("_Span")

MAX_GROUNDING = 2.0
"""What consumes the whole request is no better for it."""


def refusing(plan: PlanResult, tool: Tool) -> float:
    """How sure a plan refuses its tool before it is tried, 0…1.

    A refusal that another tool's answer would mend shows nothing of its own.
    """
    telling = isinstance(plan, Refusal) and plan.reason != "needs_other_tool" and tells(tool)
    return plan.confidence if telling else 0.0


def tells(tool: Tool) -> bool:
    """Whether a refusal of a tool shows anything.

    Not where documents call parameters required that are not (fitted, it weighed nothing).
    """
    return not tool.binding.requires_loosely


def said_in(plan: PlanResult) -> list[Argument]:
    """The values that a call takes from the request or a message, or that it would have taken."""
    read = plan.arguments if isinstance(plan, CallPlan) else plan.found
    return [each for each in read.values() if each.source in ("request", "message")]


def taken_by(plan: PlanResult) -> dict[tuple[str, Span], float]:
    """What was said that a call takes, or would have taken, with the surest value of each."""
    found: dict[tuple[str, Span], float] = {}
    for value in said_in(plan):
        if value.span is not None:
            place = value.source, value.span
            found[place] = max(found.get(place, 0.0), value.confidence)
    return found


def shares(consumed: Mapping[ToolId, Mapping[_Span, float]]) -> dict[ToolId, float]:
    """Each one's part of what all of them consume; nothing where nothing is consumed."""
    most: dict[_Span, float] = {}
    for spans in consumed.values():
        for span, sure in spans.items():
            most[span] = max(sure, most.get(span, 0.0))
    whole = fsum(most.values())
    return {
        each: fsum(spans.values()) / whole if whole else 0.0 for each, spans in consumed.items()
    }


def grounded(
    consumed: Mapping[ToolId, Mapping[_Span, float]], working: Set[ToolId]
) -> dict[ToolId, float]:
    """The sum of each one's spans, by confidence and specificity; only `working` ones compete.

    Of each span the confidence of its value counts, times its specificity among n tools: 1
    where no other consumes it, 1 - log(m)/log(n) where m do, others counting by their confidence
    beside its own.
    """
    rivals: defaultdict[_Span, list[float]] = defaultdict(list)
    for each in working:
        for span, sure in consumed[each].items():
            rivals[span].append(sure)
    most = log(max(2, len(consumed)))

    @cache
    def specific(span: _Span, sure: float, *, competes: bool) -> float:
        # `fsum` gives the same sum whatever the order of the trials.
        count = fsum([*rivals[span], *([] if competes else [sure])]) / sure
        return sure * max(0.0, 1 - log(count) / most)

    return {
        each: min(
            MAX_GROUNDING,
            fsum(
                specific(span, sure, competes=each in working)
                for span, sure in spans.items()
                if sure
            ),
        )
        for each, spans in consumed.items()
    }
