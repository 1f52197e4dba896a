"""Which tools a run may use: those of a selection, the retriever's candidates, or all."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias

from langgraph.runtime import Runtime

from gretel.catalog import Catalog
from gretel.contracts.ranking import Candidate, Chances, LackingTool, SelectedTool, Selection
from gretel.nodes.agent.state import AgentState, agent_context_of
from gretel.nodes.context import Context
from gretel.nodes.select.fitting import at_best
from gretel.nodes.select.node import gated
from gretel.nodes.signatures import Node
from gretel.nodes.state import Json, State, Update
from gretel.workers import off_loop

Select: TypeAlias = Callable[[State, Context], Awaitable[dict[str, Any]]]
"""Runs the selection graph on the input of a state."""


def offer_selection(select: Select) -> Node[AgentState]:
    """The node that has tools selected by trial, and offers them.

    Where every trial was refused or failed, what was tried is offered all the same: the answer of
    one tool may be what the call of another lacked. Trials ask no person: that is done for the
    agent's own calls, each once.
    """

    async def offer(state: AgentState, *, runtime: Runtime[Context]) -> Update:
        context = agent_context_of(runtime)
        budget = context.budget.model_copy(update={"wall_s": context.budget.offer_s})
        changes = {"approve": "never", "budget": budget}
        found = await select(state, context.model_copy(update=changes))
        selection = Selection.model_validate(found["selection"])
        offered = _offered((*selection.tools, *selection.lacking))
        return {
            "candidates": [each.model_dump(mode="json") for each in offered],
            "needs_tool": selection.needs_tool,
            "answerable": selection.answerable,
            "selection": found["selection"],
            "usage": {f"select:{step}": each for step, each in found["usage"].items()},
            "notes": list(selection.notes),
        }

    return offer


def _offered(shown: Sequence[SelectedTool | LackingTool]) -> list[Candidate]:
    return [
        Candidate(
            tool_id=each.tool_id,
            score=each.trial.retrieval_score,
            rank=rank,
            digest=each.trial.digest,
        )
        for rank, each in enumerate(shown, start=1)
    ]


def offer_candidates(retrieve: Node[State]) -> Node[AgentState]:
    """The node that offers what the retriever finds, untried; nothing, where that would abstain."""

    async def offer(state: AgentState, *, runtime: Runtime[Context]) -> Update:
        found = await retrieve(state, runtime=runtime)
        best = max((each["score"] for each in found["candidates"]), default=0.0)
        before = Chances(found["needs_tool"], found["answerable"])
        gate = gated(at_best(before, best), agent_context_of(runtime).abstain_below)
        if gate is None:
            return found
        abstained = Selection(abstention=gate).model_dump(mode="json")
        return {**found, "candidates": [], "selection": abstained}

    return offer


def offer_all(retrieve: Node[State], catalog: Catalog) -> Node[AgentState]:
    """The node that offers every tool, what the retriever finds first: for a model that knows them.

    A tool that is new to the model is known by its place alone.
    """

    async def offer(state: AgentState, *, runtime: Runtime[Context]) -> Update:
        found = await retrieve(state, runtime=runtime)
        return {**found, "candidates": await off_loop(_all, found["candidates"], catalog)}

    return offer


def _all(found: Sequence[Json], catalog: Catalog) -> list[Json]:
    first = {each["tool_id"] for each in found}
    rest = (tool.tool_id for tool in catalog if tool.tool_id not in first)
    behind = [
        Candidate(tool_id=tool_id, score=0.0, rank=rank).model_dump(mode="json")
        for rank, tool_id in enumerate(rest, len(found) + 1)
    ]
    return [*found, *behind]
