"""The only place where a `tool_id` is minted, and where two tools that share one are told apart."""

import hashlib
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from gretel.catalog.digest import combined_digest, tool_digest
from gretel.catalog.ownership import is_closure
from gretel.catalog.report import Loaded, Note
from gretel.contracts.tool import HttpBinding, Tool, ToolId, VirtualBinding
from gretel.text.invisible import visible

NAME_LIMIT = 512
"""Characters of a name that are kept as they are; a longer one ends in its own hash."""
_READ = 8 * NAME_LIMIT
"""Characters of a name that are looked at: to bring marks upon one letter into their order takes
the square of their number."""

_MARK = 8
"""Hexadecimal digits of a tool's hash that stand in an id."""
_MARKS = 8
"""Marks of an id that are looked at; one gets another where its last no longer tells it apart."""
_CONTENT = re.compile(rf"@(?:[0-9a-f]{{{_MARK}}}){{1,2}}$")
"""The end of an id that has a mark of its tool's content."""

_PLACEHOLDER = re.compile(r"\{\+?([^{}]*)\}")
_NOT_WORD = re.compile(r"[^\w.-]+")


def clean_name(name: str) -> str:
    """A name that is safe to print: one line, no control or direction characters, never empty.

    Case and script stay. The same name always gives the same result; a name beyond `NAME_LIMIT`
    keeps its beginning and is told apart by a hash of the whole.
    """
    seen = name[:_READ]
    if seen.isascii() and seen.isprintable():
        text = " ".join(seen.split())
    else:
        spaced = "".join(" " if unicodedata.category(c) == "Cc" else c for c in seen)
        text = " ".join(unicodedata.normalize("NFC", visible(spaced)).split())
    if len(text) > NAME_LIMIT or len(name) > _READ:
        return f"{text[:NAME_LIMIT]}~{_short_hash(name)}"
    return text or f"unnamed~{_short_hash(name)}"


def mint(toolkit: str, operation: str) -> ToolId:
    """The id `toolkit.operation`, without whitespace."""
    return ToolId("_".join(f"{clean_name(toolkit)}.{clean_name(operation)}".split()))


def operation_name(method: str, path: str) -> str:
    """A name for an operation that has none: GET /pets/{id} is `get_pets_by_id`."""
    spoken = _PLACEHOLDER.sub(r"by_\1", path)
    words = [word for word in _NOT_WORD.split(f"{method.lower()}/{spoken}") if word.strip("_")]
    return "_".join(words)


def tell_apart(loaded: Loaded) -> Loaded:
    """Qualify the tools whose minted ids collide, and report each.

    All tools of a colliding group are renamed, so that the result does not depend on their order.
    Qualifiers, tried in turn and added with `@`: the category, then method + path, then the id
    that the document itself declares, then the document; a tool that has none of those that tell
    the others apart gets the beginning of its content hash. Equal tools are kept once, but for
    functions that nothing names: anybody can copy what one says of itself. What all this does not
    tell apart, `apart` does.
    """
    notes = list(loaded.notes)
    tools: list[Tool] = []
    for tool_id, group in _by_id(loaded.tools).items():
        if len(group) == 1:
            tools += group
            continue
        distinct = list({_said(tool): tool for tool in group}.values())
        if len(distinct) < len(group):
            notes.append(Note(tool_id, f"{len(group) - len(distinct)} equal copies were dropped"))
        renamed = _qualify(distinct) if len(distinct) > 1 else distinct
        notes += [
            Note(
                tool.tool_id,
                f"renamed: {len(distinct)} tools are {tool_id}, this one in {old.source}",
            )
            for old, tool in zip(distinct, renamed, strict=True)
            if tool.tool_id != tool_id
        ]
        tools += renamed
    tools, more = apart(tools)
    return Loaded(tools, loaded.skipped, [*notes, *more])


def apart(tools: Sequence[Tool]) -> tuple[list[Tool], list[Note]]:
    """`tools` in their order, different ones that share an id under ids of their own, and notes.

    Each gets a mark of its own content, so that it is the same whatever the order; the id that
    they share is nobody's, also where another claims it later. Whose name is another's marked id
    shares that with it, and then both get a mark that depends on all tools, which no name can hold.
    """
    found = list(tools)
    for length in (_MARK, 2 * _MARK):
        shared = _shared(found)
        whole = combined_digest(map(tool_digest, found)) if shared and length > _MARK else ""
        for at, tool in enumerate(found if shared else ()):
            if tool.tool_id in shared:
                mark = hashlib.sha256(f"{tool_digest(tool)}{whole}".encode()).hexdigest()[:length]
                found[at] = tool.model_copy(update={"tool_id": _with_mark(tool.tool_id, mark)})
    notes = [
        Note(new.tool_id, f"renamed: several tools are {old.tool_id}, this one in {old.source}")
        for old, new in zip(tools, found, strict=True)
        if old.tool_id != new.tool_id
    ]
    return found, notes


def unmarked(tool_id: ToolId) -> ToolId:
    """An id without the marks of its tool's content."""
    return ([*before_marks(tool_id)] or [tool_id])[-1]


def before_marks(tool_id: ToolId) -> Iterator[ToolId]:
    """What an id was before each mark of its tool's content."""
    for _ in range(_MARKS):
        plain = ToolId(_CONTENT.sub("", tool_id))
        if plain == tool_id:
            return
        yield plain
        tool_id = plain


def _shared(tools: Sequence[Tool]) -> set[ToolId]:
    """The ids of which several different tools are, or were before they were told apart."""
    groups = _by_id(tools)
    once = {plain for tool_id in groups for plain in before_marks(tool_id) if plain in groups}
    return {
        tool_id
        for tool_id, group in groups.items()
        if tool_id in once or (len(group) > 1 and len({*map(tool_digest, group)}) > 1)
    }


def _by_id(tools: Sequence[Tool]) -> dict[ToolId, list[Tool]]:
    groups: dict[ToolId, list[Tool]] = defaultdict(list)
    for tool in tools:
        groups[tool.tool_id].append(tool)
    return groups


def _said(tool: Tool) -> tuple[str, str]:
    """What equal tools have in common, and no others."""
    return tool_digest(tool), tool.source if is_closure(tool) else ""


def _qualify(group: list[Tool]) -> list[Tool]:
    """The group under longer ids, with the first qualifiers that tell all of it apart."""
    ids = [tool.tool_id for tool in group]
    for qualifier in _QUALIFIERS:
        marks = [qualifier(tool) for tool in group]
        if len(set(marks)) > 1:
            ids = [_with_mark(tool_id, mark) for tool_id, mark in zip(ids, marks, strict=True)]
        if len(set(ids)) == len(ids):
            ids = [_own_mark(*pair) for pair in zip(ids, group, strict=True)]
            break
    return [
        tool.model_copy(update={"tool_id": tool_id})
        for tool, tool_id in zip(group, ids, strict=True)
    ]


def _own_mark(tool_id: ToolId, tool: Tool) -> ToolId:
    """`tool_id`, which is not the one that several tools share: that one is nobody's."""
    return _with_mark(tool_id, tool_digest(tool)[:_MARK]) if tool_id == tool.tool_id else tool_id


def _with_mark(tool_id: ToolId, mark: str) -> ToolId:
    return ToolId(f"{tool_id}@{'_'.join(clean_name(mark).split())}") if mark else tool_id


def _method_and_path(tool: Tool) -> str:
    if isinstance(tool.binding, HttpBinding):
        return f"{tool.binding.method}:{tool.binding.path}"
    return tool.binding.method if isinstance(tool.binding, VirtualBinding) else ""


_QUALIFIERS: tuple[Callable[[Tool], str], ...] = (
    lambda tool: tool.category,
    _method_and_path,
    lambda tool: tool.external_id or "",
    lambda tool: tool.source.partition("#")[0],
)


def _short_hash(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:12]
