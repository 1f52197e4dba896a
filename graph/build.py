"""The whole graph: rewrite, retrieve, trials at once, rerank, select."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from gretel.graph.checkpoints import strict
from gretel.graph.parts import Parts
from gretel.graph.routing import after_rerank, after_retrieve, noting_settings
from gretel.graph.trial import build_trial
from gretel.nodes.begin import begin_node
from gretel.nodes.context import Context
from gretel.nodes.rerank.node import rerank_node
from gretel.nodes.retrieve.node import retrieve_node
from gretel.nodes.rewrite.node import rewrite_node
from gretel.nodes.select.node import select_node
from gretel.nodes.state import Input, State
from gretel.nodes.stored import reading, reading_edge

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

SelectionGraph = CompiledStateGraph[Any, Context, Any, Any]


def build_graph(
    parts: Parts, checkpointer: "BaseCheckpointSaver[Any] | None" = None
) -> SelectionGraph:
    """Compile the selection graph; a checkpointer is the caller's, as is any store.

    `begin` checks the input, opens the parts and clears what an earlier run left on the thread;
    `retrieve` is the entry of each round, behind `rewrite` where there is a rewriter. All trials
    run in one superstep (`Send`), so wall time is one trial, not k (GRETEL leaves this to future
    work). When nothing works, the next round starts at the same entry.
    """
    builder = StateGraph(State, context_schema=Context, input_schema=Input, output_schema=State)
    retrieve = retrieve_node(parts.retriever, parts.need, parts.order)
    rerank = rerank_node(parts.reranker, parts.deterministic.reranker, parts.catalog)
    builder.add_node("begin", reading(begin_node(parts.prepare)))
    builder.add_node("retrieve", reading(noting_settings(retrieve)))
    trial: Any = _trial_node(build_trial(parts))
    builder.add_node("trial", trial)
    builder.add_node("rerank", reading(noting_settings(rerank)))
    builder.add_node("select", reading(select_node(parts.catalog, parts.policy)))
    entry = "retrieve"
    if parts.rewriter is not None:
        entry = "rewrite"
        builder.add_node("rewrite", reading(rewrite_node(parts.rewriter)))
        builder.add_edge("rewrite", "retrieve")
    builder.add_edge(START, "begin")
    builder.add_edge("begin", entry)
    behind = reading_edge(after_retrieve)
    builder.add_conditional_edges("retrieve", behind, ["trial", "rerank", "select"])
    builder.add_edge("trial", "rerank")
    again = reading_edge(after_rerank(parts.catalog))
    builder.add_conditional_edges("rerank", again, {"again": entry, "select": "select"})
    builder.add_edge("select", END)
    return builder.compile(name="gretel", checkpointer=strict(checkpointer))


def _trial_node(trial: SelectionGraph) -> Callable[[Any, RunnableConfig], Awaitable[Any]]:
    """The trial as a node that gives its output alone.

    Where somebody listens to events (`astream_events`, Studio's `events`), langgraph streams a
    subgraph that stands as a node itself, and takes all of its state for its output.
    """

    async def run(state: Any, config: RunnableConfig) -> Any:
        return await trial.ainvoke(state, config)

    return run
