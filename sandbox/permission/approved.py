"""Which tool's call a user has just approved, for the task that makes the call and no other."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from gretel.contracts.tool import ToolId

_approved_tool: ContextVar[ToolId | None] = ContextVar("gretel_approved_tool", default=None)


def is_approved(tool_id: ToolId) -> bool:
    """Whether the call that this task makes is one of `tool_id` that a user approved."""
    return _approved_tool.get() == tool_id


@contextmanager
def approved(tool_id: ToolId) -> Iterator[None]:
    """Within, in this task and those it starts, `Policy` treats calls of `tool_id` as approved."""
    token = _approved_tool.set(tool_id)
    try:
        yield
    finally:
        _approved_tool.reset(token)
