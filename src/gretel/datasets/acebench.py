"""ACEBench (Chen et al., 2025): conversations, each with its own tools, and the right calls.

The tools of all rows make one catalogue. Judged are the `normal` requests and the `incomplete`
ones, whose right tool is known and whose right answer is to ask back. Left out: irrelevant
requests (the tool that they lack is another row's), wrong values and agent tasks.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from gretel.catalog import Catalog, Skipped
from gretel.catalog.document import as_list, as_object, as_text
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import ToolId
from gretel.datasets.acebench_turns import read_conversation
from gretel.datasets.corpora import catalog_of
from gretel.datasets.judged import Dataset, GoldCall, JudgedRequest
from gretel.datasets.reading import Line, files_digest, read_lines

FILES = ("normal.jsonl", "special_and_agent.jsonl")
_NUMBERED = re.compile(r"_\d+$")
"""A tool that is called twice comes as `name_1` and `name_2`."""

_TYPES = {"dict": "object", "list": "array", "tuple": "array", "float": "number"}


def read_acebench(folder: Path) -> Dataset:
    """All judged requests, over the tools of all rows.

    Raises:
        CatalogError: a file cannot be read.
    """
    files = [folder / name for name in FILES]
    rows = [row for file in files for row in read_lines(file)]
    keys = _external_ids(rows)
    catalog = catalog_of(_corpus(rows, keys))
    problems = list(catalog.skipped)
    requests = tuple(_requests(rows, keys, catalog, problems))
    digest = files_digest(files, "test")
    return Dataset(folder.resolve().name, catalog, requests, digest, tuple(problems))


def _external_ids(rows: Iterable[Line]) -> dict[str, str]:
    """An id for each specification, by its JSON: its name, or `name#2` for a second one."""
    ids: dict[str, str] = {}
    count: Counter[str] = Counter()
    for row in rows:
        for spec in _specs(row.content):
            key = _key(spec)
            if key not in ids:
                name = as_text(spec.get("name"))
                count[name] += 1
                ids[key] = name if count[name] == 1 else f"{name}#{count[name]}"
    return ids


def _specs(row: JsonObject) -> list[JsonObject]:
    return [as_object(spec) for spec in as_list(row.get("tools"))]


def _key(spec: JsonObject) -> str:
    return json.dumps(spec, sort_keys=True)


def _corpus(rows: Iterable[Line], ids: Mapping[str, str]) -> Iterator[Line]:
    for place, row in rows:
        for spec in _specs(row):
            schema = spec.get("parameters") or spec.get("arguments") or {"type": "object"}
            function: JsonObject = {
                "name": spec.get("name"),
                "description": spec.get("description"),
                "parameters": _schema(schema),
                "returnParameter": as_object(spec.get("results")).get("properties"),
            }
            yield Line(place, {"_id": ids[_key(spec)], "function": function})


def _schema(value: JsonValue) -> JsonValue:
    """A schema in JSON Schema's own type names."""
    if isinstance(value, list):
        return [_schema(item) for item in value]
    if not isinstance(value, dict):
        return value
    result = {key: _schema(item) for key, item in value.items()}
    kind = result.get("type")
    if isinstance(kind, str):
        result["type"] = _TYPES.get(kind, kind)
    return result


def _requests(
    rows: Iterable[Line], ids: Mapping[str, str], catalog: Catalog, problems: list[Skipped]
) -> Iterator[JudgedRequest]:
    for place, row in rows:
        subset = as_text(row.get("subset"))
        incomplete = subset == "special_incomplete"
        if not incomplete and not subset.startswith("normal"):
            continue
        tools: dict[str, ToolId] = {}
        for spec in _specs(row):
            if tool := catalog.by_external_id(ids[_key(spec)]):
                tools[as_text(spec.get("name"))] = tool.tool_id
        calls = tuple(_calls(row, tools, place, problems))
        if not calls:
            problems.append(Skipped(place, "no right tool", "The request is left out"))
            continue
        yield _request(row, calls, incomplete=incomplete)


def _calls(
    row: JsonObject, tools: Mapping[str, ToolId], place: str, problems: list[Skipped]
) -> Iterator[GoldCall]:
    truth = row.get("ground_truth")
    for call in map(as_object, as_list(truth) or [truth]):
        for name, arguments in call.items():
            base = name if name in tools else _NUMBERED.sub("", name)
            if base in tools:
                yield GoldCall(tools[base], as_object(arguments))
            else:
                reason = f"its right tool {name} is not among its tools"
                problems.append(Skipped(place, reason, "The call is left out"))


def _request(row: JsonObject, calls: tuple[GoldCall, ...], *, incomplete: bool) -> JudgedRequest:
    said = read_conversation(row)
    return JudgedRequest(
        request_id=as_text(row.get("id")),
        text=said.text,
        gold=frozenset(call.tool_id for call in calls),
        messages=said.messages,
        gold_calls=() if incomplete else calls,
        incomplete=incomplete,
        facts=said.facts,
        today=said.today,
    )
