"""How well an agent served judged requests: the right tool, the right arguments, an end."""

from collections.abc import Iterable
from typing import NamedTuple

from gretel.catalog import Catalog
from gretel.contracts.agent import AgentResult
from gretel.contracts.record import Record
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import Refusal
from gretel.datasets.judged import JudgedRequest
from gretel.evaluation.measures.abstention import share
from gretel.evaluation.measures.calls import PlannedCall, score_call


class AgentRun(Record):
    """One run against the right calls of its request."""

    request_id: str
    chosen: bool
    """Whether some step took a right tool."""
    first: bool
    """Whether the first step did."""
    calls: tuple[PlannedCall, ...]
    """For each right tool, the best call of it; a refusal where no step took it."""
    finished: bool
    """Whether it ended of itself with an answer, before a limit."""
    steps: int

    @property
    def served(self) -> bool:
        """Finished, behind a call of every right tool with all of its required values right."""
        return self.finished and all(set(call.right) == set(call.wanted) for call in self.calls)


class RunMeasures(NamedTuple):
    """Measures over requests; each counts, whatever became of it."""

    chosen: float | None
    first: float | None
    arguments: float | None
    """Required right values given, of all (micro-average); those of tools not taken are missed."""
    exact: float | None
    """Right tools of which some call is right whole: all right values and no others."""
    finished: float | None
    served: float | None
    steps: float | None
    """Mean of steps."""
    n: int
    values: int


def score_run(result: AgentResult, asked: JudgedRequest, catalog: Catalog) -> AgentRun:
    """Compare a run with what is right; tools that the catalogue lacks are missed."""
    taken = [step.tool_id for step in result.steps]
    return AgentRun(
        request_id=asked.request_id,
        chosen=any(tool_id in asked.gold for tool_id in taken),
        first=bool(taken) and taken[0] in asked.gold,
        calls=tuple(_best(result, asked, tool_id, catalog) for tool_id in sorted(asked.gold)),
        finished=result.reason == "finished" and not result.gave_up,
        steps=len(taken),
    )


def _best(
    result: AgentResult, asked: JudgedRequest, tool_id: ToolId, catalog: Catalog
) -> PlannedCall:
    gold = [call for call in asked.gold_calls if call.tool_id == tool_id]
    fillable = catalog[tool_id].fillable if tool_id in catalog else ()
    required = {each.name for each in fillable if each.required}
    none = Refusal(tool_id=tool_id, reason="planner_failed", detail="no step took it")
    plans = [step.plan for step in result.steps if step.tool_id == tool_id]
    scores = [score_call(plan, gold, required) for plan in (none, *plans)]
    return max(scores, key=lambda score: (score.exact, len(score.right), score.refused is None))


def measure_runs(runs: Iterable[AgentRun]) -> RunMeasures:
    """The measures over all runs."""
    runs = list(runs)
    calls = [call for run in runs for call in run.calls]
    values = sum(len(call.wanted) for call in calls)
    n = len(runs)
    return RunMeasures(
        chosen=share(sum(run.chosen for run in runs), n),
        first=share(sum(run.first for run in runs), n),
        arguments=share(sum(len(call.right) for call in calls), values),
        exact=share(sum(call.exact for call in calls), len(calls)),
        finished=share(sum(run.finished for run in runs), n),
        served=share(sum(run.served for run in runs), n),
        steps=share(sum(run.steps for run in runs), n),
        n=n,
        values=values,
    )
