"""Whose word the tools of an artefact are."""

from collections.abc import Iterable, Sequence

from gretel.catalog.ownership import Owner, owner_of
from gretel.contracts.tool import Tool, ToolId
from gretel.sandbox.permission.marks import document_origin


class Owners:
    """Whose word each tool of a retriever is, and where it is called."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._of: dict[ToolId, tuple[Owner, str]] = {}
        self.take(tools)

    def take(self, tools: Iterable[Tool]) -> None:
        """From now on the ids are those of these tools."""
        self._of |= {tool.tool_id: _owner(tool) for tool in tools}

    def taken_over(self, tools: Sequence[Tool]) -> set[ToolId]:
        """Ids that come to be another owner's: what served requests was not his tool."""
        other = {tool.tool_id for tool in tools if self._of.get(tool.tool_id) != _owner(tool)}
        self.take(tools)
        return other


def _owner(tool: Tool) -> tuple[Owner, str]:
    return owner_of(tool), document_origin(tool)
