"""First node of an agent's run: as of a selection; nothing is left of an earlier run's steps."""

from collections.abc import Awaitable, Callable
from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from gretel.nodes.agent.state import AgentState
from gretel.nodes.begin import begin_node
from gretel.nodes.context import Context
from gretel.nodes.signatures import Node
from gretel.nodes.state import Update

_NOTHING: dict[str, Any] = {
    "thought": "", "candidate": None, "documentation": "", "approval": None, "approved": False,
    "executed": None, "result": None,
}  # fmt: skip


def begin_agent_node(prepare: Callable[[], Awaitable[object]]) -> Node[AgentState]:
    """The node that begins as a selection does, and forgets an earlier run's steps."""
    begin = begin_node(prepare)

    async def begin_agent(state: AgentState, runtime: Runtime[Context]) -> Update:
        return {**await begin(state, runtime=runtime), **_NOTHING, "steps": Overwrite([])}

    return begin_agent
