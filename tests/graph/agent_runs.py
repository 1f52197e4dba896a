"""An agent's graph from fakes: every place scripted, nothing real."""

from collections.abc import Mapping, Sequence
from typing import Any

from graph_runs import fake_parts

from gretel.contracts.agent import AgentResult
from gretel.contracts.protocols import AgentModel
from gretel.contracts.tool import Tool
from gretel.graph.agent import AgentGraph, build_agent
from gretel.graph.agent_parts import agent_parts
from gretel.nodes.agent.state import AgentContext

THREAD: Any = {"configurable": {"thread_id": "t"}}


def agent_of(
    tools: Sequence[Tool],
    model: AgentModel | None = None,
    *,
    offered: str = "candidates",
    checkpointer: Any = None,
    **parts: Any,
) -> AgentGraph:
    """A graph over fakes."""
    over = fake_parts(tools, **parts)
    return build_agent(agent_parts(over, model=model, offered=offered), checkpointer)


async def served(
    graph: AgentGraph,
    request: str = "Find me a flight.",
    *,
    facts: Mapping[str, Any] | None = None,
    **context: Any,
) -> AgentResult:
    """How one run ended."""
    given: dict[str, Any] = {"request": request, "context": dict(facts or {})}
    return result_of(await graph.ainvoke(given, context=AgentContext(**context)))


def result_of(state: Mapping[str, Any]) -> AgentResult:
    """The result in a state, with its steps."""
    parts = {"steps": state["steps"], "notes": state["notes"]}
    return AgentResult.model_validate({**state["result"], **parts})


def taken(result: AgentResult) -> list[str]:
    """The tools of the steps, in order."""
    return [step.tool_id for step in result.steps]
