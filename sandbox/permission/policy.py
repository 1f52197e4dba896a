"""What may be sent, and where: what the user allows, nothing by default.

Which servers (`reach.py`), and which tools whatever their document says (`grants.py`).
"""

import dataclasses
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import quote

import httpx

from gretel.catalog import Catalog
from gretel.catalog.digest import tool_digest
from gretel.catalog.effects.changes import may_change, method_of
from gretel.catalog.ownership import server_of
from gretel.contracts.errors import ConfigurationError
from gretel.contracts.tool import HttpBinding, NoBinding, Tool, ToolId
from gretel.contracts.trial import CallPlan, Failure
from gretel.sandbox.network.gate import OriginLimits
from gretel.sandbox.network.origin import Origin, host_port, origin_of, parse_server
from gretel.sandbox.permission.approved import is_approved
from gretel.sandbox.permission.grants import Grants
from gretel.sandbox.permission.reach import Reach
from gretel.sandbox.permission.refusals import not_allowed, unsafe, untold

_TOOL_ID = "{tool_id}"
_CLIMBING = frozenset({".", ".."})


@dataclass(frozen=True)
class Policy(Grants, Reach):
    """What trials may call; nothing by default.

    Raises:
        ConfigurationError: an entry of `allow_hosts`, `base_url`, `base_urls`, `nat64` or `proxy`
            is unusable, or one text stands where a set of them belongs.
    """

    limits: OriginLimits = OriginLimits()
    """Limits for each server, for example `gretel.OriginLimits(at_once=2, per_second=5)`."""
    _given: frozenset[Origin] = field(init=False, repr=False, compare=False, default=frozenset())
    """Origins of base URLs that the catalogue was given for single sources."""
    _moved: Mapping[ToolId, str] = field(
        init=False, repr=False, compare=False, default_factory=dict[ToolId, str]
    )
    """Digests of the tools of these sources."""

    def __post_init__(self) -> None:
        for each in dataclasses.fields(self):
            if isinstance(each.default, frozenset) and isinstance(getattr(self, each.name), str):
                remedy = f'Give a set: {each.name}=frozenset({{"…"}}).'
                raise ConfigurationError("is a single string", field=each.name, remedy=remedy)
        super().__post_init__()

    def bound(self, tools: Iterable[Tool], *, others: bool = False) -> "Policy":
        """This policy, its marks held to what `tools` say now: one that changes loses them.

        A tool that comes later is not marked, and one that was marked unsafe stays so, whatever it
        says. With `others`, marks may mean tools of other catalogues too; of no tools at all
        nothing is marked.

        Raises:
            ConfigurationError: a mark fits no tool, as an id two, or as a pattern those of several
                owners; no tool is of a trusted server.
        """
        policy = dataclasses.replace(self)
        policy._hold(list(tools), others=others, marked=self)
        if isinstance(tools, Catalog):
            given = frozenset(origin_of(parse_server(url)) for url in tools.base_urls)
            moved = {tool_id: tool_digest(tools[tool_id]) for tool_id in tools.moved}
            object.__setattr__(policy, "_given", given)
            object.__setattr__(policy, "_moved", moved)
        return policy

    def once_bound(self, tools: Iterable[Tool]) -> "Policy":
        """This policy where it was bound before, else bound to `tools`, marks of others aside.

        Raises:
            ConfigurationError: see `bound`.
        """
        return self if self._held is not None else self.bound(tools, others=True)

    def decide(self, tool: Tool, plan: CallPlan | None = None) -> Failure | None:
        """Why `tool` may not be called as `plan` says, or None where it may.

        The failures are ours: `no_binding`, `unsafe_method`, `host_not_allowed`.
        """
        unbound = self._unbound(tool)
        if unbound:
            return Failure(kind="no_binding", detail=unbound, fault="ours")
        changing = self.unsafe_call(tool, plan)
        if changing:
            return changing
        try:
            origin = origin_of(self.server(tool))
        except ConfigurationError as error:
            return Failure(kind="host_not_allowed", detail=str(error), fault="ours")
        if not self.host_allowed(origin) or self._of_others(origin, tool):
            return not_allowed(origin)
        facts = plan.facts if plan and not self.told(origin) else ()
        return untold(origin, facts) if facts else None

    def server(self, tool: Tool) -> httpx.URL:
        """The base URL that calls of `tool` go to.

        Raises:
            ConfigurationError: the tool names no server, or an unusable one.
        """
        if self.base_url is not None and _TOOL_ID in self.base_url:
            text = self.base_url.replace(_TOOL_ID, quote(tool.tool_id, safe=""))
            if not _CLIMBING.isdisjoint(text.split("/")):  # a record of a list may be called `..`
                raise ConfigurationError(
                    "the tool's id would change the path of the base URL",
                    field="base_url",
                    remedy="Leave the tool out of the catalogue.",
                )
            return parse_server(text)
        if self._base is not None:
            return self._base
        return parse_server(next(iter(_servers(tool)), ""))

    def origin(self, tool: Tool) -> str | None:
        """The origin that calls of `tool` go to; None where it names no server.

        Nor where `base_url` stands for many servers: one that is silent says nothing of the others.
        """
        if self.base_url is not None and _TOOL_ID in self.base_url:
            return None
        try:
            return str(origin_of(self.server(tool)))
        except ConfigurationError:
            return None

    def unsafe_call(self, tool: Tool, plan: CallPlan | None = None) -> Failure | None:
        """Why a call may change something and is not made, or None.

        What the user says counts before the tool's document: `unsafe_tools`, then `safe_tools`,
        then approval, then method, hint, name and arguments (`effects.may_change`).
        """
        if self.forbidden(tool):
            return unsafe("The user marked this tool unsafe")
        if self._marked("safe_tools", tool) or is_approved(tool):
            return None
        values, said = (plan.values(), plan.said) if plan else (None, ())
        change = may_change(tool, values, said, trusted=self._trusts(tool))
        mark = f"where it only reads: --safe-tool {shlex.quote(tool.tool_id)}, or Policy.safe_tools"
        if server_of(tool) is not None and not self._trusts(tool):
            mark += "; Policy.trusted_servers for all that its server says only reads"
        why = f"{change}, and the user has not marked it safe ({mark})"
        return unsafe(why) if change else None

    def _of_others(self, origin: Origin, tool: Tool) -> bool:
        """Whether `origin` is open only as the base URL of sources that `tool` is not of."""
        authority = host_port(origin.host, origin.port)
        if origin not in self._given or self.is_base_url(origin) or authority in self.declared:
            return False
        return not self._is_moved(tool) and not self.listed(origin.host, origin.port)

    def _is_moved(self, tool: Tool) -> bool:
        """Whether `tool` is of a source that was given a base URL of its own."""
        said = self._moved.get(tool.tool_id)
        return said is not None and said == tool_digest(tool)

    def keeps_apart(self, tool: Tool) -> bool:
        """Whether calls of `tool` go by `apart`, over connections of their own."""
        return self._base is None and bool(self._given) and not self._is_moved(tool)

    def apart(self) -> "Policy":
        """This policy for connections of documents that were given no base URL of their own.

        The host of one may stand for an inner address, but not where another document names it.
        """
        urls = (url for url in self.base_urls if origin_of(parse_server(url)) not in self._given)
        return dataclasses.replace(self, base_urls=frozenset(urls))

    def _unbound(self, tool: Tool) -> str | None:
        """Why there is no server to call, or None."""
        if isinstance(tool.binding, NoBinding):
            return "Nothing says how this tool is called from here."
        if method_of(tool) is None:
            return "This tool is not called over HTTP."
        if self._base is not None:
            return None
        if tool.binding.relay is not None:
            return f"This tool needs {tool.binding.relay}: name one as base URL."
        servers = _servers(tool)
        if not servers:
            return "The document names no server: give a base URL."
        if servers[0].startswith("/"):
            return "The document names its server by path alone: give a base URL."
        return None


def _servers(tool: Tool) -> tuple[str, ...]:
    """Base URLs that the tool's document names."""
    return tool.binding.servers if isinstance(tool.binding, HttpBinding) else ()
