"""YAML with the types of YAML 1.2's core schema: `no` is text, and so is 2024-01-01."""

import re
from typing import Any

import yaml

from gretel.catalog.bounds import DEPTH_LIMIT, NODE_LIMIT
from gretel.contracts.errors import CatalogError

_GUESSED = {f"tag:yaml.org,2002:{name}" for name in ("null", "bool", "int", "float")}
_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_TRUE = frozenset({"true", "True", "TRUE"})
_FALSE = frozenset({"false", "False", "FALSE"})
_INT = re.compile(r"[-+]?[0-9]{1,4000}|0o[0-7]{1,4000}|0x[0-9a-fA-F]{1,4000}")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")

_DIRECTIVE = re.compile("(?:^|[\n\r\x85\u2028\u2029])%[^\n\r\x85\u2028\u2029]*")
_DIRECTIVES = 100
"""Lines that may begin as directives do: the C parser compares each one with all before it."""
_DIRECTIVE_LENGTH = 500
"""Characters of such a line: the C parser writes its prefix out before each tag that names it."""

_Parser: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the C parser, where it was built


def parse_yaml(text: str, *, place: str) -> Any:
    """The first document of `text`; an alias gives the very object that its anchor gave.

    Merge keys (`<<`) are followed; of equal keys the last wins. Tags beyond text, numbers,
    booleans, null, sequences and mappings are read as what their node looks like.

    Raises:
        CatalogError: it is not YAML, holds a value that contains itself, is nested too deep, has
            more than `NODE_LIMIT` values, those that merge keys bring included, or more than
            `_DIRECTIVES` directives, or a long one.
    """
    lengths = [found.end() - found.start() for found in _DIRECTIVE.finditer(text)]
    if len(lengths) > _DIRECTIVES or max(lengths, default=0) > _DIRECTIVE_LENGTH:
        message = f"has more than {_DIRECTIVES} directives, or a long one"
        raise CatalogError(message, field=place, remedy="Leave out the lines that begin with %")
    try:
        parser = _Parser(text)
        try:
            return _Builder(place).build(parser)
        finally:
            parser.dispose()
    except yaml.YAMLError as error:
        raise _not_yaml(error, place) from error


class _Open:
    """A sequence or mapping that is still being read."""

    def __init__(self, anchor: str | None, *, mapping: bool, left: int) -> None:
        self.anchor = anchor
        self.left = left
        """What was left to spend when it began."""
        self.mapping = mapping
        self.items: list[Any] = []
        """A sequence's items, or a mapping's keys and values in turn."""
        self.merge_keys: set[int] = set()
        """Places in `items` that hold a merge key."""

    def merged(self) -> int:
        """How many entries its merge keys bring in, those that are overruled included."""
        sources = (self.items[place + 1] for place in self.merge_keys)
        return sum(_entries(source) for source in sources)

    def value(self) -> Any:
        if not self.mapping:
            return self.items
        merged: dict[str, Any] = {}
        own: dict[str, Any] = {}
        for place in range(0, len(self.items) - 1, 2):
            key, value = self.items[place], self.items[place + 1]
            if place in self.merge_keys:
                _merge(merged, value)
            else:
                own[key] = value
        return {**merged, **own} if merged else own


class _Builder:
    """Events → Python values, without recursion: PyYAML's own composer overflows the stack."""

    def __init__(self, place: str) -> None:
        self._place = place
        self._anchored: dict[str, tuple[Any, int]] = {}
        """Values with what they cost, aliases within expanded."""
        self._stack: list[_Open] = []
        self._result: Any = None
        self._left = NODE_LIMIT

    def build(self, parser: Any) -> Any:
        while parser.check_event():
            event = parser.get_event()
            self._spend(1)
            if isinstance(event, yaml.ScalarEvent):
                self._scalar(event)
            elif isinstance(event, yaml.CollectionStartEvent):
                self._start(event)
            elif isinstance(event, yaml.CollectionEndEvent):
                finished = self._stack.pop()
                self._spend(finished.merged())
                self._put(finished.value(), finished.anchor, finished.left - self._left)
            elif isinstance(event, yaml.AliasEvent):
                self._put(self._alias(event.anchor), None)
            elif isinstance(event, yaml.DocumentEndEvent):
                break
        return self._result

    def _spend(self, count: int) -> None:
        self._left -= count
        if self._left < 0:
            message = f"holds more than {NODE_LIMIT:,} values, aliases and merge keys expanded"
            raise self._error(message, "Split the document, or write it without nested aliases")

    def _start(self, event: Any) -> None:
        if len(self._stack) >= DEPTH_LIMIT:
            raise self._error(f"is nested deeper than {DEPTH_LIMIT} levels", "Flatten it")
        self._anchored.pop(event.anchor, None)
        mapping = isinstance(event, yaml.MappingStartEvent)
        self._stack.append(_Open(event.anchor, mapping=mapping, left=self._left))

    def _scalar(self, event: Any) -> None:
        top = self._stack[-1] if self._stack else None
        if top is None or not top.mapping or len(top.items) % 2:
            self._put(_scalar(event), event.anchor)
            return
        if event.value == "<<" and not event.style:
            top.merge_keys.add(len(top.items))
        self._put(event.value, event.anchor)

    def _put(self, value: Any, anchor: str | None, cost: int = 1) -> None:
        if anchor is not None:
            self._anchored[anchor] = (value, cost)
        if not self._stack:
            self._result = value
            return
        top = self._stack[-1]
        is_key = top.mapping and len(top.items) % 2 == 0
        if is_key and not isinstance(value, str):
            raise self._error("a mapping has a key that is not text", "Write the key as text")
        top.items.append(value)

    def _alias(self, anchor: str | None) -> Any:
        if anchor is not None and anchor in self._anchored:
            value, cost = self._anchored[anchor]
            self._spend(1 if self._merging() else cost)
            return value
        known = any(collection.anchor == anchor for collection in self._stack)
        reason = "contains itself" if known else "was never anchored"
        raise self._error(f"the value *{anchor} {reason}", "Write it without the alias")

    def _merging(self) -> bool:
        """Whether what comes is merged into a mapping: its entries count when that is finished."""
        above = (
            self._stack[-2:] if self._stack and not self._stack[-1].mapping else self._stack[-1:]
        )
        holder = above[0] if above else None
        return holder is not None and len(holder.items) - 1 in holder.merge_keys

    def _error(self, message: str, remedy: str) -> CatalogError:
        return CatalogError(message, field=self._place, remedy=remedy)


def _entries(source: Any) -> int:
    mappings = source if isinstance(source, list) else [source]
    return sum(1 + len(each) for each in mappings if isinstance(each, dict))


def _merge(into: dict[str, Any], source: Any) -> None:
    for mapping in source if isinstance(source, list) else [source]:
        if isinstance(mapping, dict):
            for key, value in mapping.items():
                into.setdefault(key, value)


def _scalar(event: Any) -> Any:
    """Quoted, or tagged as anything but a core type, it is text; else what the schema says."""
    text: str = event.value
    if (event.tag or event.style) and event.tag not in _GUESSED:
        return text
    if text in _NULL:
        return None
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    if _INT.fullmatch(text):
        return int(text, {"0o": 8, "0x": 16}.get(text[:2], 10))
    return float(text) if _FLOAT.fullmatch(text) else text


def _not_yaml(error: yaml.YAMLError, place: str) -> CatalogError:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "unreadable"
    where = f", line {mark.line + 1} column {mark.column + 1}" if mark else ""
    remedy = "Correct the syntax"
    return CatalogError(f"is not YAML ({problem}{where})", field=place, remedy=remedy)
