"""Which tool's call a user has just approved, for the task that makes the call and no other.

Held to what the tool says: no other tool of its id is approved by it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from gretel.catalog.digest import tool_digest
from gretel.contracts.tool import Tool

_approved: ContextVar[str | None] = ContextVar("gretel_approved", default=None)
"""The tool's content hash."""


def is_approved(tool: Tool) -> bool:
    """Whether the call that this task makes is one of `tool` that a user approved."""
    digest = _approved.get()
    return digest is not None and digest == tool_digest(tool)


@contextmanager
def approved(tool: Tool) -> Iterator[None]:
    """Within, in this task and those it starts, `Policy` treats calls of `tool` as approved."""
    token = _approved.set(tool_digest(tool))
    try:
        yield
    finally:
        _approved.reset(token)
