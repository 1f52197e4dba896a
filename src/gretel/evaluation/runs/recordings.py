"""Recorded calls of data sets, for `sandbox.replay`: API-Bank's and LiveMCPBench's."""

import json
from pathlib import Path
from typing import Literal, NamedTuple

from gretel.catalog import Catalog, Skipped
from gretel.catalog.document import as_object, as_text
from gretel.contracts.errors import InputError
from gretel.datasets.reading import Line, read_lines
from gretel.sandbox.replay import Recording

_ENDS: dict[str, Literal["answered", "error", "timeout"]] = {
    "ok": "answered",
    "tool_error": "error",
    "protocol_error": "error",
    "timeout": "timeout",
}
"""LiveMCPBench's words for how a call ended."""


class Recordings(NamedTuple):
    """What a data set recorded."""

    calls: tuple[Recording, ...]
    """In the order of the file."""
    problems: tuple[Skipped, ...]
    """Calls that were left out, one row each."""


def read_recordings(folder: Path, catalog: Catalog) -> Recordings:
    """The recorded calls in a data set's folder: `calls.jsonl` or `executions.jsonl`.

    Args:
        folder: the data set.
        catalog: its catalogue, as `load_dataset` gives it.

    Raises:
        InputError: the folder holds neither file.
        CatalogError: the file cannot be read.
    """
    for name, read in (("calls.jsonl", _apibank), ("executions.jsonl", _livemcp)):
        if (folder / name).is_file():
            found = [read(line, catalog) for line in read_lines(folder / name)]
            calls = tuple(each for each in found if isinstance(each, Recording))
            problems = tuple(each for each in found if isinstance(each, Skipped))
            return Recordings(calls, problems)
    raise InputError(
        "no recorded calls here",
        field=str(folder),
        remedy="Give a folder with calls.jsonl (API-Bank) or executions.jsonl (LiveMCPBench).",
    )


def _apibank(line: Line, catalog: Catalog) -> Recording | Skipped:
    call = as_object(line.content.get("gold_call"))
    tool = catalog.by_external_id(f"apis/{as_text(call.get('name'))}")
    if tool is None:
        return _unknown(line, as_text(call.get("name")))
    failed = line.content.get("recorded_exception")
    answer = failed if failed is not None else line.content.get("recorded_response")
    return Recording(
        tool_id=tool.tool_id,
        arguments=as_object(call.get("arguments")),
        text=json.dumps(answer),
        end="answered" if failed is None else "error",
    )


def _livemcp(line: Line, catalog: Catalog) -> Recording | Skipped:
    row = line.content
    tool = catalog.by_external_id(as_text(row.get("tool_id")))
    if tool is None:
        return _unknown(line, as_text(row.get("tool_id")))
    end = _ENDS.get(as_text(row.get("status")))
    if end is None or not isinstance(row.get("arguments"), dict):
        remedy = "It cannot be replayed"
        return Skipped(line.place, "its arguments or its end are unreadable", remedy)
    return Recording(
        tool_id=tool.tool_id,
        arguments=as_object(row.get("arguments")),
        text=as_text(row.get("response")),
        end=end,
    )


def _unknown(line: Line, name: str) -> Skipped:
    return Skipped(line.place, f"{name} is not in the catalogue", "The call is left out")
