"""One request through all pipelines of a run: one candidate stage, one set of trials."""

from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any, NamedTuple, cast

from langgraph.runtime import Runtime

from gretel.contracts.budget import Budget, Usage
from gretel.contracts.protocols import Reranker
from gretel.contracts.ranking import Abstention, Candidate, Ranking, Selection
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import CallPlan, Outcome, Trial
from gretel.datasets.judged import JudgedRequest
from gretel.evaluation.measures.calls import PlannedCall
from gretel.evaluation.runs.plain_rules import PlainRule, RetrievalOrder
from gretel.evaluation.runs.planning import Plan, plan_right_tools
from gretel.evaluation.runs.settings import TRYING, RunSettings
from gretel.graph.build import SelectionGraph, build_graph
from gretel.graph.parts import Parts
from gretel.llm.model import StructuredModel
from gretel.nodes.context import ABSTAIN_BELOW, Context
from gretel.nodes.plan.node import planned
from gretel.nodes.rerank.llm import LlmReranker
from gretel.nodes.rerank.node import rerank_node
from gretel.nodes.select.fitting import after_trials
from gretel.nodes.select.node import chances_in, gated
from gretel.nodes.signatures import StateNode
from gretel.nodes.spending import spending, total
from gretel.nodes.state import Json, State

TRIAL_S = 120.0
"""Seconds for one trial: patient, so that a busy machine changes no ranking."""


class Judgement(NamedTuple):
    """What the pipelines of a run made of one request."""

    rankings: dict[str, tuple[ToolId, ...]]
    reasons: dict[str, tuple[str, ...]]
    trials: tuple[Trial, ...]
    planning: tuple[PlannedCall, ...]
    abstention: Abstention | None
    answerable: float | None
    needs_tool: float | None
    usage: dict[str, Usage]
    notes: tuple[str, ...]


class Pipelines:
    """The pipelines of a run over one set of parts; the product's own graph does the work."""

    def __init__(
        self, parts: Parts, settings: RunSettings, *, model: StructuredModel | None = None
    ) -> None:
        """Build the graph; `model` is what `llm-rerank` asks."""
        self._settings = settings
        self._tries = not TRYING.isdisjoint(settings.pipelines)
        self._graph: SelectionGraph = build_graph(parts)
        self._catalog = parts.catalog
        self._plan: Plan = partial(planned, parts.planner, parts.deterministic.planner)
        self._again = rerank_node(parts.reranker, parts.deterministic.reranker, parts.catalog)
        self._plainly = rerank_node(PlainRule(), PlainRule(), parts.catalog)
        self._untried: StateNode | None = None
        if model is not None:
            order: Reranker = RetrievalOrder()
            reranker = LlmReranker(model, parts.catalog, order)
            self._untried = rerank_node(reranker, order, parts.catalog)

    async def judge(self, request: JudgedRequest, broken: frozenset[ToolId]) -> Judgement:
        """Rank the candidates of `request` by every pipeline, and plan calls of its right tools.

        The gate on `answerable` cuts no ranking; what the product would do is in `abstention`. A
        request that needs no tool is not ranked, and only tried where the gate lets it pass.
        Its right tools are not looked at, but for planning; `broken` is what `oracle` knows.

        Raises:
            GretelError: as the graph does.
        """
        context = self._context(request)
        state = cast("State", await self._graph.ainvoke(_given(request), context=context))
        candidates = tuple(map(Candidate.model_validate, state.get("candidates") or ()))
        found = {
            "retrieval": [found.tool_id for found in candidates],
            "oracle": [f.tool_id for f in sorted(candidates, key=lambda f: f.tool_id in broken)],
        }
        ranked = await self._ranked(state, candidates, context) if request.gold else {}
        trials = tuple(map(Trial.model_validate, state.get("trials") or ()))
        planning, cost, notes = await self._planned(request, trials, context)
        usage = state["usage"] | cost
        for name, update in ranked.items():
            found[name] = [place["tool_id"] for place in update["ranking"]["tools"]]
            usage |= {f"{name}:{step}": spent for step, spent in update["usage"].items()}
        names = self._settings.pipelines if request.gold else ()
        return Judgement(
            rankings={name: tuple(found[name]) for name in names},
            reasons={
                name: tuple(place["reason"] for place in update["ranking"]["tools"])
                for name, update in ranked.items()
            },
            trials=trials,
            planning=planning,
            abstention=self._abstention(state),
            answerable=state.get("answerable"),
            needs_tool=state.get("needs_tool"),
            usage=by_stage(usage),
            notes=_notes(state, ranked, notes),
        )

    async def _ranked(
        self, state: State, candidates: Sequence[Candidate], context: Context
    ) -> dict[str, Mapping[str, Any]]:
        """What re-ranking wrote into the state, by pipeline."""
        runtime = Runtime(context=context)
        wanted = self._settings.pipelines
        written: dict[str, Mapping[str, Any]] = {}
        nothing = Ranking(tools=()).model_dump(mode="json")
        if "full" in wanted:
            written["full"] = {"ranking": state.get("ranking") or nothing, "usage": {}}
        if "plain-rule" in wanted:
            written["plain-rule"] = await self._plainly(cast("State", {**state}), runtime=runtime)
        if "no-simulation" in wanted:
            bare: State = {**state, "trials": [{**t, "simulated": None} for t in state["trials"]]}
            written["no-simulation"] = await self._again(bare, runtime=runtime)
        if "llm-rerank" in wanted and self._untried is not None:
            untried: State = {**state, "trials": [_untried(found) for found in candidates]}
            written["llm-rerank"] = await self._untried(untried, runtime=runtime)
        return written

    async def _planned(
        self, request: JudgedRequest, trials: Sequence[Trial], context: Context
    ) -> tuple[tuple[PlannedCall, ...], Json, list[str]]:
        """Plans of the right tools, what they cost beyond those of the trials, and notes."""
        if not self._tries or not (request.gold_calls or request.incomplete):
            return (), {}, []
        asked = request.to_request(today=self._settings.today)
        with spending("plan-right", context, context.budget) as step:
            found, notes = await plan_right_tools(request, asked, self._plan, self._catalog, trials)
        return found, step.update(), notes

    def _context(self, request: JudgedRequest) -> Context:
        settings = self._settings
        return Context(
            k=min(settings.depth, 100),
            depth=settings.depth,
            today=date.fromisoformat(request.today or settings.today),
            seed=settings.seed,
            abstain_below=0 if request.gold else ABSTAIN_BELOW,
            budget=Budget(wall_s=None, trial_s=TRIAL_S, trials=None if self._tries else 0),
        )

    def _abstention(self, state: State) -> Abstention | None:
        tried = [*map(Trial.model_validate, state.get("trials") or [])]
        chances = after_trials(state["request"], chances_in(state), tried, self._catalog)
        gate = gated(chances, ABSTAIN_BELOW)
        if gate or not self._tries:
            return gate
        return Selection.model_validate(state["selection"]).abstention


def by_stage(usage: Mapping[str, Json]) -> dict[str, Usage]:
    """The usage of steps (`plan:<tool_id>:1`, …), by the stage in front."""
    steps: dict[str, dict[str, Json]] = {}
    for step, spent in usage.items():
        steps.setdefault(step.partition(":")[0], {})[step] = spent
    return {
        stage: total(spent).model_copy(update={"ms": max(each["ms"] for each in spent.values())})
        for stage, spent in steps.items()
    }


def _given(request: JudgedRequest) -> Json:
    return {
        "request": request.text,
        "messages": [message.model_dump(mode="json") for message in request.messages],
        "context": request.context,
    }


def _untried(found: Candidate) -> Json:
    """A candidate as a trial in which nothing was planned and nothing sent."""
    return Trial(
        tool_id=found.tool_id,
        round=1,
        rank_before=found.rank,
        retrieval_score=found.score,
        plan=CallPlan(tool_id=found.tool_id, arguments={}),
        executed=Outcome(status="unavailable", source="none"),
    ).model_dump(mode="json")


def _notes(
    state: State, ranked: Mapping[str, Mapping[str, Any]], planning: Sequence[str]
) -> tuple[str, ...]:
    said = [note for update in ranked.values() for note in update["ranking"]["notes"]]
    return tuple(dict.fromkeys([*(state.get("notes") or ()), *planning, *said]))
