"""Labelled calls of public data sets as (request, tool, gold arguments) cases."""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gretel.contracts.ranking import Message, Request
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Parameter, Tool, ToolId
from gretel.datasets.acebench_turns import read_conversation
from gretel.training.planning_cases import ANY, Case

TODAY = "2023-10-01"
"""Where a data set names no date."""


def is_dev(name: str) -> bool:
    """Whether a tool of acebench_en or callnavi belongs to the half that we develop on."""
    return hashlib.sha256(name.encode()).digest()[0] % 2 == 0


_TYPES = {"str": "string", "int": "integer", "float": "number", "bool": "boolean"}
_TYPES |= {"dict": "object", "list": "array", "tuple": "array", "list(str)": "array"}


def _schema(value: Any) -> Any:
    """A schema in JSON Schema's own type names, without required lists that name no property."""
    if isinstance(value, list):
        return [_schema(item) for item in value]
    if not isinstance(value, dict):
        return value
    result = {key: _schema(item) for key, item in value.items()}
    kind = result.get("type")
    if isinstance(kind, str):
        result["type"] = _TYPES.get(kind, kind)
        if result["type"] not in ("string", "integer", "number", "boolean", "object", "array"):
            del result["type"]
    return result


def _tool(name: str, description: str, schema: dict[str, Any]) -> Tool:
    required = schema.get("required") or []
    parameters = tuple(
        Parameter(
            name=key,
            wire_name=key,
            location="argument",
            required=key in required,
            json_schema={k: v for k, v in _schema(value).items() if k != "description"},
            description=str(value.get("description", "")),
        )
        for key, value in (schema.get("properties") or {}).items()
        if isinstance(value, dict)
    )
    return Tool(
        tool_id=ToolId(f"bench.{name}"),
        toolkit="bench",
        operation=name,
        description=description,
        parameters=parameters,
    )


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _half(name: str, part: str) -> bool:
    return is_dev(name) == (part == "dev")


def _dialogue(row: JsonObject) -> Request:
    said = read_conversation(row)
    today = said.today or TODAY
    return Request(text=said.text, messages=said.messages, facts=said.facts, today=today)


def acebench(folder: Path, part: str) -> Iterator[Case]:
    """Complete calls (normal) and incomplete ones (special_incomplete)."""
    for file in ("normal.jsonl", "special_and_agent.jsonl"):
        for row in _lines(folder / "acebench_en" / file):
            incomplete = row["subset"] == "special_incomplete"
            if not incomplete and not row["subset"].startswith("normal"):
                continue
            tools = {tool["name"]: tool for tool in row["tools"]}
            for name, golds in _gold_by_tool(row["ground_truth"], tools).items():
                if not _half(name, part):
                    continue
                spec = tools[name]
                schema = spec.get("parameters") or spec.get("arguments") or {}
                tool = _tool(name, spec.get("description", ""), schema)
                gold = () if incomplete else tuple(golds)
                yield Case("acebench_en", f"{row['id']}/{name}", _dialogue(row), tool, gold)


def _gold_by_tool(truth: Any, tools: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for call in truth if isinstance(truth, list) else [truth]:
        for name, arguments in call.items():
            base = name if name in tools else re.sub(r"_\d+$", "", name)
            if base in tools:
                found.setdefault(base, []).append(arguments)
    return found


def sealtools(folder: Path, part: str) -> Iterator[Case]:
    """`dev` is the data set's own dev split, `report` its in-domain test split."""
    tools = {r["_id"]: r["metadata"]["api"] for r in _lines(folder / "sealtools/corpus.jsonl")}
    split = "dev" if part == "dev" else "test_in_domain"
    for row in _lines(folder / "sealtools/queries.jsonl"):
        if row["metadata"]["split"] != split:
            continue
        request = Request(text=row["text"], today=TODAY)
        for number, call in enumerate(row["metadata"]["gold_calls"]):
            api = tools[call["name"]]
            schema = {"properties": api["parameters"], "required": api["required"]}
            tool = _tool(call["name"], api["api_description"], schema)
            gold = {k: _link(v) for k, v in call["arguments"].items()}
            yield Case("sealtools", f"{row['_id']}#{number}", request, tool, (gold,))


def _link(value: JsonValue) -> Any:
    return ANY if isinstance(value, str) and value.startswith("API_call_") else value


def callnavi(folder: Path, part: str) -> Iterator[Case]:
    """Questions with the calls that answer them; `$$$` leaves a value open."""
    tools = {r["_id"]: r["metadata"]["api"] for r in _lines(folder / "callnavi/corpus.jsonl")}
    for row in _lines(folder / "callnavi/queries.jsonl"):
        for number, call in enumerate(row["metadata"]["gold_calls"]):
            api = tools.get(f"{row['metadata']['domain']}.{call['name']}")
            if api is None or not _half(call["name"], part):
                continue
            tool = _tool(call["name"], api["description"], api["parameters"])
            gold = {k: ANY if "$$$" in str(v) else v for k, v in call["arguments"].items()}
            request = Request(text=row["text"], today="2024-09-18")
            yield Case("callnavi", f"{row['_id']}#{number}", request, tool, (gold,))


_ROLES = {"User": "user", "AI": "assistant", "API": "tool"}


def apibank(folder: Path, part: str) -> Iterator[Case]:
    """Recorded dialogues up to each call; halves by tool as elsewhere."""
    tools = {row["name"]: row for row in _lines(folder / "apibank/tools.jsonl")}
    for row in _lines(folder / "apibank/calls.jsonl"):
        call = row["gold_call"]
        if not _half(call["name"], part) or call["name"] not in tools:
            continue
        spec = tools[call["name"]]
        properties = spec["input_parameters"]
        needed = [k for k, v in properties.items() if "[Optional" not in v["description"]]
        tool = _tool(
            call["name"], spec["description"], {"properties": properties, "required": needed}
        )
        turns = [
            Message(
                role=_ROLES[t["role"]],
                content=t["text"] if "text" in t else json.dumps(t["result"]["output"]),
            )
            for t in row["history"]
        ]
        last = max((i for i, turn in enumerate(turns) if turn.role == "user"), default=0)
        request = Request(
            text=turns[last].content,
            messages=tuple(turns[:last] + turns[last + 1 :]),
            today="2023-03-15",
        )
        yield Case("apibank", row["id"], request, tool, (call["arguments"],))


def all_cases(folder: Path, part: str) -> list[Case]:
    """The cases of one part of every data set."""
    return [
        case for reader in (acebench, sealtools, callnavi, apibank) for case in reader(folder, part)
    ]
