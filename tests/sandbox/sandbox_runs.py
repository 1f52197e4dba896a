"""How the sandbox's tests make executors."""

from typing import Any, Protocol

from gretel.contracts.tool import Tool
from gretel.sandbox.http.executor import HttpExecutor


class MakeExecutor(Protocol):
    """Makes an executor that is closed at the end of the test."""

    def __call__(self, *tools: Tool, allow: tuple[str, ...] = (), **options: Any) -> HttpExecutor:
        """An executor of `tools` that may call the hosts in `allow`; options as HttpExecutor's."""
        ...
