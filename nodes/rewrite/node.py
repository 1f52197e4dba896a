"""Before retrieval, and behind a round that found nothing: queries from the request."""

from langgraph.runtime import Runtime

from gretel.contracts.protocols import QueryRewriter
from gretel.contracts.ranking import Request, RetrievalQuery
from gretel.contracts.trial import Trial
from gretel.nodes.context import Context, context_of
from gretel.nodes.conversation import in_view
from gretel.nodes.fallback import with_fallback
from gretel.nodes.request import read_request
from gretel.nodes.signatures import StateNode
from gretel.nodes.spending import remaining, seconds_left, shortest, spending
from gretel.nodes.state import State, Update
from gretel.workers import off_loop


def rewrite_node(rewriter: QueryRewriter) -> StateNode:
    """The node that asks `rewriter`; where it fails, the request itself is the query."""

    async def rewrite(state: State, runtime: Runtime[Context]) -> Update:
        context = context_of(runtime)
        request = await off_loop(read_request, state, context)
        tried = state.get("trials") or []
        feedback = await off_loop(lambda: [*map(Trial.model_validate, tried)]) if tried else None
        budget = remaining(context.budget, state.get("usage"))
        with spending(f"rewrite:{state.get('round', 0) + 1}", context, budget) as step:
            queries, notes = await with_fallback(
                lambda: rewriter.rewrite(request, feedback),
                lambda: _request_itself(request),
                step="rewrite",
                instead="the request itself was the query",
                seconds=shortest(budget.rewrite_s, seconds_left(state.get("deadline"))),
            )
        return {
            "queries": [query.model_dump(mode="json") for query in queries],
            "usage": step.update(),
            "notes": notes,
        }

    return rewrite


async def _request_itself(request: Request) -> list[RetrievalQuery]:
    return [RetrievalQuery(text=in_view(request))]
