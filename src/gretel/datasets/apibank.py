"""API-Bank (Li et al., EMNLP 2023): dialogues up to each call, and the call that was right."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from gretel.catalog import Catalog, Skipped
from gretel.catalog.document import as_list, as_object, as_text
from gretel.contracts.ranking import Message
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import ToolId
from gretel.datasets.judged import Dataset, GoldCall, JudgedRequest
from gretel.datasets.reading import Line, as_written, catalog_of, files_digest, read_lines

FILES = ("tools.jsonl", "calls.jsonl")
_Role: TypeAlias = Literal["user", "assistant", "tool"]
_ROLES: dict[str, _Role] = {"User": "user", "AI": "assistant", "API": "tool"}
CALLED = "apis"
"""The set whose tools the dialogues call; four names come again in the other set."""


class Dialogue(NamedTuple):
    """A recorded call, and what was said before it."""

    place: str
    """`calls.jsonl:12`."""
    call_id: str
    tool: str
    arguments: JsonObject
    request: str
    """The user's last turn; empty where the user says nothing."""
    messages: tuple[Message, ...]
    """All other turns, oldest first."""


def read_dialogues(path: Path) -> Iterator[Dialogue]:
    """The recorded calls of `calls.jsonl`.

    Raises:
        CatalogError: the file cannot be read, or a row is not JSON.
    """
    for place, row in read_lines(path):
        call = as_object(row.get("gold_call"))
        turns = [_turn(as_object(turn)) for turn in as_list(row.get("history"))]
        last = max((n for n, turn in enumerate(turns) if turn.role == "user"), default=len(turns))
        yield Dialogue(
            place=place,
            call_id=as_text(row.get("id")),
            tool=as_text(call.get("name")),
            arguments=as_object(call.get("arguments")),
            request="".join(turn.content for turn in turns[last : last + 1]),
            messages=tuple(turns[:last] + turns[last + 1 :]),
        )


def required_names(parameters: JsonObject) -> list[JsonValue]:
    """The parameters of a tool that its notes do not call optional."""
    notes = {name: as_object(value).get("description") for name, value in parameters.items()}
    return [name for name, note in notes.items() if "[Optional" not in as_text(note)]


def read_apibank(folder: Path) -> Dataset:
    """One request for each recorded call: the user's last turn, with all others beside it.

    Raises:
        CatalogError: a file cannot be read.
    """
    files = [folder / name for name in FILES]
    catalog = read_apibank_catalog(files[0])
    problems = list(catalog.skipped)
    requests = tuple(_requests(read_dialogues(files[1]), catalog, problems))
    digest = files_digest(files, "test")
    return Dataset(folder.resolve().name, catalog, requests, digest, tuple(problems))


def read_apibank_catalog(path: Path) -> Catalog:
    """The tools of `tools.jsonl`.

    Raises:
        CatalogError: the file cannot be read.
    """
    return catalog_of(map(_corpus_row, read_lines(path)))


def _corpus_row(line: Line) -> Line:
    spec = line.content
    parameters = as_object(spec.get("input_parameters"))
    function: JsonObject = {
        "api_name": spec.get("name"),
        "api_description": spec.get("description"),
        "field": spec.get("set"),
        "parameters": parameters,
        "required": required_names(parameters),
        "responses": spec.get("output_parameters"),
    }
    return Line(line.place, {"_id": f"{spec.get('set')}/{spec.get('name')}", "function": function})


def _requests(
    dialogues: Iterator[Dialogue], catalog: Catalog, problems: list[Skipped]
) -> Iterator[JudgedRequest]:
    for said in dialogues:
        tool = catalog.by_external_id(f"{CALLED}/{said.tool}")
        if not said.request.strip():
            reason = "the user says nothing"
            problems.append(Skipped(said.place, reason, "The call is left out"))
            continue
        if tool is None:
            reason = f"its right tool {said.tool} is not in the catalogue"
            problems.append(Skipped(said.place, reason, "It counts as missed"))
        tool_id = tool.tool_id if tool else ToolId(said.tool)
        yield JudgedRequest(
            request_id=said.call_id,
            text=said.request.strip(),
            gold=frozenset({tool_id}),
            messages=said.messages,
            gold_calls=(GoldCall(tool_id, said.arguments),),
        )


def _turn(turn: JsonObject) -> Message:
    role = _ROLES.get(as_text(turn.get("role")), "assistant")
    if role == "tool":
        return Message(role=role, content=json.dumps(as_object(turn.get("result")).get("output")))
    return Message(role=role, content=as_written(turn.get("text")))
