"""What a model says of an order, and how far it may leave that of the evidence."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from gretel.contracts.ranking import RankedTool, Ranking
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import Trial
from gretel.text.foreign import foreign

T = TypeVar("T")

MAX_NAMED = 5
"""Unknown tools that a note names."""

LEAST = 1e-6
"""Scores are read as no more certain than this."""


class Verdict(NamedTuple):
    """What a model's reply says about the tools that were shown."""

    order: list[ToolId]
    """Known tools, each once, best first."""
    unknown: list[str]
    """What the model named that was not shown."""
    reasons: dict[ToolId, str]


def ranked(
    base: Ranking, verdict: Verdict, trials: Sequence[Trial], margin: float = math.inf
) -> Ranking:
    """The order of `verdict`, as far as `margin` lets it leave that of `base`."""
    places = {place.tool_id: place for place in base.tools}
    known = {trial.tool_id: trial for trial in trials}
    left_out = [tool_id for tool_id in places if tool_id not in set(verdict.order)]
    wanted = [places[tool_id] for tool_id in (*verdict.order, *left_out)]
    moved = [known[place.tool_id] for place in behind_faster(within(wanted, margin))]
    order = never_raised(moved, {tool_id: place.rank for tool_id, place in places.items()})
    return Ranking(
        tools=tuple(
            _at_rank(places[trial.tool_id], rank, verdict.reasons.get(trial.tool_id))
            for rank, trial in enumerate(order, 1)
        ),
        notes=(*base.notes, *_notes(verdict, left_out)),
    )


def within(wanted: Sequence[RankedTool], margin: float) -> list[RankedTool]:
    """The wanted order, in which none passes a tool whose log-odds are higher by over `margin`."""

    def near(left: Sequence[RankedTool]) -> Callable[[RankedTool], bool]:
        best = max(_odds(place.score) for place in left)
        return lambda place: best - _odds(place.score) <= margin

    return _held(wanted, near)


def behind_faster(wanted: Sequence[RankedTool]) -> list[RankedTool]:
    """The wanted order, in which none passes a tool that did the same in less time."""

    def free(left: Sequence[RankedTool]) -> Callable[[RankedTool], bool]:
        waiting = {place.tool_id for place in left}
        return lambda place: place.slower_than not in waiting

    return _held(wanted, free)


def _held(wanted: Sequence[T], free: Callable[[Sequence[T]], Callable[[T], bool]]) -> list[T]:
    """The wanted order, in which each place goes to the first of those left that is `free`."""
    left, order = list(wanted), list[T]()
    while left:
        order.append(next(filter(free(left), left), left[0]))
        left.remove(order[-1])
    return order


def _odds(score: float) -> float:
    chance = min(max(score, LEAST), 1 - LEAST)
    return math.log(chance / (1 - chance))


def never_raised(order: Sequence[Trial], ranks: Mapping[ToolId, int]) -> list[Trial]:
    """The order, in which no tool that failed has passed one that succeeded.

    Only executed calls count on either side; `ranks` are the places by evidence, where a failure
    that a doubtful value can have caused may well stand above a success.
    """

    def free(left: Sequence[Trial]) -> Callable[[Trial], bool]:
        working = (ranks[each.tool_id] for each in left if _status(each) == "succeeded")
        best = min(working, default=math.inf)
        return lambda each: _status(each) != "failed" or ranks[each.tool_id] < best

    return _held(order, free)


def _status(trial: Trial) -> str:
    executed = trial.executed
    if executed.failure is not None and executed.failure.fault == "ours":
        return "unknown"
    if executed.status in ("failed", "empty"):
        return "failed"
    real = executed.source == "executed"
    return "succeeded" if real and executed.status == "succeeded" else "unknown"


def _at_rank(place: RankedTool, rank: int, said: str | None) -> RankedTool:
    """The mechanical reason comes first: what a model says may be what a tool told it."""
    reason = f"{place.reason}; the model: {said}" if said else place.reason
    return place.model_copy(update={"rank": rank, "reason": reason})


def _notes(verdict: Verdict, left_out: Sequence[ToolId]) -> list[str]:
    notes = []
    if verdict.unknown:
        named = ", ".join(foreign(name, 80) for name in verdict.unknown[:MAX_NAMED])
        notes.append(
            f"rerank: {len(verdict.unknown)} unknown tools named by the model were dropped: {named}"
        )
    if left_out:
        notes.append(
            f"rerank: the model left out {len(left_out)}; they keep their order after the others"
        )
    return notes
