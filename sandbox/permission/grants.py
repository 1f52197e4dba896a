"""What the user's marks grant to single tools, each held to what its tool said (`marks.py`)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from gretel.catalog.digest import tool_digest
from gretel.catalog.ownership import server_of
from gretel.contracts.errors import ConfigurationError
from gretel.contracts.tool import Tool, ToolId
from gretel.sandbox.permission.marks import check_fits, covers, held

_MARKS = ("safe_tools", "callable_tools")


@dataclass(frozen=True)
class Grants:
    """Which tools may be called where a call may change something, and which never."""

    safe_tools: frozenset[str] = frozenset()
    """Tools that trials may call, whatever their method. Ids, or patterns such as `*.search*` for
    the tools of one owner (`marks.py`)."""
    callable_tools: frozenset[str] = frozenset()
    """Tools that are never tried, but may be called once they are selected, although a call may
    change something; written as `safe_tools`."""
    trusted_servers: frozenset[str] = frozenset()
    """MCP servers, by the names that the user gave them, whose own hints are believed: trials call
    the tools whose hints, or else whose names, say that they only read. A record of a list that
    claims to be of such a server is not."""
    unsafe_tools: frozenset[str] = frozenset()
    """Tools that are never called; this beats the other marks. Written alike, of any origin."""
    _held: Mapping[str, Mapping[ToolId, str]] | None = field(
        init=False, repr=False, compare=False, default=None
    )
    """Digests of the tools that the marks of each field mean; None before `bound`, where only a
    whole id means a tool."""
    _unsafe: frozenset[ToolId] = field(init=False, repr=False, compare=False, default=frozenset())
    """The tools that `unsafe_tools` meant when it met its catalogue."""

    def _hold(self, known: Sequence[Tool], *, others: bool, marked: "Grants") -> None:
        """Hold the marks of this record, just made of `marked`, to what `known` say now.

        Raises:
            ConfigurationError: see `Policy.bound`.
        """
        others = others or not known
        for mark in () if others else sorted(self.unsafe_tools):
            check_fits("unsafe_tools", mark, known)
        if not others:
            self._check_servers(known)
        marks = {name: held(name, getattr(self, name), known, others=others) for name in _MARKS}
        object.__setattr__(self, "_held", marks)
        unsafe = frozenset(tool.tool_id for tool in known if marked.forbidden(tool))
        object.__setattr__(self, "_unsafe", unsafe)

    def _check_servers(self, tools: Iterable[Tool]) -> None:
        """Raise where no tool is of a server that the user trusts: its name was misspelt."""
        known = {server for each in tools if (server := server_of(each)) is not None}
        for name in sorted(self.trusted_servers - known):
            raise ConfigurationError(
                f"{name!r} is not an MCP server of the catalogue",
                field="trusted_servers",
                remedy=f"Known are: {', '.join(sorted(known)) or 'none'}.",
            )

    def _trusts(self, tool: Tool) -> bool:
        """Whether `tool` is of an MCP server that the user trusts."""
        return server_of(tool) in self.trusted_servers

    def forbidden(self, tool: Tool) -> bool:
        """Whether the user marked `tool` unsafe, by its id or by a pattern."""
        marked = any(covers(mark, tool) for mark in self.unsafe_tools)
        return marked or tool.tool_id in self._unsafe

    def callable_unasked(self, tool: Tool) -> bool:
        """Whether the user marked `tool` as one to be called once it is selected."""
        return self._marked("callable_tools", tool) and not self.forbidden(tool)

    def _marked(self, name: str, tool: Tool) -> bool:
        if self._held is None:
            return tool.tool_id in getattr(self, name)
        digest = self._held[name].get(tool.tool_id)
        return digest is not None and digest == tool_digest(tool)
