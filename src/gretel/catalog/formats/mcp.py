"""What an MCP server lists (`tools/list`) → tools."""

from collections.abc import Mapping, Sequence
from typing import Any

from gretel.catalog.bounds import Pool
from gretel.catalog.document import as_json, as_object, as_text, parse_document
from gretel.catalog.effects.descriptions.sentences import verb_of_text
from gretel.catalog.formats.functions import response_schema, schema_parameters
from gretel.catalog.formats.row import Row, row_tool
from gretel.catalog.report import Loaded, Note
from gretel.contracts.errors import CatalogError
from gretel.contracts.tool import McpBinding, Response, Tool


def load_mcp(
    listing: bytes | str | Mapping[str, Any] | Sequence[Any], *, server: str, description: str = ""
) -> Loaded:
    """A tool for each entry of a `tools/list` result, bare, in its JSON-RPC reply, or as a list.

    An entry that is no tool gives a skipped row; a further page that the result speaks of, a note.

    The result comes as bytes or text of JSON, or parsed. `server` is the name under which the user
    knows the server, and the toolkit of its tools; `description` what it says of itself.

    Raises:
        CatalogError: the listing is no `tools/list` result.
    """
    if isinstance(listing, bytes | str):
        content = parse_document(listing, place=server)
    else:
        content = as_json(listing, place=server)
    inner = as_object(content).get("result", content)
    entries = inner if isinstance(inner, list) else as_object(inner).get("tools")
    if not isinstance(entries, list):
        raise CatalogError(
            "is not a `tools/list` result: it has no list `tools`",
            field=server,
            remedy="Give what the server answers to `tools/list`",
        )
    loaded, pool = Loaded(), Pool()
    for number, entry in enumerate(entries):
        place = f"{server}#/tools/{number}"
        with loaded.row(place):
            loaded.take(_tool(Row(as_object(entry), place, pool=pool), server, description))
    if as_object(inner).get("nextCursor"):
        loaded.notes.append(Note(server, "the listing is one page of several"))
    return loaded


def _tool(row: Row, server: str, description: str) -> Tool:
    entry = row.content
    hints = as_object(entry.get("annotations"))
    name = as_text(entry.get("name"))
    title = as_text(entry.get("title")) or as_text(hints.get("title"))
    return row_tool(
        row,
        toolkit=server,
        operation=name,
        description=as_text(entry.get("description")) or title,
        toolkit_description=description,
        parameters=schema_parameters(
            entry.get("inputSchema") or {}, row.pool, as_text(entry.get("description"))
        ),
        response=Response(json_schema=response_schema(entry.get("outputSchema"), row.pool)),
        binding=McpBinding(server=server, tool=name, read_only=_read_only(hints, title)),
    )


def _read_only(hints: Mapping[str, Any], title: str) -> bool | None:
    """Whether a call only reads, by the hints of the server; None where they say nothing.

    A title that tells of a change is a hint, too: where there is a description it is not kept.
    """
    if hints.get("destructiveHint") not in (None, False):
        return False
    hint = hints.get("readOnlyHint")
    if hint is None:
        return False if verb_of_text(title) else None
    return hint is True
