"""Prompts that say of themselves whether they need a tool: JSONL of {id, query, needs_tool}."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from gretel.catalog import Skipped
from gretel.catalog.document import as_text
from gretel.contracts.errors import InputError
from gretel.datasets.halves import Half, half_of
from gretel.datasets.judged import JudgedRequest
from gretel.datasets.reading import as_written, read_lines


class Prompt(NamedTuple):
    """One row."""

    place: str
    """`negatives.jsonl:12`."""
    prompt_id: str
    """Its `id`, else its place; its hash decides the half."""
    text: str
    """As it is written; empty where there is none."""
    needs_tool: bool | None
    """None where the row does not say."""
    problem: str
    """What is wrong with the row; empty where nothing is."""


def read_prompts(path: Path) -> Iterator[Prompt]:
    """Every row, doubtful ones included.

    Raises:
        CatalogError: the file cannot be read, or a row is not JSON.
    """
    for place, row in read_lines(path):
        text, needs_tool = row.get("query"), row.get("needs_tool")
        problem = ""
        if "query" not in row:
            problem = "is not a JSON object with query"
        elif not isinstance(text, str) or not text.strip():
            problem = "`query` is not text"
        elif "needs_tool" in row and not isinstance(needs_tool, bool):
            problem = "`needs_tool` is neither true nor false"
        yield Prompt(
            place=place,
            prompt_id=as_text(row.get("id")) or place,
            text=as_written(text),
            needs_tool=needs_tool if isinstance(needs_tool, bool) else None,
            problem=problem,
        )


def load_no_tool(
    path: Path, *, half: Half | None = None, problems: list[Skipped] | None = None
) -> tuple[JudgedRequest, ...]:
    """No-tool requests: the rows of a JSONL file whose `needs_tool` is false.

    With `half`, only those of that one, by their ids (`halves.half_of`). `problems` gets the rows
    that are left out, of either half: nobody can tell what they say.

    Raises:
        CatalogError: the file cannot be read.
        InputError: it has no such row, or none in this half.
    """
    found: list[JudgedRequest] = []
    left_out = [] if problems is None else problems
    for each in read_prompts(path):
        if each.problem or each.needs_tool is None:
            reason = each.problem or "does not say `needs_tool`"
            left_out.append(Skipped(each.place, reason, "It is left out"))
        elif not each.needs_tool and half in (None, half_of(each.prompt_id)):
            found.append(JudgedRequest(each.prompt_id, each.text.strip(), frozenset()))
    if not found:
        remedy = "Give rows with `query` and `needs_tool`"
        raise InputError("no row says that no tool is needed", field=str(path), remedy=remedy)
    return tuple(found)
