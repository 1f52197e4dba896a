"""What MCP servers list, as catalogues; one that fails takes nothing from the others."""

from collections.abc import Iterable

from gretel.catalog import Catalog, Skipped
from gretel.catalog.document import as_object
from gretel.catalog.identity import mint
from gretel.catalog.ownership import server_of
from gretel.contracts.errors import ConfigurationError, ServiceUnreachable
from gretel.contracts.record import JsonValue
from gretel.contracts.tool import ToolId
from gretel.integrations.mcp_secrets import without_secrets
from gretel.sandbox.permission.marks import covers, document_origin
from gretel.sandbox.permission.policy import Policy


def described(tools: list[JsonValue], server: str, tool_id: ToolId | None = None) -> Catalog:
    """The tools as a catalogue; those that cannot be `tool_id` are left out, in their places."""

    def kept(tool: JsonValue) -> bool:
        name = as_object(tool).get("name")
        return tool_id is None or (isinstance(name, str) and mint(server, name) == tool_id)

    entries = [without_secrets(tool) if kept(tool) else {} for tool in tools]
    return Catalog.from_mcp(entries, server=server)


def unlisted(name: str, error: ServiceUnreachable) -> Skipped:
    """The row for the server `name`, which could not be listed."""
    reason = str(error).removeprefix(f"{name}: ")
    return Skipped(name, reason, "See to the server, and read the catalogue again.")


def speaks_of(policy: Policy, name: str) -> bool:
    """Whether `policy` trusts the server `name`, or may mark a tool of it.

    Without its tools such a mark could only mean those of another document of that name.
    """
    marks = policy.safe_tools | policy.callable_tools | policy.unsafe_tools
    start = _start(name)
    return name in policy.trusted_servers or any(_may_begin(mark, start) for mark in marks)


def check_unlisted(policy: Policy, catalog: Catalog, servers: Iterable[str]) -> None:
    """Raise where a mark on a tool of a server that lists none fits that of another.

    `git.hub.push` is `hub.push` of the server `git`, and reads as `push` of `git.hub`.

    Raises:
        ConfigurationError: a mark may mean either.
    """
    listed = {server_of(tool) for tool in catalog}
    silent = [_start(name) for name in servers if name not in listed]
    for mark in sorted(policy.safe_tools | policy.callable_tools):
        read = [start for start in silent if mark.partition("*")[0].startswith(start)]
        fit = [tool for tool in catalog if covers(mark, tool)] if read else []
        for tool in fit:
            origin = document_origin(tool)
            if not mark.endswith(f"@{origin}"):
                raise ConfigurationError(
                    f"the mark {mark!r} reads as a tool of another server, which lists none",
                    field=tool.tool_id,
                    remedy=f"If you mean this one: '{mark}@{origin}'.",
                )


def _start(name: str) -> str:
    """What the ids of a server's tools begin with."""
    return mint(name, "_").removesuffix("_")


def _may_begin(mark: str, start: str) -> bool:
    head, star, _ = mark.partition("*")
    return head.startswith(start) or (bool(star) and start.startswith(head))
