"""Each plain value of an argument, under every name that stands around it.

What a server reads as a text of its own, as a form within a value, is taken apart too.
"""

import re
from collections.abc import Iterator
from urllib.parse import unquote

from gretel.catalog.effects.chosen import UNREAD
from gretel.catalog.effects.paths import DECODED
from gretel.catalog.effects.values.inner_pairs import pairs_within
from gretel.contracts.record import JsonValue
from gretel.text.confusables import skeleton

LONGEST = 20_000
"""Characters of a value that are looked at: no longer one fits into a URL, and what a body holds
behind them nobody has read."""
_NAMES = 8
"""Names around a value that count; no honest object nests deeper."""
_DEEPEST = 6
"""Texts within a value, each in another; what is deeper nobody has read."""


_THERE = "7"
"""What a name says that holds nothing: that it is there, as a switch is (`{"delete": null}`)."""
_EMPTY = {dict: "1", list: _THERE}
"""The same of an empty container; an object says how something is done (`{"reboot": {}}`)."""


def named_values(name: str, value: JsonValue) -> Iterator[tuple[str, str]]:
    """Each plain value in `value`, under every name that stands around it."""
    return _named(name, value, 0, set())


def _named(name: str, value: JsonValue, within: int, apart: set[str]) -> Iterator[tuple[str, str]]:
    """As `named_values`, of a value that stands in a text.

    Args:
        name: what it is called.
        value: what is read.
        within: how many texts it stands in, each of which is a value of the next.
        apart: the texts that were taken apart. Markup is read in three ways, of which most texts
            are the same in all: at six levels each would be read seven hundred times.
    """
    stack = [(_names(name), value)]
    while stack:
        names, each = stack.pop()
        if not each and isinstance(each, dict | list):
            yield from ((around, _EMPTY[type(each)]) for around in names)
        elif isinstance(each, dict):
            stack += [
                ((*names, *_names(key))[-_NAMES:], _THERE if item is None else item)
                for key, item in each.items()
            ]
        elif isinstance(each, list):
            stack += [(names, item) for item in each]
        elif isinstance(each, str):
            text = _decoded(each)
            yield from ((around, text) for around in names)
            yield from _inner(text, within, apart)
        elif each is not None:
            text = _plain(each)
            yield from ((around, text) for around in names)


def _inner(text: str, within: int, apart: set[str]) -> Iterator[tuple[str, str]]:
    """The pairs of a form, of JSON or of markup that a text is: `action=delete&id=7`."""
    if text in apart:
        return
    apart.add(text)
    for name, value in pairs_within(text):
        if within == _DEEPEST:
            yield UNREAD, ""
            return
        yield from _named(name, value, within + 1, apart)


def _names(name: str) -> tuple[str, ...]:
    """The names in `x[_method][0]`, inside out."""
    seen = skeleton(_decoded(name))
    parts = [*filter(None, re.split(r"[\[\].]+", seen))] if "[" in seen else []
    return (seen, *parts[:1], *parts[1:][-_NAMES:])


def _decoded(text: str) -> str:
    """The beginning of a text, as it reads once percent-encoding is gone."""
    text = text[:LONGEST]
    for _ in range(DECODED if "%" in text else 0):
        text = unquote(text)
    return text


def _plain(value: bool | int | float) -> str:
    """A switch or a number as text; only whether it is zero, for it may have any length."""
    return ("true" if value else "false") if isinstance(value, bool) else str(int(value != 0))
