"""Argument planning: the planner on every right tool whose right call the data set knows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from gretel.catalog import Catalog
from gretel.contracts.protocols import Planner
from gretel.contracts.ranking import Request
from gretel.contracts.record import JsonObject, Record
from gretel.contracts.tool import Tool, ToolId
from gretel.contracts.trial import PlanResult, Refusal, Trial
from gretel.datasets.judged import GoldCall, JudgedRequest
from gretel.datasets.masking import masked
from gretel.evaluation.measures.calls import CallMeasures, CallScore, measure_calls, score_call
from gretel.nodes.plan.node import planned


class PlannedCall(Record):
    """One plan for a right tool, held against the data set's right calls."""

    tool_id: ToolId
    masked: str | None = None
    """The parameter whose value was taken out of the request; refusing is right then."""
    complete: bool
    """Whether a call can be made from what was said."""
    refused: str | None = None
    """The refusal's reason."""
    exact: bool
    wanted: tuple[str, ...] = ()
    """Required arguments whose value the data set fixes."""
    right: tuple[str, ...] = ()
    """Those of them that were planned right."""

    @property
    def score(self) -> CallScore:
        """What the measures are made of."""
        return CallScore(
            complete=self.complete,
            refused=self.refused is not None,
            exact=self.exact,
            wanted=frozenset(self.wanted),
            right=frozenset(self.right),
        )


class Planners(NamedTuple):
    """The run's planner, and the one for where that gives nothing usable."""

    first: Planner
    fallback: Planner

    async def plan(self, request: Request, tool: Tool, notes: list[str]) -> PlanResult:
        """As the graph's own step does, but for its time limit; adds to `notes` as that does.

        Raises:
            ServiceUnreachable, ConfigurationError: every plan would meet it.
        """
        plan, said = await planned(self.first, self.fallback, request, tool)
        notes.extend(said)
        return plan


async def plan_right_tools(
    asked: JudgedRequest,
    request: Request,
    planners: Planners,
    catalog: Catalog,
    trials: Iterable[Trial],
) -> tuple[tuple[PlannedCall, ...], list[str]]:
    """Plans for the request's right tools, by tool_id, each followed by its masked twin; and notes.

    A tool that was tried is not planned again. Empty where the data set knows no right call.

    Args:
        asked: the judged request.
        request: the same as the planner gets it.
        planners: what plans.
        catalog: tools that it lacks are left out.
        trials: those of this request.
    """
    known = {trial.tool_id: trial.plan for trial in trials}
    found: list[PlannedCall] = []
    notes: list[str] = []
    for tool_id in _planned(asked):
        if tool_id not in catalog:
            continue
        tool, calls = catalog[tool_id], [c for c in asked.gold_calls if c.tool_id == tool_id]
        plan = known.get(tool_id) or await planners.plan(request, tool, notes)
        found.append(_judged(tool, plan, calls))
        if hidden := masked(request, tool, calls):
            plan = await planners.plan(hidden.request, tool, notes)
            found.append(_judged(tool, plan, [], parameter=hidden.parameter))
    return tuple(found), notes


def _planned(asked: JudgedRequest) -> list[ToolId]:
    """The tools that a plan is judged for."""
    return sorted(asked.gold if asked.incomplete else {call.tool_id for call in asked.gold_calls})


def _judged(
    tool: Tool, plan: PlanResult, calls: Sequence[GoldCall], *, parameter: str | None = None
) -> PlannedCall:
    required = {each.name for each in tool.fillable if each.required}
    score = score_call(plan, calls, required)
    return PlannedCall(
        tool_id=tool.tool_id,
        masked=parameter,
        complete=score.complete,
        refused=plan.reason if isinstance(plan, Refusal) else None,
        exact=score.exact,
        wanted=tuple(sorted(score.wanted)),
        right=tuple(sorted(score.right)),
    )


def planning_measures(planned: Iterable[Sequence[PlannedCall]]) -> JsonObject:
    """The measures of a run, by which pairs of a request and a right tool they go over.

    `pairs`: all as the data set has them. `masked`: those that have a twin with one required value
    taken out, and these twins. Nothing where no right call is known.

    Args:
        planned: what was planned for each request.
    """
    by_request = [calls for calls in planned if calls]
    if not by_request:
        return {}
    pairs: Mapping[str, Iterable[PlannedCall]] = {
        "pairs": [call for calls in by_request for call in calls if call.masked is None],
        "masked": [call for calls in by_request for call in _with_twin(calls)],
    }
    return {name: _numbers(measure_calls(c.score for c in calls)) for name, calls in pairs.items()}


def _with_twin(calls: Sequence[PlannedCall]) -> Iterator[PlannedCall]:
    twins = {call.tool_id for call in calls if call.masked is not None}
    yield from (call for call in calls if call.tool_id in twins)


def _numbers(measures: CallMeasures) -> JsonObject:
    return {**measures._asdict()}
