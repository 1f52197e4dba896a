"""First node of an agent's run: as of a selection; nothing is left of an earlier run's steps."""

from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from gretel.nodes.agent.state import AgentState
from gretel.nodes.begin import begin
from gretel.nodes.context import Context
from gretel.nodes.state import Update

_NOTHING: dict[str, Any] = {
    "thought": "",
    "candidate": None,
    "documentation": "",
    "approval": None,
    "approved": False,
    "executed": None,
    "result": None,
}


async def begin_agent(state: AgentState, runtime: Runtime[Context]) -> Update:
    """Check the input, read the clock once, and forget an earlier request of the same thread.

    Raises:
        InputError: the request, a message or the context is unusable.
    """
    return {**await begin(state, runtime=runtime), **_NOTHING, "steps": Overwrite([])}
