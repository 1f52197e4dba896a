"""Every route of the whole graph, by name; each ends in `select` with a reason."""

from collections.abc import Callable
from typing import Literal

from langgraph.runtime import Runtime
from langgraph.types import Send

from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.nodes.context import Context, context_of, settings_in, settings_of
from gretel.nodes.request import read_request
from gretel.nodes.select.fitting import after_trials, at_best
from gretel.nodes.select.node import chances_in, gated
from gretel.nodes.signatures import Node, S
from gretel.nodes.spending import remaining, seconds_left
from gretel.nodes.state import State, TrialInput, Update
from gretel.nodes.usable import trials_in, usable


def noting_settings(node: Node[S]) -> Node[S]:
    """`node`, whose update also says under which settings it ran, for the edge behind it."""

    async def noted(state: S, *, runtime: Runtime[Context]) -> Update:
        return {**await node(state, runtime=runtime), "settings": settings_of(context_of(runtime))}

    return noted


def after_retrieve(state: State) -> list[Send] | Literal["rerank", "select"]:
    """Fan out to one trial per candidate; nothing to try goes on with what there is.

    What not even the best evidence would have offered is not tried.
    """
    context = settings_in(state)
    best = max((each["score"] for each in state.get("candidates") or []), default=0.0)
    if gated(at_best(chances_in(state), best), context.abstain_below):
        return "select"
    sends = _trials(state, context)
    if sends:
        return sends
    return "rerank" if state.get("trials") else "select"


def after_rerank(catalog: Catalog) -> Callable[[State], Literal["again", "select"]]:
    """Another round while nothing works, a round is left, and time and candidates are too.

    What is going to be declined, because no tool fits, is not looked for further down.
    """

    def again(state: State) -> Literal["again", "select"]:
        context = settings_in(state)
        trials = trials_in(state, catalog)
        ended = not state.get("candidates") or seconds_left(state.get("deadline")) == 0
        if ended or len(trials) >= len(catalog) or state.get("round", 1) >= context.rounds:
            return "select"
        chances = after_trials(state["request"], chances_in(state), trials, catalog)
        declined = gated(chances, context.abstain_below)
        return "select" if declined or usable(trials, catalog) else "again"

    return again


def _trials(state: State, context: Context) -> list[Send]:
    candidates = state.get("candidates") or []
    limit = context.budget.trials
    if limit is not None:
        candidates = candidates[: max(0, limit - len(state.get("trials") or []))]
    if not candidates:
        return []
    request = read_request(state, context).model_dump(mode="json")
    # One share more than trials: the re-ranker's.
    slice_ = remaining(context.budget, state.get("usage"), shares=len(candidates) + 1)
    sends = []
    for place, candidate in enumerate(candidates):
        payload = TrialInput(
            settings=state.get("settings") or {},
            request=request,
            candidate=candidate,
            round=state.get("round") or 1,
            budget=_one_call(slice_, place).model_dump(mode="json"),
        )
        end = _trials_end(state, context)
        if end is not None:
            payload["deadline"] = end
        sends.append(Send("trial", payload))
    return sends


def _one_call(budget: Budget, place: int) -> Budget:
    """A trial calls once at most; the calls that are left go to the best candidates."""
    if budget.calls is None:
        return budget
    return budget.model_copy(update={"calls": 1 if place < budget.calls else 0})


def _trials_end(state: State, context: Context) -> float | None:
    deadline, kept = state.get("deadline"), context.budget.rerank_s
    return None if deadline is None or kept is None else deadline - kept
