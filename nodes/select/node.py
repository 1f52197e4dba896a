"""The end of every route: what the caller gets, or why there is nothing to get."""

from collections.abc import Callable, Sequence

from langgraph.runtime import Runtime

from gretel.catalog import Catalog
from gretel.contracts.ranking import (
    Abstention,
    AbstentionReason,
    Chances,
    RankedTool,
    Ranking,
    SelectedTool,
    Selection,
)
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import MissingField, Refusal, Trial
from gretel.nodes.context import Context, context_of
from gretel.nodes.select.fitting import after_trials
from gretel.nodes.select.lacking import lacking_tools
from gretel.nodes.select.unread import may_be_said
from gretel.nodes.signatures import StateNode
from gretel.nodes.state import State, Update
from gretel.nodes.usable import silent_hosts, usable, with_trials
from gretel.sandbox.permission.policy import Policy
from gretel.workers import off_loop

ABOUT = 1 / 5
"""Share of the first tool's retrieval score from which a refused tool's values are asked for: below
it, another tool is clearly meant. Set, and not fitted."""


_NO_LONGER = "is no longer in the catalogue, and is left out"


def select_node(catalog: Catalog, policy: Policy) -> StateNode:
    """The node that cuts the ranking at k, or abstains with the reason of its route."""

    def needs_leave(trial: Trial) -> bool:
        failure = trial.executed.failure
        kept_in = failure is not None and failure.kind == "unsafe_method"
        return kept_in and not policy.callable_unasked(catalog[trial.tool_id])

    async def select(state: State, runtime: Runtime[Context]) -> Update:
        context = context_of(runtime)

        async def selected(trials: list[Trial]) -> Update:
            return await off_loop(_selected, state, context, catalog, trials, needs_leave)

        return await with_trials(selected, state, catalog)

    return select


def _selected(
    state: State,
    context: Context,
    catalog: Catalog,
    trials: Sequence[Trial],
    needs_leave: Callable[[Trial], bool],
) -> Update:
    ranking = _of_tried(Ranking.model_validate(state.get("ranking") or {"tools": []}), trials)
    abstention = abstention_of(state, trials, context, catalog, ranking)
    lacking = lacking_tools(ranking, trials, context.k) if _after_trials(abstention) else ()
    asked_for = abstention is None or _after_trials(abstention)
    notes = [*(state.get("notes") or []), *ranking.notes, *_gone(state, trials)]
    selection = Selection(
        tools=() if abstention else _offered(ranking, trials, context.k, needs_leave),
        abstention=abstention,
        lacking=lacking,
        missing=_missing(ranking, trials, context.k) if asked_for else (),
        needs_tool=state.get("needs_tool"),
        answerable=state.get("answerable"),
        hosts=_hosts(trials),
        rounds=max(1, state.get("round", 1)),
        notes=tuple(dict.fromkeys(notes)),
    )
    return {"selection": selection.model_dump(mode="json")}


def abstention_of(
    state: State,
    trials: Sequence[Trial],
    context: Context,
    catalog: Catalog,
    ranking: Ranking,
) -> Abstention | None:
    """Why no tool is offered; None when there is one to offer.

    Where every tool is refused, they are offered if the request may say what the first one lacks.
    """
    chances = after_trials(state["request"], chances_in(state), trials, catalog)
    gate = gated(chances, context.abstain_below)
    if gate:
        return gate
    if usable(trials, catalog):
        return None
    if not trials and state.get("trials"):
        return _because("no_candidates", f"all that was tried {_NO_LONGER}")
    if not trials and state.get("candidates"):
        return _because("budget_spent", "the budget allowed no trial")
    if not trials:
        return _because("no_candidates", "retrieval found no tool at all")
    refused = {trial.tool_id: trial.plan for trial in trials if isinstance(trial.plan, Refusal)}
    if len(refused) < len(trials):
        return _nothing_works(trials, catalog)
    if ranking.tools and may_be_said(state["request"], refused[ranking.tools[0].tool_id]):
        return None
    ranked = [refused[each.tool_id] for each in ranking.tools] or refused.values()
    fields = list(dict.fromkeys(f.name for plan in ranked for f in plan.missing))
    told = f"; missing: {', '.join(fields[:5])}" if fields else ""
    return _because("all_refused", f"no call could be planned for {_count(trials)}{told}")


def _of_tried(ranking: Ranking, trials: Sequence[Trial]) -> Ranking:
    """`ranking` without what was not tried, as a state may be edited to say; each tool once."""
    tried = {trial.tool_id for trial in trials}
    kept: dict[ToolId, RankedTool] = {}
    for each in ranking.tools:
        if each.tool_id in tried:
            kept.setdefault(each.tool_id, each)
    if len(kept) == len(ranking.tools):
        return ranking
    return ranking.model_copy(update={"tools": tuple(kept.values())})


def _gone(state: State, trials: Sequence[Trial]) -> list[str]:
    """What is said of tools that were removed after their trials."""
    left = {trial.tool_id for trial in trials}
    tried = (str(trial["tool_id"]) for trial in state.get("trials") or [])
    return [f"{tool_id} {_NO_LONGER}" for tool_id in tried if tool_id not in left]


def chances_in(state: State) -> Chances:
    """What retrieval said of the request."""
    return Chances(state.get("needs_tool"), state.get("answerable"))


def gated(chances: Chances, below: float) -> Abstention | None:
    """The abstention that low chances justify; unknown ones justify none."""
    needs_tool, answerable = chances
    if needs_tool is not None and needs_tool < below:
        return _because("no_tool_needed", f"probability that a tool is needed: {needs_tool:.2f}")
    if answerable is not None and answerable < below:
        return _because(
            "no_tool_fits", f"probability that a tool of this catalogue fits: {answerable:.2f}"
        )
    return None


def _after_trials(abstention: Abstention | None) -> bool:
    """Whether it is what the trials showed that keeps every tool from being offered."""
    return abstention is not None and abstention.reason in (
        "all_refused",
        "all_failed",
        "budget_spent",
    )


def _nothing_works(trials: Sequence[Trial], catalog: Catalog) -> Abstention:
    spent = [t for t in trials if t.executed.failure and t.executed.failure.kind == "budget_spent"]
    if spent:
        return _because("budget_spent", f"the budget ended before {_count(spent)} could be called")
    silent = sorted({host for _, host in silent_hosts(trials, catalog)})
    told = f"; no answer from {', '.join(silent[:3])}" if silent else ""
    return _because("all_failed", f"none of {_count(trials)} gave a usable answer{told}")


def _count(trials: Sequence[Trial]) -> str:
    return "1 tool" if len(trials) == 1 else f"{len(trials)} tools"


def _because(reason: AbstentionReason, detail: str) -> Abstention:
    return Abstention(reason=reason, detail=detail)


def _offered(
    ranking: Ranking, trials: Sequence[Trial], k: int, needs_leave: Callable[[Trial], bool]
) -> tuple[SelectedTool, ...]:
    by_id = {trial.tool_id: trial for trial in trials}
    return tuple(
        SelectedTool(**ranked.model_dump(), needs_leave=needs_leave(trial), trial=trial)
        for ranked, trial in ((each, by_id[each.tool_id]) for each in ranking.tools[:k])
    )


def _missing(ranking: Ranking, trials: Sequence[Trial], k: int) -> tuple[MissingField, ...]:
    """What to ask the user: for those of the best k that the request seems to be about."""
    by_id = {trial.tool_id: trial for trial in trials}
    shown = [by_id[ranked.tool_id] for ranked in ranking.tools[:k]]
    return tuple(
        field
        for trial in shown
        if isinstance(trial.plan, Refusal)
        if trial.retrieval_score >= ABOUT * shown[0].retrieval_score
        for field in trial.plan.missing
    )


def _hosts(trials: Sequence[Trial]) -> tuple[str, ...]:
    failures = (trial.executed.failure for trial in trials)
    return tuple(
        sorted({f.host for f in failures if f and f.kind == "host_not_allowed" and f.host})
    )
