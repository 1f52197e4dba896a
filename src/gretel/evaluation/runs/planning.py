"""Argument planning: the planner on every right tool whose right call the data set knows."""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from gretel.catalog import Catalog
from gretel.contracts.ranking import Request
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import Tool
from gretel.contracts.trial import PlanResult, Trial
from gretel.datasets.judged import GoldCall, JudgedRequest
from gretel.datasets.masking import masked
from gretel.evaluation.measures.calls import PlannedCall, measure_calls, score_call

Plan: TypeAlias = Callable[[Request, Tool], Awaitable[tuple[PlanResult, list[str]]]]
"""As the graph's own step plans, but for its time limit; with notes."""


async def plan_right_tools(
    asked: JudgedRequest,
    request: Request,
    plan: Plan,
    catalog: Catalog,
    trials: Iterable[Trial],
) -> tuple[tuple[PlannedCall, ...], list[str]]:
    """Plans for the request's right tools, by tool_id, each followed by its masked twin; and notes.

    `request` is what the planner gets of `asked`. A tool that was tried is not planned again, and
    one that the catalogue lacks is left out. Empty where the data set knows no right call.

    Raises:
        ServiceUnreachable, ConfigurationError: every plan would meet it.
    """
    known = {trial.tool_id: trial.plan for trial in trials}
    found: list[PlannedCall] = []
    notes: list[str] = []
    for tool, calls in right_calls(asked, catalog):
        required = {each.name for each in tool.fillable if each.required}
        result = known.get(tool.tool_id)
        if result is None:
            result, said = await plan(request, tool)
            notes += said
        found.append(score_call(result, calls, required))
        if hidden := masked(request, tool, calls):
            result, said = await plan(hidden.request, tool)
            notes += said
            found.append(score_call(result, [], required, masked=hidden.parameter))
    return tuple(found), notes


def right_calls(asked: JudgedRequest, catalog: Catalog) -> list[tuple[Tool, list[GoldCall]]]:
    """The tools that a plan is judged for, by tool_id, with the right calls of each.

    Where the request is incomplete there is no right call. Tools that are not in `catalog` are left
    out, and so is everything where the data set knows no right call.
    """
    known = asked.gold if asked.incomplete else {call.tool_id for call in asked.gold_calls}
    return [
        (catalog[tool_id], [call for call in asked.gold_calls if call.tool_id == tool_id])
        for tool_id in sorted(known)
        if tool_id in catalog
    ]


def planning_measures(planned: Iterable[Sequence[PlannedCall]]) -> JsonObject:
    """The measures of a run, by which pairs of a request and a right tool they go over.

    `pairs`: all as the data set has them. `masked`: those that have a twin with one required value
    taken out, and these twins. Nothing where no right call is known.
    """
    by_request = [calls for calls in planned if calls]
    if not by_request:
        return {}
    pairs: Mapping[str, Iterable[PlannedCall]] = {
        "pairs": [call for calls in by_request for call in calls if call.masked is None],
        "masked": [call for calls in by_request for call in _with_twin(calls)],
    }
    return {name: measure_calls(calls)._asdict() for name, calls in pairs.items()}


def _with_twin(calls: Sequence[PlannedCall]) -> Iterator[PlannedCall]:
    twins = {call.tool_id for call in calls if call.masked is not None}
    yield from (call for call in calls if call.tool_id in twins)
