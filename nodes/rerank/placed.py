"""What the calls of a request take from it, in view of each other.

A tool that has a place for what the request says was meant by it: who gives a flight number wants a
tool that takes one. But any search takes any word, so a part of the request says the less of a
call, the more other calls have as good a place for it. The same holds of toolkits: the one that has
a place for more of the request is rather the one that was meant, its tools without any arguments
included. What is asked for is a tool that works, so those that clearly do not take nothing away.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from math import fsum, log
from typing import NamedTuple, TypeAlias, TypeVar

from gretel.catalog import Catalog
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import CallPlan, Trial
from gretel.nodes.rerank.failures import broken

Part: TypeAlias = tuple[int, int]
"""A part of the request, as a span of characters."""
Parts: TypeAlias = Mapping[Part, float]
"""Parts that were taken, each with the confidence of the surest value taken from it, 0…1."""

MOST = 2.0
"""What can have been placed at most: who takes everything is no better for it."""

_Taker = TypeVar("_Taker", bound=str)


class Placed(NamedTuple):
    """How much of the request there is a place for, in parts, from 0 to `MOST`."""

    own: float = 0.0
    """In the tool's call, beside the other calls."""
    toolkit: float = 0.0
    """In the best calls of its toolkit, beside those of the other toolkits."""


def placed(trials: Sequence[Trial], catalog: Catalog) -> dict[ToolId, Placed]:
    """What each tool and its toolkit have a place for; the order of `trials` does not matter.

    Of each part that a call takes a value from, the confidence of that value counts, times how much
    the part tells of which of n tools was meant: 1 where no other takes it, 1 - log(m)/log(n) where
    m do, others counting by their confidence beside its own. A refusal places nothing.
    """
    taken = {trial.tool_id: _taken(trial) for trial in trials}
    working = {trial.tool_id for trial in trials if not broken(trial)}
    toolkits = {tool_id: catalog[tool_id].toolkit for tool_id in taken}
    alive = {toolkits[tool_id] for tool_id in working}
    best: dict[str, dict[Part, float]] = {toolkit: {} for toolkit in toolkits.values()}
    for tool_id, toolkit in toolkits.items():
        if tool_id in working or toolkit not in alive:
            for part, sure in taken[tool_id].items():
                best[toolkit][part] = max(sure, best[toolkit].get(part, 0.0))
    own, shared = _told(taken, working), _told(best, alive)
    return {tool_id: Placed(own[tool_id], shared[toolkits[tool_id]]) for tool_id in taken}


def parts_used(trial: Trial) -> frozenset[Part]:
    """The parts of the request that the plan took values from."""
    return frozenset(_taken(trial))


def _taken(trial: Trial) -> Parts:
    found: dict[Part, float] = {}
    if isinstance(trial.plan, CallPlan):
        for argument in trial.plan.arguments.values():
            if argument.source == "request" and argument.span is not None:
                found[argument.span] = max(found.get(argument.span, 0.0), argument.confidence)
    return found


def _told(taken: Mapping[_Taker, Parts], working: Set[_Taker]) -> dict[_Taker, float]:
    """What the parts that each takes tell of it, at most `MOST`."""
    rivals: defaultdict[Part, dict[_Taker, float]] = defaultdict(dict)
    for taker in working:
        for part, sure in taken[taker].items():
            rivals[part][taker] = sure
    most = log(max(2, len(taken)))

    def told(taker: _Taker, part: Part, sure: float) -> float:
        # `fsum` gives the same sum whatever the order of the trials.
        takers = fsum((rivals[part] | {taker: sure}).values()) / sure
        return sure * max(0.0, 1 - log(takers) / most)

    return {
        taker: min(MOST, fsum(told(taker, *each) for each in parts.items() if each[1]))
        for taker, parts in taken.items()
    }
