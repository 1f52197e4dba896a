"""Which tools the user's marks mean (`Policy.safe_tools` and its like).

A mark is a tool's id, or a pattern in which `*` stands for any characters. A tool's document chose
its id, and another document may choose the same: so a mark is held to what the tool said when the
mark met its catalogue, and a pattern to one origin and one document, since any document can name a
server. `@` and an origin behind a mark say which.
"""

from collections.abc import Iterable, Mapping, Sequence

from gretel.catalog.digest import tool_digest
from gretel.catalog.identity import mint, unmarked
from gretel.catalog.ownership import document_of, owner_of, server_of, unnumbered
from gretel.catalog.titles import bare_title, titled
from gretel.contracts.errors import ConfigurationError
from gretel.contracts.tool import HttpBinding, Tool, ToolId
from gretel.sandbox.network.origin import origin_of, parse_server

_SHOWN = 3


def document_origin(tool: Tool) -> str:
    """Whose word a tool's description is: its server, its MCP server, else its document."""
    server = server_of(tool)
    if server is not None:
        return f"mcp:{server}"
    if isinstance(tool.binding, HttpBinding) and tool.binding.servers:
        try:
            return str(origin_of(parse_server(tool.binding.servers[0])))
        except ConfigurationError:
            pass  # a path alone, or no server at all
    name = document_of(tool) or tool.toolkit  # a record says it itself, and may call it as a server
    return f"document {name}" if "://" in name or name.startswith("mcp:") else name


def covers(mark: str, tool: Tool) -> bool:
    """Whether `mark` may mean `tool`, as it is called now, or was before it was told apart.

    Tools of one id, and documents of one title, were told apart by what stands behind an `@`, and
    documents of one name by a number: what stands before it may mean each.
    """
    origin = document_origin(tool)
    written = _readings(mark, origin) | _readings(mark, unnumbered(origin))
    ids = {tool.tool_id, titled(tool)}
    return any(_fits_id(each, tool_id) for each in written for tool_id in ids)


def held(
    name: str, marks: Iterable[str], tools: Sequence[Tool], *, others: bool
) -> Mapping[ToolId, str]:
    """The digests, by id, of the tools that the ids and patterns in the field `name` mean.

    With `others`, marks may mean tools of other catalogues: one that fits nothing is passed over.

    Raises:
        ConfigurationError: a mark fits nothing, as an id two tools, or as a pattern those of
            several origins or documents.
    """
    found: dict[ToolId, str] = {}
    for mark in sorted(marks):
        if others and not any(covers(mark, tool) for tool in tools):
            continue
        found |= {tool.tool_id: tool_digest(tool) for tool in _meant(name, mark, tools)}
    return found


def check_fits(name: str, mark: str, tools: Iterable[Tool]) -> None:
    """Raise where a mark of the field `name` fits nothing.

    Raises:
        ConfigurationError: it fits no tool.
    """
    if not any(covers(mark, tool) for tool in tools):
        raise ConfigurationError(
            f"{mark!r} matches no tool of the catalogue",
            field=name,
            remedy="Write an id as `gretel select --json` prints it, or a pattern with `*`.",
        )


def _meant(name: str, mark: str, tools: Sequence[Tool]) -> list[Tool]:
    """The tools that one mark of the field `name` means; see `held`.

    A whole id that is a pattern too, or an id and an origin, or was that of a tool whose title
    another document has, means its tool where no other fits: a stranger may have given it to his.
    A pattern means none that it fits only as it was called before: another one has that name too,
    or may have it.
    """
    check_fits(name, mark, tools)
    fit = [tool for tool in tools if covers(mark, tool)]
    exact = [tool for tool in fit if tool.tool_id == mark]
    if "*" in mark:
        _check_one_owner(name, mark, fit)
        if len(exact) in (0, len(fit)) and all(_fits_now(mark, tool) for tool in fit):
            return fit
    else:
        pinned = [tool for tool in fit if _without(mark, document_origin(tool))]
        before = [tool for tool in fit if titled(tool) == mark or _was_pinned(mark, tool)]
        meant = {tool.tool_id for tool in (*exact, *pinned, *before)}
        if len(meant) == 1 and (exact or pinned):
            if exact and not pinned and unmarked(ToolId(mark)) == mark:
                _check_namespace(name, exact[0], tools)
            return exact or pinned
    ids = sorted(tool.tool_id for tool in fit)
    raise ConfigurationError(
        f"{mark!r} is not a whole id: {_few(ids)}",
        field=name,
        remedy="Write the whole id of the tool you mean.",
    )


def _check_namespace(name: str, tool: Tool, tools: Iterable[Tool]) -> None:
    """Raise where the id of `tool` reads as that of a tool which another document may have had.

    An id with a mark of its tool's content is nobody else's.
    """
    other = next((each for each in tools if _may_have_had(tool.tool_id, tool, each)), None)
    if other is None:
        return
    whose = f"{other.toolkit!r}, and is not"
    if other.toolkit == tool.toolkit:
        whose = f"{document_origin(other)!r}, and is of another document or server of that name"
    raise ConfigurationError(
        f"{tool.tool_id!r} reads as a tool of {whose}",
        field=name,
        remedy=f"If you mean this one: '{tool.tool_id}@{document_origin(tool)}'.",
    )


def _may_have_had(tool_id: ToolId, tool: Tool, other: Tool) -> bool:
    """Whether the author of `other` may once have had a tool of the id that `tool` has.

    `git.hub.push` is `hub.push` of the server `git`, and reads as `push` of the server `git.hub`.
    A list may call its toolkit as a server or another document is called; what tells its tool
    apart from another of that id, behind an `@`, tells it apart here as well.
    """
    own, others = _start_in(tool_id, tool), _start_in(tool_id, other)
    if own == others:  # titles that begin an id alike, as `My Shop` and `My_Shop` do
        another = (other.toolkit, document_of(other)) != (tool.toolkit, document_of(tool))
        return own > 0 and "@" not in tool_id and another
    place = (document_of(tool), document_origin(tool))
    return others > own and (document_of(other), document_origin(other)) != place


def _start_in(tool_id: ToolId, tool: Tool) -> int:
    """How many characters of an id are the title of the toolkit that `tool` is of; 0: none."""
    title = bare_title(tool.toolkit)
    if tool_id[:1] != title[:1]:
        return 0
    start = mint(title, "_").removesuffix("_")
    return len(start) if tool_id.startswith(start) else 0


def _check_one_owner(name: str, mark: str, fit: Sequence[Tool]) -> None:
    """Raise where a pattern fits tools of several servers, or documents: one may not be meant."""
    origins = sorted({document_origin(tool) for tool in fit})
    if len(origins) > 1:
        named = any(_was_pinned(mark, tool) for tool in fit)
        raise ConfigurationError(
            f"{mark!r} matches tools of {len(origins)} origins ({_few(origins)})",
            field=name,
            remedy="Write whole ids." if named else f"Say which: '{mark}@{origins[0]}'.",
        )
    owners = sorted({owner_of(tool) for tool in fit})
    if len(owners) > 1:
        said = [f"{owner.toolkit} of {owner.document or 'no document'}" for owner in owners]
        raise ConfigurationError(
            f"{mark!r} matches tools of {len(owners)} documents ({_few(said)})",
            field=name,
            remedy=f"Write the toolkit out, as in '{owners[0].toolkit}.*', or whole ids.",
        )


def _without(mark: str, origin: str) -> str | None:
    """`mark` less the `@` and origin behind it; None where it names no such origin."""
    return mark.removesuffix(f"@{origin}") if mark.endswith(f"@{origin}") else None


def _was_pinned(mark: str, tool: Tool) -> bool:
    """Whether `mark` names the origin of `tool`, its document perhaps as another one had it too."""
    return _without(mark, unnumbered(document_origin(tool))) is not None


def _readings(mark: str, origin: str) -> set[str]:
    """`mark`, and what is left of it where it names `origin`.

    A pattern that names another origin means nothing here: an id may end as it does.
    """
    left = _without(mark, origin)
    if left is None and "*" in mark and "://" in mark.rpartition("@")[2]:
        return set()
    return {mark, left or mark}


def _fits_now(pattern: str, tool: Tool) -> bool:
    """Whether `pattern` fits what `tool`, and its document, are called now."""
    written = _readings(pattern, document_origin(tool))
    return any(_fits(each, tool_id) for each in written for tool_id in (tool.tool_id, titled(tool)))


def _fits(pattern: str, text: str) -> bool:
    """Whether `*` for any characters makes `pattern` the whole of `text`.

    No regular expression: a stranger wrote the text, and a few `*` would try all ways to cut it.
    """
    first, *inner, last = pattern.split("*")
    at, end = len(first), len(text) - len(last)
    for part in inner:
        found = text.find(part, at, max(at, end))
        if found < 0:
            return False
        at = found + len(part)
    return at <= end and text.startswith(first) and text.endswith(last)


def _fits_id(written: str, tool_id: ToolId) -> bool:
    """Whether an id, or a pattern, may mean the tool of that id, whatever tells it apart."""
    if tool_id == written or tool_id.startswith(f"{written}@"):
        return True
    return "*" in written and (_fits(written, tool_id) or _fits(f"{written}@*", tool_id))


def _few(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
