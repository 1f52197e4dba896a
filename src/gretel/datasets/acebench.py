"""ACEBench (Chen et al., 2025): conversations, each with its own tools, and the right calls.

The tools of all rows make one catalogue. Judged are the `normal` requests and the `incomplete`
ones, whose right tool is known and whose right answer is to ask back. Left out: irrelevant
requests (the tool that they lack is another row's), wrong values and agent tasks.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from gretel.catalog import Catalog, Skipped
from gretel.catalog.document import as_object, as_text
from gretel.contracts.record import JsonObject
from gretel.datasets.acebench_rows import AceRow, read_ace_rows
from gretel.datasets.acebench_turns import read_conversation
from gretel.datasets.judged import Dataset, GoldCall, JudgedRequest
from gretel.datasets.reading import Line, catalog_of, files_digest

FILES = ("normal.jsonl", "special_and_agent.jsonl")


def read_acebench(folder: Path) -> Dataset:
    """All judged requests, over the tools of all rows.

    Raises:
        CatalogError: a file cannot be read.
    """
    files = [folder / name for name in FILES]
    rows = [row for file in files for row in read_ace_rows(file)]
    keys = _external_ids(rows)
    catalog = catalog_of(_corpus(rows, keys))
    problems = list(catalog.skipped)
    requests = tuple(_requests(rows, keys, catalog, problems))
    digest = files_digest(files, "test")
    return Dataset(folder.resolve().name, catalog, requests, digest, tuple(problems))


def _external_ids(rows: Iterable[AceRow]) -> dict[str, str]:
    """An id for each specification, by its JSON: its name, or `name#2` for a second one."""
    ids: dict[str, str] = {}
    count: Counter[str] = Counter()
    for row in rows:
        for spec in row.specs:
            key = _key(spec)
            if key not in ids:
                name = as_text(spec.get("name"))
                count[name] += 1
                ids[key] = name if count[name] == 1 else f"{name}#{count[name]}"
    return ids


def _key(spec: JsonObject) -> str:
    return json.dumps(spec, sort_keys=True)


def _corpus(rows: Iterable[AceRow], ids: Mapping[str, str]) -> Iterator[Line]:
    for row in rows:
        for spec in row.specs:
            function: JsonObject = {
                "name": spec.get("name"),
                "description": spec.get("description"),
                "parameters": spec.get("parameters") or spec.get("arguments") or {"type": "object"},
                "returnParameter": as_object(spec.get("results")).get("properties"),
            }
            yield Line(row.place, {"_id": ids[_key(spec)], "function": function})


def _requests(
    rows: Iterable[AceRow], ids: Mapping[str, str], catalog: Catalog, problems: list[Skipped]
) -> Iterator[JudgedRequest]:
    for row in rows:
        if not row.is_judged:
            continue
        calls = tuple(_calls(row, ids, catalog, problems))
        if not calls:
            problems.append(Skipped(row.place, "no right tool", "The request is left out"))
            continue
        said = read_conversation(row.content)
        yield JudgedRequest(
            request_id=row.row_id,
            text=said.text,
            gold=frozenset(call.tool_id for call in calls),
            messages=said.messages,
            gold_calls=() if row.is_incomplete else calls,
            incomplete=row.is_incomplete,
            context=said.context,
            today=said.today,
        )


def _calls(
    row: AceRow, ids: Mapping[str, str], catalog: Catalog, problems: list[Skipped]
) -> Iterator[GoldCall]:
    specs = {as_text(spec.get("name")): spec for spec in row.specs}
    for call in row.calls:
        tool = call.name and catalog.by_external_id(ids[_key(specs[call.name])])
        if tool:
            yield GoldCall(tool.tool_id, call.arguments)
        else:
            reason = f"its right tool {call.written} is not among its tools"
            problems.append(Skipped(row.place, reason, "The call is left out"))
