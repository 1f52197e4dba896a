"""What the calls of a request take from it, in view of each other.

A tool that has a place for what the request says was meant by it: who gives a flight number wants a
tool that takes one. But any search takes any word, so a part of the request says the less of a
call, the more other calls have as good a place for it.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import fsum
from typing import TypeAlias

from gretel.contracts.tool import ToolId
from gretel.contracts.trial import CallPlan, Trial

Part: TypeAlias = tuple[int, int]
"""A part of the request, as a span of characters."""

MOST = 2.0
"""What a call can have placed at most: one that takes everything is no better for it."""


def placed(trials: Sequence[Trial]) -> dict[ToolId, float]:
    """How much of the request each call alone has a place for, in parts, from 0 to `MOST`.

    Of each part that a call takes a value from, the confidence of that value, times its share of
    the confidences of all calls that take the part. A refusal places nothing.
    """
    sure = {trial.tool_id: _sure(trial) for trial in trials}
    taken: defaultdict[Part, list[float]] = defaultdict(list)
    for parts in sure.values():
        for part, confidence in parts.items():
            taken[part].append(confidence)
    # `fsum` gives the same sum whatever the order of the trials.
    return {
        tool_id: min(MOST, fsum(c**2 / fsum(taken[part]) for part, c in parts.items() if c))
        for tool_id, parts in sure.items()
    }


def parts_used(trial: Trial) -> frozenset[Part]:
    """The parts of the request that the plan took values from."""
    return frozenset(_sure(trial))


def _sure(trial: Trial) -> Mapping[Part, float]:
    """The parts that a plan took values from, with the confidence of the surest value of each."""
    found: dict[Part, float] = {}
    if isinstance(trial.plan, CallPlan):
        for argument in trial.plan.arguments.values():
            if argument.source == "request" and argument.span is not None:
                found[argument.span] = max(found.get(argument.span, 0.0), argument.confidence)
    return found
