"""Tools of a catalogue by id, where a missing one is no error."""

from gretel.contracts.errors import UnknownToolError
from gretel.contracts.protocols import ToolLookup
from gretel.contracts.tool import Tool, ToolId


def find_tool(catalog: ToolLookup, tool_id: ToolId) -> Tool | None:
    """The tool of that id, or None where `catalog` has no such tool."""
    try:
        return catalog[tool_id]
    except (KeyError, UnknownToolError):
        return None
