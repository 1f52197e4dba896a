"""The entry node: candidates for the coming round, from any `Retriever`."""

from collections.abc import Collection, Iterable, Sequence

from langgraph.runtime import Runtime

from gretel.contracts.protocols import CandidateOrder, NeedJudge, Retriever
from gretel.contracts.ranking import Candidate, RetrievalQuery
from gretel.contracts.tool import ToolId
from gretel.nodes.context import Context, context_of
from gretel.nodes.conversation import in_view
from gretel.nodes.request import read_request
from gretel.nodes.retrieve.merging import depth_of, merge_queries
from gretel.nodes.signatures import StateNode
from gretel.nodes.spending import spending
from gretel.nodes.state import Json, State, Update
from gretel.workers import off_loop


def retrieve_node(
    retriever: Retriever, judge: NeedJudge | None = None, order: CandidateOrder | None = None
) -> StateNode:
    """The node that asks `retriever`, and `judge` whether what was found is worth a trial.

    Without a judge only a retriever that says so itself can make the run abstain. What `order`
    puts first is tried; without it, what the retriever does.
    """

    async def retrieve(state: State, runtime: Runtime[Context]) -> Update:
        context = context_of(runtime)
        request = await off_loop(read_request, state, context)
        number = state.get("round", 0) + 1
        tried = {ToolId(trial["tool_id"]) for trial in state.get("trials") or []}
        queries = _queries(state.get("queries"), in_view(request))
        with spending(f"retrieve:{number}", context, context.budget) as step:
            wanted = max(context.depth, order.depth if order else 0)
            depth = depth_of(queries, wanted + len(tried))
            retrieval = await retriever.retrieve(queries, k=depth)
            if judge is not None:
                retrieval = await judge.judge(queries, retrieval)
            found = merge_queries(queries, retrieval)
            fresh = _fresh(found, tried)
            if order is not None:
                fresh = await order.ordered(request, fresh)
            first = len(tried) + 1  # places go on where the last round's end
            ranked = [
                each.model_copy(update={"rank": rank})
                for rank, each in enumerate(fresh[: context.depth], first)
            ]
        return {
            "round": number,
            "queries": [],
            "candidates": [each.model_dump(mode="json") for each in ranked],
            "needs_tool": retrieval.needs_tool,
            "answerable": retrieval.answerable,
            "notes": list(retrieval.notes),
            "usage": step.update(),
        }

    return retrieve


def _fresh(found: Iterable[Candidate], tried: Collection[ToolId]) -> list[Candidate]:
    """What was not tried; of a tool that a retriever gives twice the better place."""
    fresh: dict[ToolId, Candidate] = {}
    for each in found:
        if each.tool_id not in tried:
            fresh.setdefault(each.tool_id, each)
    return [*fresh.values()]


def _queries(given: Iterable[Json] | None, request: str) -> Sequence[RetrievalQuery]:
    queries = [RetrievalQuery.model_validate(query) for query in given or []]
    return queries or [RetrievalQuery(text=request)]
