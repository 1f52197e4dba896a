"""What is asked of an MCP server."""

from gretel.catalog.document import as_list
from gretel.contracts.errors import ServiceUnreachable
from gretel.contracts.record import JsonObject, JsonValue
from gretel.integrations.mcp_bounds import MAX_PAGES, MAX_TOOLS, Reading
from gretel.integrations.mcp_results import whole
from gretel.integrations.mcp_session import Session


async def answer_of(
    session: Session, reading: Reading, tool: str, values: JsonObject
) -> JsonObject:
    """What the server answers to one call.

    Not by the client's `call_tool`, which calls again where the server asks for it, and checks the
    answer by the server's own patterns, one of which may take for ever.
    """
    from mcp import types

    parameters = types.CallToolRequestParams(name=tool, arguments=values)
    with reading.current():
        request = types.CallToolRequest(params=parameters)
        return whole(await session.client.session.send_request(request, types.CallToolResult))


async def listing_of(session: Session, reading: Reading) -> list[JsonValue]:
    """The entries of every page of what the server lists.

    Raises:
        ServiceUnreachable: they are too many.
    """
    tools: list[JsonValue] = []
    cursor: str | None = None
    for _ in range(MAX_PAGES):
        with reading.current():
            page = await session.client.list_tools(cursor=cursor)
        tools += as_list(whole(page)["tools"])
        cursor = page.next_cursor
        if len(tools) > MAX_TOOLS:
            raise ServiceUnreachable(f"it lists more than {MAX_TOOLS:,} tools")
        if not cursor:
            return tools
    raise ServiceUnreachable(f"it lists more than {MAX_PAGES} pages of tools")
