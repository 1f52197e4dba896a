"""Tools that a request names outright."""

import re
from collections.abc import Sequence

from gretel.contracts.tool import Tool

_WORD = re.compile(r"\w+")
_IDENTIFIER = re.compile(r"\w_\w|[a-z][A-Z]|\w[./:]+\w")
_LONGEST = 12
"""Words of the longest name that is looked for."""


class NameIndex:
    """Finds `tool_id`s, documents' own ids and operation names that stand verbatim in a request.

    Case does not matter. Other names than a `tool_id` count only where they look like an
    identifier (`search_flights`, `getUser`): "search" in a sentence is a verb, not a name.
    """

    def __init__(self, tools: Sequence[Tool]) -> None:
        self._rows: dict[str, set[int]] = {}
        for row, tool in enumerate(tools):
            names = {tool.operation, tool.external_id or ""}
            telling = {name for name in names if _IDENTIFIER.search(name)}
            for name in telling | {tool.tool_id}:
                self._rows.setdefault(_key(name), set()).add(row)
        self._rows.pop("", None)
        self._starts = {_WORD.findall(key)[0] for key in self._rows}

    def rows(self, text: str) -> frozenset[int]:
        """Places of the tools that `text` names."""
        folded = text.casefold()
        spans = [match.span() for match in _WORD.finditer(folded)]
        found: set[int] = set()
        for first, (start, stop) in enumerate(spans):
            if folded[start:stop] not in self._starts:
                continue
            for _, end in spans[first : first + _LONGEST]:
                found |= self._rows.get(folded[start:end], frozenset())
        return frozenset(found)


def _key(name: str) -> str:
    """The name from its first to its last word, as `rows` cuts the request."""
    folded = name.casefold()
    spans = [match.span() for match in _WORD.finditer(folded)]
    return folded[spans[0][0] : spans[-1][1]] if spans else ""
