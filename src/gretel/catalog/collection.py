"""`Catalog`: the tools to choose from, by id."""

from collections.abc import Iterable, Iterator
from threading import Lock
from typing import Any, Generic, NamedTuple, Self, TypeVar

from gretel.catalog.digest import combined_digest, tool_digest
from gretel.catalog.identity import apart, tell_apart
from gretel.catalog.ownership import owner_of, told_apart
from gretel.catalog.report import Loaded, Note, Skipped, Titled
from gretel.catalog.sources import FromSources
from gretel.catalog.titles import apply_toolkits, distinct_toolkits, renumbered
from gretel.catalog.vocabulary import Vocabulary
from gretel.contracts.errors import DuplicateToolError, UnknownToolError
from gretel.contracts.tool import HttpBinding, Tool, ToolId

_T = TypeVar("_T")

_INDEXING = Lock()
"""Trials ask at once; the first one indexes for all."""


class _Made(NamedTuple, Generic[_T]):
    """What was read off the tools that there were."""

    of: dict[ToolId, Tool]
    found: _T


class Catalog(FromSources):
    """A set of tools with unique ids, and a list of what could not be loaded.

    Iteration gives the tools in tool_id order, so that nothing downstream depends on file order.
    """

    def __init__(
        self,
        tools: Iterable[Tool] = (),
        *,
        skipped: Iterable[Skipped] = (),
        notes: Iterable[Note] = (),
    ) -> None:
        """Hold `tools`.

        Raises:
            DuplicateToolError: two different tools share a tool_id.
        """
        self._tools: dict[ToolId, Tool] = {}
        """Never changed, but replaced by another: runs in other threads read it meanwhile."""
        self._ordered: _Made[tuple[Tool, ...]] | None = None
        self._external: _Made[dict[str, list[Tool]]] | None = None
        self._vocabulary: _Made[Vocabulary] | None = None
        self.skipped: tuple[Skipped, ...] = tuple(skipped)
        """Operations and rows that could not be loaded, with the reason."""
        self.notes: tuple[Note, ...] = tuple(notes)
        """What was loaded with a change: renamed ids, dropped copies, cut schemas."""
        self.live: dict[ToolId, Any] = {}
        """Callables without an importable name; they are in no record or state."""
        self.base_urls: frozenset[str] = frozenset()
        """Servers that you named for single sources, for use as `Policy.base_urls`."""
        self.moved: set[ToolId] = set()
        """The tools of these sources, which are called there; a policy opens it to them alone."""
        self._documents: tuple[Titled, ...] = ()
        self.add(tools)

    @classmethod
    def from_tools(cls, tools: Iterable[Tool]) -> Self:
        """A catalogue of `Tool` records.

        Raises:
            DuplicateToolError: two different tools share a tool_id.
        """
        return cls(tools)

    @classmethod
    def from_loaded(cls, loaded: Loaded) -> Self:
        """A catalogue of what a loader gives back.

        Documents of one title are told apart, and then tools that share an id.
        """
        documents = distinct_toolkits(loaded.documents)
        tools, notes = apply_toolkits(loaded.tools, documents)
        distinct = tell_apart(Loaded(tools, loaded.skipped, [*loaded.notes, *notes]))
        catalog = cls(distinct.tools, skipped=distinct.skipped, notes=distinct.notes)
        catalog._documents = tuple(dict.fromkeys(documents.values()))
        catalog.base_urls = frozenset(loaded.base_urls)
        if loaded.base_urls:
            called = (tool for tool in catalog if isinstance(tool.binding, HttpBinding))
            catalog.moved = {tool.tool_id for tool in called}
        return catalog

    def __getitem__(self, tool_id: str) -> Tool:
        try:
            return self._tools[ToolId(tool_id)]
        except KeyError:
            raise UnknownToolError(
                "the catalogue has no such tool",
                field=tool_id,
                remedy="Iterate over the catalogue to see its ids",
            ) from None

    def __contains__(self, tool_id: object) -> bool:
        return tool_id in self._tools

    def __len__(self) -> int:
        return len(self._tools)

    def __iter__(self) -> Iterator[Tool]:
        tools = self._tools
        if self._ordered is None or self._ordered.of is not tools:
            self._ordered = _Made(tools, tuple(tools[tool_id] for tool_id in sorted(tools)))
        return iter(self._ordered.found)

    def __add__(self, other: "Catalog") -> "Catalog":
        """Both catalogues in one; documents with one title get a toolkit each.

        Different tools with one id get new ids, and the old one then belongs to neither.

        Raises:
            DuplicateToolError: two functions without a name share a tool_id.
        """
        documents = distinct_toolkits((*self._documents, *other._documents))
        mine, notes = apply_toolkits(self, {each: documents[each] for each in self._documents})
        theirs, more = apply_toolkits(other, {each: documents[each] for each in other._documents})
        together, changed = apart([*mine, *theirs])
        mine, theirs = together[: len(mine)], together[len(mine) :]
        merged = Catalog(
            mine,
            skipped=self.skipped + other.skipped,
            notes=(*self.notes, *other.notes, *notes, *more, *changed),
        )
        merged._keep_places(self, mine)
        merged._documents = tuple(documents[each] for each in self._documents)
        arrived = Catalog(theirs)
        arrived._keep_places(other, theirs)
        arrived._documents = tuple(documents[each] for each in other._documents)
        merged.add(arrived)
        merged.base_urls = self.base_urls | other.base_urls
        return merged

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_vocabulary": None}  # made again when it is asked for

    def __repr__(self) -> str:
        return f"Catalog({len(self)} tools, {len(self.skipped)} skipped)"

    def add(self, tools: Iterable[Tool], *, replace: bool = False) -> Self:
        """Add `tools`, all or none; a tool that is already here, unchanged, is ignored.

        Documents of another catalogue stay apart from those that are here, whatever their names.
        With `replace`, a tool takes the place of a different one with its id.

        Raises:
            DuplicateToolError: a different tool has that id, and `replace` is False.
        """
        incoming: dict[ToolId, Tool] = {}
        live = tools.live if isinstance(tools, Catalog) else {}
        apart = isinstance(tools, Catalog) and not replace
        taken = {owner_of(tool) for tool in self} if apart else set()
        arriving = told_apart(tools, taken)
        for tool in arriving:
            known = incoming.get(tool.tool_id) or self._tools.get(tool.tool_id)
            if known is None or replace:
                incoming[tool.tool_id] = tool
                continue
            held = self.live.get(tool.tool_id)
            other = held is not None and live.get(tool.tool_id, held) is not held
            if other or tool_digest(known) != tool_digest(tool):
                places = f"{known.source} and {tool.source}"
                raise _two_with_one_id(tool.tool_id, f"two different tools have this id ({places})")
            if held is None and tool.tool_id in live:  # a list had copied the user's own function
                incoming[tool.tool_id] = tool
        self._tools = {**self._tools, **incoming}
        self._forget(incoming)
        self.live.update({tool_id: live[tool_id] for tool_id in incoming if tool_id in live})
        if isinstance(tools, Catalog):
            self.base_urls |= tools.base_urls
            self.moved |= tools.moved & incoming.keys()
            documents = (*self._documents, *renumbered(tools._documents, tools, arriving))
            self._documents = tuple(dict.fromkeys(documents))
        return self

    def remove(self, ids: Iterable[str]) -> Self:
        """Remove these tools, or this one; unknown ids are ignored.

        Returns:
            this catalogue.
        """
        gone = {ToolId(tool_id) for tool_id in ([ids] if isinstance(ids, str) else ids)}
        self._tools = {name: tool for name, tool in self._tools.items() if name not in gone}
        self._forget(gone)
        return self

    def _forget(self, ids: Iterable[ToolId]) -> None:
        for tool_id in ids:
            self.live.pop(tool_id, None)
            self.moved.discard(tool_id)

    def _keep_places(self, before: "Catalog", renamed: Iterable[Tool]) -> None:
        """`live` and `moved` as `before` has them, whose tools are `renamed` in the same order."""
        for old, new in zip(before, renamed, strict=True):
            if old.tool_id in before.live:
                self.live[new.tool_id] = before.live[old.tool_id]
            if old.tool_id in before.moved:
                self.moved.add(new.tool_id)

    @property
    def digest(self) -> str:
        """SHA-256 (hex) of the tools' contents, whatever their order; new after each change."""
        return combined_digest(map(tool_digest, self._tools.values()))

    def digest_of(self, tool_id: str) -> str | None:
        """SHA-256 (hex) of the tool's content now; None for an unknown tool."""
        tool = self._tools.get(ToolId(tool_id))
        return None if tool is None else tool_digest(tool)

    @property
    def vocabulary(self) -> Vocabulary:
        """The words of the tools; indexed when first asked for, and after each change."""
        with _INDEXING:
            tools = self._tools
            if self._vocabulary is None or self._vocabulary.of is not tools:
                self._vocabulary = _Made(tools, Vocabulary(self))
            return self._vocabulary.found

    def by_external_id(self, external_id: str) -> Tool | None:
        """The tool that its document calls `external_id`; None for no such tool, or several."""
        tools = self._tools
        if self._external is None or self._external.of is not tools:
            named: dict[str, list[Tool]] = {}
            for tool in tools.values():
                if tool.external_id is not None:
                    named.setdefault(tool.external_id, []).append(tool)
            self._external = _Made(tools, named)
        found = self._external.found.get(external_id, [])
        return found[0] if len(found) == 1 else None


def _two_with_one_id(tool_id: str, why: str) -> DuplicateToolError:
    remedy = "Load one of them under another toolkit name, or pass replace=True"
    return DuplicateToolError(why, field=tool_id, remedy=remedy)
