"""API-Bank (Li et al., EMNLP 2023): dialogues up to each call, and the call that was right."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, TypeAlias

from gretel.catalog import Catalog, Skipped
from gretel.catalog.document import as_list, as_object, as_text
from gretel.contracts.ranking import Message
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import ToolId
from gretel.datasets.corpora import catalog_of
from gretel.datasets.judged import Dataset, GoldCall, JudgedRequest
from gretel.datasets.reading import Line, files_digest, read_lines

FILES = ("tools.jsonl", "calls.jsonl")
_Role: TypeAlias = Literal["user", "assistant", "tool"]
_ROLES: dict[str, _Role] = {"User": "user", "AI": "assistant", "API": "tool"}
_CALLED = "apis"
"""The set whose tools the dialogues call; four names come again in the other set."""


def read_apibank(folder: Path) -> Dataset:
    """One request for each recorded call: the user's last turn, with all others beside it.

    Raises:
        CatalogError: a file cannot be read.
    """
    files = [folder / name for name in FILES]
    catalog = catalog_of(map(_corpus_row, read_lines(files[0])))
    problems = list(catalog.skipped)
    requests = tuple(_requests(read_lines(files[1]), catalog, problems))
    digest = files_digest(files, "test")
    return Dataset(folder.resolve().name, catalog, requests, digest, tuple(problems))


def _corpus_row(line: Line) -> Line:
    spec = line.content
    parameters = as_object(spec.get("input_parameters"))
    function: JsonObject = {
        "api_name": spec.get("name"),
        "api_description": spec.get("description"),
        "field": spec.get("set"),
        "parameters": parameters,
        "required": [name for name, value in parameters.items() if not _optional(as_object(value))],
        "responses": spec.get("output_parameters"),
    }
    return Line(line.place, {"_id": f"{spec.get('set')}/{spec.get('name')}", "function": function})


def _optional(parameter: JsonObject) -> bool:
    return "[Optional" in as_text(parameter.get("description"))


def _requests(
    rows: Iterator[Line], catalog: Catalog, problems: list[Skipped]
) -> Iterator[JudgedRequest]:
    for place, row in rows:
        call = as_object(row.get("gold_call"))
        name = as_text(call.get("name"))
        tool = catalog.by_external_id(f"{_CALLED}/{name}")
        turns = [_turn(as_object(turn)) for turn in as_list(row.get("history"))]
        asked = [number for number, turn in enumerate(turns) if turn.role == "user"]
        if not asked:
            problems.append(Skipped(place, "the user says nothing", "The call is left out"))
            continue
        if tool is None:
            reason = f"its right tool {name} is not in the catalogue"
            problems.append(Skipped(place, reason, "It counts as missed"))
        tool_id = tool.tool_id if tool else ToolId(name)
        yield JudgedRequest(
            request_id=as_text(row.get("id")),
            text=turns[asked[-1]].content,
            gold=frozenset({tool_id}),
            messages=tuple(turns[: asked[-1]] + turns[asked[-1] + 1 :]),
            gold_calls=(GoldCall(tool_id, as_object(call.get("arguments"))),),
        )


def _turn(turn: JsonObject) -> Message:
    role = _ROLES.get(as_text(turn.get("role")), "assistant")
    if role == "tool":
        return Message(role=role, content=json.dumps(as_object(turn.get("result")).get("output")))
    return Message(role=role, content=as_text(turn.get("text")))
