"""What each tool said when its catalogue was indexed: a document may be changed afterwards.

A tool that was looked at, and marked safe, may describe itself otherwise later ("rug pull"). So the
content hash of every tool is pinned when it is indexed, candidates carry it, and a tool whose
content is another by then is not called. A pin is one of content: it follows a tool that gets
another id because a document of its title came or went. Pins are renewed by what the user does on
purpose alone: all of them by `gretel index`, those of single tools by `Selector.add`. What came
after the first or the latest indexing is known as such (`flood.py`).
"""

import json
from collections.abc import Iterable, Sequence, Set
from pathlib import Path
from typing import Any, Self, TypeAlias

from gretel.catalog.digest import tool_digest
from gretel.catalog.identity import unmarked
from gretel.catalog.titles import ending_of, endings_in, once, title_in
from gretel.contracts.errors import ConfigurationError, IndexCorrupt
from gretel.contracts.tool import Tool, ToolId
from gretel.files import read_json, write_whole

FILE = "pins.json"
_SHARING = 8
"""Pins of one id that are held against a tool: more tools do not share one by chance."""

_Name: TypeAlias = tuple[str, str]
"""What an id has beside the marks that tell it from others: a title, or '', and what follows."""


class Pins:
    """Content hashes by tool_id, and the tools that came after the first ones were pinned.

    Where their folder cannot be written, a change raises ConfigurationError.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """Keep pins in memory, and in `folder` where one is given."""
        self._file = None if folder is None else folder / FILE
        self._digests: dict[ToolId, str] = {}
        self._new: set[ToolId] = set()
        """What was not there when everything was pinned."""
        self._changed: set[ToolId] = set()
        """What says something else in the catalogue at hand; no other catalogue's business."""

    @classmethod
    def read(cls, folder: Path | None) -> Self:
        """The pins of a folder, none where it has none.

        Raises:
            IndexCorrupt: the folder's file is none of ours.
        """
        pins = cls(folder)
        if pins._file is None:
            return pins
        try:
            content: dict[str, Any] = read_json(pins._file)
            pins._digests = {ToolId(name): str(said) for name, said in content["tools"].items()}
            pins._new = set(map(ToolId, map(str, content["new"])))
        except FileNotFoundError:
            return pins
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise IndexCorrupt(
                f"The pins {pins._file} cannot be read ({error}). Run `gretel index` again."
            ) from error
        return pins

    def renew(self, tools: Iterable[Tool]) -> None:
        """Pin exactly `tools`, as they are now."""
        self._digests = {tool.tool_id: tool_digest(tool) for tool in tools}
        self._new, self._changed = set(), set()
        self._write()

    def add(self, tools: Iterable[Tool], *, replace: bool = False) -> None:
        """Pin those of `tools` that are new, and with `replace` the others anew.

        The first ever pinned are what the user began with; what is new after that, or says
        something else, is `later` until `renew`. Without `replace`, `tools` are all there are.
        """
        tools = list(tools)
        said = {tool.tool_id: tool_digest(tool) for tool in tools}
        moved = not replace and self._move(tools, said.keys())
        new = said.keys() - self._digests.keys()
        changed = {name for name in said.keys() - new if said[name] != self._digests[name]}
        if self._digests:
            self._new |= new
        self._changed = self._changed - said.keys() | (set() if replace else changed)
        pinned = new | (changed if replace else set())
        self._digests |= {name: said[name] for name in pinned}
        if pinned or moved:
            self._write()

    def _move(self, tools: Sequence[Tool], here: Set[ToolId]) -> bool:
        """Let the pins of tools whose toolkit, or id, has another mark by now go with them.

        Another document took their title or id, or left it: they say the same of themselves.
        `here`: the ids of the whole catalogue.
        """
        gone = self._gone(here, [tool for tool in tools if tool.tool_id not in self._digests])
        moved = False
        for tool in tools if gone else ():
            if tool.tool_id in self._digests:
                continue
            plain, titles = _names(tool)
            marked, titled = gone.get(plain, [])[:_SHARING], gone.get(titles, [])[:_SHARING]
            pairs = [(old, tool.model_copy(update={"tool_id": old})) for old in marked]
            for old, before in (*pairs, *((old, once(tool, old)) for old in titled)):
                if before is not None and self._digests.get(old) == tool_digest(before):
                    del self._digests[old]
                    self._digests[tool.tool_id] = tool_digest(tool)
                    if old in self._new:
                        self._new = self._new - {old} | {tool.tool_id}
                    moved = True
                    break
        return moved

    def _gone(self, here: Set[ToolId], new: Sequence[Tool]) -> dict[_Name, list[ToolId]]:
        """The pins of ids that are not `here`, under what a tool that is `new` may have of them."""
        gone: dict[_Name, list[ToolId]] = {name: [] for tool in new for name in _names(tool)}
        for tool_id in self._digests.keys() - here if gone else ():
            title = title_in(tool_id)
            names = [("", unmarked(tool_id)), *((title, end) for end in endings_in(tool_id))]
            for name in names:
                if name in gone:  # an id has many endings, and nobody else needs them
                    gone[name].append(tool_id)
        return gone

    def remove(self, ids: Iterable[ToolId]) -> None:
        """Forget these tools; unknown ids are ignored."""
        gone = [tool_id for tool_id in ids if self._digests.pop(tool_id, None)]
        self._new.difference_update(gone)
        self._changed.difference_update(gone)
        if gone:
            self._write()

    def digest(self, tool_id: ToolId) -> str | None:
        """The tool's content hash when it was pinned; None for one that never was."""
        return self._digests.get(tool_id)

    @property
    def later(self) -> frozenset[ToolId]:
        """The tools that were not there, or said something else, when the catalogue was pinned."""
        return frozenset(self._new | self._changed)

    def _write(self) -> None:
        if self._file is None:
            return
        content = {"new": sorted(self._new), "tools": dict(sorted(self._digests.items()))}
        try:
            write_whole(self._file, json.dumps(content, indent=0))
        except OSError as error:
            raise ConfigurationError(
                f"{self._file} cannot be written ({error.strerror})",
                field="index",
                remedy="Name a folder that can be written.",
            ) from error


def _names(tool: Tool) -> tuple[_Name, _Name]:
    """What `tool` may share with what it was called before: its id, or its title and ending."""
    return ("", unmarked(tool.tool_id)), (title_in(tool.tool_id), ending_of(tool))
