"""What a right agent would have done: a request, its calls in order with their answers, the end.

Seal-Tools names right calls whose later values may stand for earlier answers (`API_call_0`); what a
call answers is written with these labels. API-Bank recorded its calls and what the assistant said
next.
"""

import json
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from gretel.catalog import Catalog, Skipped
from gretel.catalog.document import as_list, as_object, as_text
from gretel.contracts.errors import InputError
from gretel.contracts.ranking import Message
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Tool, ToolId
from gretel.datasets.apibank import CALLED, FILES, read_apibank_catalog, read_dialogues
from gretel.datasets.beir import beir_files, read_queries
from gretel.datasets.halves import Half, half_of, split_key
from gretel.datasets.qrels import read_qrels
from gretel.datasets.reading import files_digest, read_lines

_DIALOGUES = "dialogues.jsonl"


class Called(NamedTuple):
    """A right call, and what it gave."""

    tool_id: ToolId
    arguments: JsonObject
    answer: JsonValue


class Trajectory(NamedTuple):
    """One request served rightly."""

    source: str
    """`sealtools dev-easy-0`."""
    text: str
    messages: tuple[Message, ...]
    """Earlier turns, oldest first."""
    calls: tuple[Called, ...]
    answer: str
    """What the user is told in the end; empty where the data does not say."""


class Trajectories(NamedTuple):
    """Those of one data set."""

    catalog: Catalog
    rows: tuple[Trajectory, ...]
    digest: str
    """SHA-256 (hex) of the files that were read, the name of the judgements and the half."""
    problems: tuple[Skipped, ...]


def read_trajectories(
    folder: Path, *, qrels: str = "train", half: Half | None = None
) -> Trajectories:
    """What a folder in BEIR layout with right calls, or one of API-Bank, tells.

    The latter has one set of judgements. With `half`, only calls of tools of that half
    (`halves.half_of`).

    Raises:
        InputError: no row is left.
        CatalogError: a file cannot be read.
    """
    read = _apibank if (folder / FILES[1]).is_file() else _beir
    catalog, found, files, problems = read(folder, qrels)
    rows = tuple(row for row in found if half is None or _half(row, catalog) == {half})
    if not rows:
        problem = f"no request of {qrels} has right calls of tools of one half that are known"
        raise InputError(problem, field=str(folder), remedy="Give a set with right calls.")
    return Trajectories(catalog, rows, files_digest(files, f"{qrels} {half}"), tuple(problems))


def _half(row: Trajectory, catalog: Catalog) -> set[Half]:
    return {half_of(split_key(catalog[call.tool_id])) for call in row.calls}


_Read = tuple[Catalog, list[Trajectory], list[Path], list[Skipped]]


def _beir(folder: Path, qrels: str) -> _Read:
    files = beir_files(folder, qrels)
    catalog, judged = Catalog.from_jsonl(files[0]), read_qrels(files[2]).gold
    rows, problems = [], list(catalog.skipped)
    for query in read_queries(files[1]):
        if query.query_id not in judged or not query.text.strip():
            continue
        calls = [
            _seal_call(as_object(each), catalog)
            for each in as_list(query.metadata.get("gold_calls"))
        ]
        known = tuple(call for call in calls if call is not None)
        if not known or len(known) < len(calls):
            problems.append(Skipped(query.place, "has no right calls, or of tools unknown", "…"))
            continue
        source = f"{folder.resolve().name} {query.query_id}"
        rows.append(Trajectory(source, query.text.strip(), (), known, ""))
    return catalog, rows, files, problems


def _seal_call(call: JsonObject, catalog: Catalog) -> Called | None:
    tool = catalog.by_external_id(as_text(call.get("name")))
    if tool is None:
        return None
    names = [*as_object((tool.response.json_schema or {}).get("properties"))]
    labels = as_list(call.get("response_labels"))
    told: JsonObject = dict(zip(names, labels, strict=False))
    answer: JsonValue = told or labels
    return Called(tool.tool_id, as_object(call.get("arguments")), answer)


def _apibank(folder: Path, qrels: str) -> _Read:
    files = [folder / name for name in (*FILES, _DIALOGUES)]
    catalog = read_apibank_catalog(files[0])
    replies = dict(chain.from_iterable(map(_replies, _objects(files[2]))))
    answers = {as_text(row.get("id")): row.get("recorded_response") for row in _objects(files[1])}
    rows, problems = [], list(catalog.skipped)
    for said in read_dialogues(files[1]):
        tool = catalog.by_external_id(f"{CALLED}/{said.tool}")
        if tool is None or not said.request.strip():
            problems.append(Skipped(said.place, "no request, or a tool unknown", "It is left out"))
            continue
        call = Called(tool.tool_id, known_arguments(said.arguments, tool), answers[said.call_id])
        source, reply = f"apibank {said.call_id}", replies.get(said.call_id, "")
        rows.append(Trajectory(source, said.request.strip(), said.messages, (call,), reply))
    return catalog, rows, files, problems


def known_arguments(arguments: JsonObject, tool: Tool) -> JsonObject:
    """Those that the tool takes."""
    names = {each.name for each in tool.fillable}
    return {name: value for name, value in arguments.items() if name in names}


def _objects(path: Path) -> Iterator[JsonObject]:
    return (as_object(line.content) for line in read_lines(path))


def _replies(dialogue: JsonObject) -> Iterator[tuple[str, str]]:
    """By the id of a call: what the assistant said next."""
    turns = [as_object(turn) for turn in as_list(dialogue.get("turns"))]
    for number, turn in enumerate(turns[:-1]):
        after = turns[number + 1]
        if turn.get("role") == "API" and after.get("role") == "AI":
            yield f"{as_text(dialogue.get('id'))}#{number}", as_text(after.get("text"))


def written(value: JsonValue) -> str:
    """An answer as an agent would see it."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
