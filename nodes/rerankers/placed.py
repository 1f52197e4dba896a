"""What the calls of a request take from it, in view of each other.

A tool that has a place for what the request says was meant by it: who gives a flight number wants a
tool that takes one. But any search takes any word, so a part of the request says the less of a
call, the more other calls have as good a place for it. The same holds of toolkits: the one that has
a place for more of the request is rather the one that was meant, its tools without any arguments
included.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import fsum
from typing import NamedTuple, TypeAlias, TypeVar

from gretel.catalog import Catalog
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import CallPlan, Trial

Part: TypeAlias = tuple[int, int]
"""A part of the request, as a span of characters."""

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

    Of each part that a call takes a value from, the confidence of that value counts, times its
    share of the confidences of all who take the part. A refusal places nothing.
    """
    sure = {trial.tool_id: _sure(trial) for trial in trials}
    kits: defaultdict[str, dict[Part, float]] = defaultdict(dict)
    for tool_id, parts in sure.items():
        best = kits[catalog[tool_id].toolkit]
        best.update({part: max(c, best.get(part, 0.0)) for part, c in parts.items()})
    own, toolkit = _shared(sure), _shared(kits)
    return {each: Placed(own[each], toolkit[catalog[each].toolkit]) for each in sure}


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


def _shared(sure: Mapping[_Taker, Mapping[Part, float]]) -> dict[_Taker, float]:
    """What each has placed, where who takes the same part shares it."""
    taken: defaultdict[Part, list[float]] = defaultdict(list)
    for parts in sure.values():
        for part, confidence in parts.items():
            taken[part].append(confidence)
    # `fsum` gives the same sum whatever the order of the trials.
    return {
        taker: min(MOST, fsum(c**2 / fsum(taken[part]) for part, c in parts.items() if c))
        for taker, parts in sure.items()
    }
