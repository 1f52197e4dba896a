"""Secrets in a table's columns: CSV, TSV, Markdown, as they are or in a text of JSON."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from gretel.text.secrecy.names import Secrecy, secrecy_in_text
from gretel.text.secrecy.values import is_given, is_mixed
from gretel.text.secret_shapes import MASK

_LOGIN = re.compile(r"user|login|e-?mail", re.I)
_CELL = re.compile(r"[\w .#/()-]{1,40}")
_LINES = re.compile(r"(\r?\n|\\r\\n|\\n)")
_RULE = re.compile(r"[\s|:+=-]*")
_QUOTED = re.compile(r"[\"'`]")
_CLOSING = re.compile(r'(?<!\\)"')
"""What begins and ends the text of JSON in which a table stands."""
_CELLS = {
    sign: re.compile(
        rf'(?:^|(?<={re.escape(sign)}))(?:"(?:[^"]|"")*"(?={re.escape(sign)}|$)|[^{sign}]*)'
    )
    for sign in "\t;|,"
}
"""The cells of a row; between quotes a sign parts nothing."""
_QUOTE = " \t\"'`\\"


class _Table(NamedTuple):
    """What a table's head says of its rows."""

    sign: str
    """What parts their cells; '' where there is no table."""
    places: frozenset[int]
    """Which cells are secrets."""
    width: int
    """How many there are."""
    in_json: bool
    """Whether it stands between quotes, its ends of lines escaped."""


_NONE = _Table("", frozenset(), 0, in_json=False)


def tables_masked(text: str) -> str:
    """`text` with what stands in a table's columns of secrets masked.

    A line is a table's head where it has two to forty cells of few words, one the name of a secret;
    its rows are the lines behind it, up to an empty one or to another head.
    """
    if _LINES.search(text) is None or not any(sign in text for sign in _CELLS):
        return text
    return "".join(_masked(_LINES.split(text)))


def _masked(lines: list[str]) -> Iterator[str]:
    """Lines and what stands between them, those of a table without its secrets."""
    table, escaped = _NONE, False
    for number, line in enumerate(lines):
        if number % 2:
            escaped = line.startswith("\\")
            yield line
            continue
        end = _CLOSING.search(line) if table.in_json and escaped else None
        row, behind = (line[: end.start()], line[end.start() :]) if end else (line, "")
        cells = _CELLS[table.sign].findall(row) if table.sign else []
        opened = "".join(lines[number + 1 : number + 2]).startswith("\\")
        head = _head(line, opened) if len(cells) != table.width or not cells else _NONE
        if table.sign and row.strip() and not head.sign and not _RULE.fullmatch(row):
            row = table.sign.join(_row(cells, table))
        elif head.sign or not row.strip():
            table = head
        table = table if not behind or head.sign else _NONE
        yield row + behind


def _head(line: str, in_json: bool) -> _Table:
    """The table of which a line is the head; in a text of JSON, what stands behind its quote."""
    inside = _CLOSING.split(line) if in_json else [line]
    line = inside[-1]
    for sign in filter(line.__contains__, _CELLS):
        first, *others = (cell.strip(_QUOTE) for cell in line.split(sign, 41))
        name = _QUOTED.split(first)[-1]  # behind a name in a record: {'csv': 'user,…
        cells = [name.strip(_QUOTE), *others]
        if 2 <= len(cells) <= 40 and all(not cell or _CELL.fullmatch(cell) for cell in cells):
            places = frozenset(i for i, cell in enumerate(cells) if _secret_column(cell, cells))
            if places:
                return _Table(sign, places, len(cells), in_json=len(inside) > 1)
    return _NONE


def _secret_column(name: str, names: list[str]) -> bool:
    """Whether a column is one of secrets; one of passes is, beside one of logins."""
    logins = name.lower() in ("pass", "pw") and any(map(_LOGIN.search, names))
    return logins or name.lower() == "pin" or secrecy_in_text(name) is Secrecy.SECRET


def _row(cells: list[str], table: _Table) -> Iterator[str]:
    """The cells of a row, without its secrets.

    Where it has more cells than the head, or fewer, those may stand before a secret and move it.
    """
    more = len(cells) - table.width
    moved = range(min(0, more), max(0, more) + 1)
    for place, cell in enumerate(cells):
        bare = cell.strip(_QUOTE)
        sure = place in table.places or (place - more in table.places and len(cells) > 1)
        likely = is_mixed(bare) and any(place - by in table.places for by in moved)
        secret = " " not in bare and is_given(bare) and (sure or likely)
        yield cell.replace(bare, MASK) if secret else cell
