"""From a method and a path to the tool that is meant.

Every tool has a place of its own, `/{tool_id}` and its path below, so that two documents with the
same path do not collide; a path without that is looked up among all tools.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote, unquote

from gretel.contracts.record import JsonValue
from gretel.contracts.tool import HttpBinding, Tool, ToolId
from gretel.evaluation.mock.replies import Reply, json_reply

_PLACE = re.compile(r"\{([^{}]*)\}")


class Match(NamedTuple):
    """A tool and what stood in the places of its path."""

    tool: Tool
    values: Mapping[str, str]
    """Percent-encoded."""


class Owned(NamedTuple):
    """A tool in whose place a path lies."""

    tool: Tool
    rest: str
    """The path below, percent-encoded."""


class Routes:
    """The paths of a catalogue."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        """Serve `tools`; those without a binding have no path."""
        self._tools = {tool.tool_id: tool for tool in tools}
        self._by_shape: dict[_Shape, list[Tool]] = defaultdict(list)
        for tool in self._tools.values():
            if isinstance(tool.binding, HttpBinding):
                self._by_shape[_Shape(tool.binding.method, _path(tool).count("/"))].append(tool)

    def owner(self, path: str) -> Owned | None:
        """The tool in whose place a percent-encoded path lies, if there is one."""
        first, _, rest = path.removeprefix("/").partition("/")
        tool = self._tools.get(ToolId(unquote(first)))
        return Owned(tool, f"/{rest}" if rest else "") if tool is not None else None

    def find(self, method: str, path: str) -> Match | Reply:
        """The tool over HTTP that a request means, or the answer where no single one is meant."""
        owned = self.owner(path)
        if owned is None:
            return self._shared(method, path)
        values = _values(owned.tool, owned.rest)
        if values is None:
            return _nowhere(path)
        binding = owned.tool.binding
        if not isinstance(binding, HttpBinding) or binding.method != method:
            return json_reply(405, {"message": f"Method {method} is not allowed"})
        return Match(owned.tool, values)

    def _shared(self, method: str, path: str) -> Match | Reply:
        """The tool of a path that does not name one; the one with the fewest places wins."""
        found = [
            Match(tool, values)
            for tool in self._by_shape.get(_Shape(method, path.count("/")), ())
            if (values := _values(tool, path)) is not None
        ]
        fewest = min((len(match.values) for match in found), default=0)
        found = [match for match in found if len(match.values) == fewest]
        if len(found) == 1:
            return found[0]
        if not found:
            return _nowhere(path)
        message = "Several tools share this path: put /{tool_id} before it."
        ids: list[JsonValue] = [match.tool.tool_id for match in found]
        return json_reply(300, {"message": message, "tools": ids})


def _nowhere(path: str) -> Reply:
    return json_reply(404, {"message": f"Endpoint '{path}' does not exist"})


class _Shape(NamedTuple):
    method: str
    slashes: int


def _path(tool: Tool) -> str:
    assert isinstance(tool.binding, HttpBinding)
    path = tool.binding.path.partition("#")[0].partition("?")[0]
    return f"/{path.lstrip('/')}"


def _values(tool: Tool, path: str) -> dict[str, str] | None:
    """What stands in the places of the tool's path; None where the path is another."""
    if not isinstance(tool.binding, HttpBinding):
        return {}
    names, literals = _parted(_path(tool))
    values = _between(literals, path or "/")
    return dict(zip(names, values, strict=True)) if values is not None else None


def _between(literals: Sequence[str], path: str) -> list[str] | None:
    """What stands between the `literals` that a path is made of, each as short as may be.

    By plain search: a pattern for `{a}{b}{c}…` takes a power of the path's length.
    """
    first, *others = literals
    if not others:
        return [] if path == first else None
    if not path.startswith(first) or not path.endswith(others[-1]):
        return None
    values, at, stop = [], len(first), len(path) - len(others[-1])
    for literal in others[:-1]:
        end = path.find(literal, at + 1, stop)
        if end < 0:
            return None
        values.append(path[at:end])
        at = end + len(literal)
    values.append(path[at:stop])
    return values if at < stop and not any("/" in value for value in values) else None


@lru_cache(maxsize=65_536)
def _parted(template: str) -> tuple[list[str], list[str]]:
    """The names of a path's places, and what stands around these."""
    literals = _PLACE.split(template)[::2]
    return _PLACE.findall(template), [quote(text, safe="/:@!$&'()*+,;=-._~%") for text in literals]
