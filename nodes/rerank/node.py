"""Holistic re-ranking: all evidence of all rounds at once."""

from langgraph.runtime import Runtime

from gretel.catalog import Catalog
from gretel.contracts.protocols import Reranker
from gretel.contracts.trial import Trial
from gretel.nodes.context import Context, context_of
from gretel.nodes.fallback import with_fallback
from gretel.nodes.request import read_request
from gretel.nodes.rerank.providers import link_providers
from gretel.nodes.signatures import StateNode
from gretel.nodes.spending import remaining, seconds_left, shortest, spending
from gretel.nodes.state import State, Update
from gretel.nodes.usable import with_trials
from gretel.workers import off_loop


def rerank_node(reranker: Reranker, base: Reranker, catalog: Catalog) -> StateNode:
    """The node that asks `reranker`, and `base` where that is too slow or gives nothing."""

    async def rerank(state: State, runtime: Runtime[Context]) -> Update:
        context = context_of(runtime)
        request = await off_loop(read_request, state, context)

        async def ranked(trials: list[Trial]) -> Update:
            # Only here are all refusals known, so only here can a tool be seen to provide a field.
            linked = await off_loop(link_providers, trials, catalog)
            mended = [new for old, new in zip(trials, linked, strict=True) if new != old]
            budget = remaining(context.budget, state.get("usage"))
            seconds = shortest(budget.rerank_most_s, seconds_left(state.get("deadline")))
            with spending(f"rerank:{state.get('round', 1)}", context, budget) as step:
                ranking, notes = await with_fallback(
                    lambda: reranker.rerank(request, linked),
                    lambda: base.rerank(request, linked),
                    step="rerank",
                    instead="ordered by evidence alone",
                    seconds=None if reranker is base else seconds,
                )
            ranking = ranking.model_copy(update={"notes": (*ranking.notes, *notes)})
            return {
                **({"trials": [each.model_dump(mode="json") for each in mended]} if mended else {}),
                "ranking": ranking.model_dump(mode="json"),
                "usage": step.update(),
            }

        return await with_trials(ranked, state, catalog)

    return rerank
