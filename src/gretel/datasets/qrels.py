"""Judgements: a tab-separated file with a header, read strictly."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from gretel.catalog import Skipped
from gretel.catalog.formats.lines import read_lines
from gretel.contracts.errors import CatalogError, InputError

HEADER = ["query-id", "corpus-id", "score"]


class Qrels(NamedTuple):
    """The right tools of each judged request, under the ids of the data set."""

    gold: Mapping[str, frozenset[str]]
    """In the file's order; empty for a request whose every judgement is 0."""
    repeated: Mapping[str, Mapping[str, int]]
    """By request the right tools that have more than one row, and how many."""
    problems: tuple[Skipped, ...]


class _Row(NamedTuple):
    place: str
    request: str
    tool: str
    score: int


def read_qrels(path: Path) -> Qrels:
    """Read `qrels/NAME.tsv`. A row that comes twice counts once, a score above 1 as 1.

    Raises:
        InputError: no such judgements.
        CatalogError: a row is malformed, or two rows contradict each other.
    """
    scores: dict[str, dict[str, int]] = {}
    repeated: dict[str, dict[str, int]] = {}
    problems: list[Skipped] = []
    for row in _rows(path):
        judged = scores.setdefault(row.request, {})
        if row.tool in judged:
            problems.append(_duplicate(row, judged[row.tool]))
            if row.score > 0:
                counts = repeated.setdefault(row.request, {})
                counts[row.tool] = counts.get(row.tool, 1) + 1
        judged[row.tool] = row.score
        if row.score > 1:
            problems.append(Skipped(row.place, f"a score of {row.score}", "It counts as 1"))
    gold = {
        request: frozenset(tool for tool, score in judged.items() if score > 0)
        for request, judged in scores.items()
    }
    return Qrels(gold, repeated, tuple(problems))


def _duplicate(row: _Row, known: int) -> Skipped:
    if known != row.score:
        message = f"gives {row.tool} both {known} and {row.score} for {row.request}"
        raise CatalogError(message, field=row.place, remedy="Keep one of the two rows")
    return Skipped(row.place, f"{row.request} with {row.tool} occurs twice", "It counts once")


def _rows(path: Path) -> Iterator[_Row]:
    if not path.is_file():
        names = sorted(file.stem for file in path.parent.glob("*.tsv"))
        remedy = f"Give one of: {', '.join(names)}" if names else "Add a file qrels/NAME.tsv"
        raise InputError("no such judgements", field=str(path), remedy=remedy)
    # One by one: a list of empty lines takes sixteen times as much memory.
    lines = ((f"qrels/{place}", line.rstrip("\r\n")) for place, line in read_lines(path))
    place, first = next(lines, (f"qrels/{path.name}:1", ""))
    if first.split("\t") != HEADER:
        remedy = f"Let the first line be the header {' '.join(HEADER)}, tabs between"
        raise CatalogError("is not qrels", field=place, remedy=remedy)
    for place, line in lines:
        yield _row(line.split("\t"), place)


def _row(cells: list[str], place: str) -> _Row:
    try:
        request, tool, score = cells
        return _Row(place, request, tool, int(score))
    except ValueError:
        remedy = "Write request, tool and a whole number, tabs between"
        raise CatalogError("is not a judgement", field=place, remedy=remedy) from None
