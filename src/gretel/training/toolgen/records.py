"""What an agent learns from, as JSONL: a dialogue a line, with a mark on what the model says.

    {"stage": "agent", "source": "sealtools dev-easy-0", "turns": [
      {"kind": "request", "text": "…"}, {"kind": "thought", "text": "…", "loss": true},
      {"kind": "choose", "text": "Tool?"}, {"kind": "action", "tool": "Kit.search", "loss": true},
      {"kind": "document", "doc_of": "Kit.search"},
      {"kind": "arguments", "json": {"city": "Oslo"}, "loss": true},
      {"kind": "observation", "text": "…"}, …,
      {"kind": "action", "loss": true}, {"kind": "ask", "text": "Answer?"},
      {"kind": "answer", "text": "…", "loss": true}]}

Tools stand by their ids and documents by reference, so that they are those of the catalogue.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from gretel import prompts
from gretel.catalog import Catalog
from gretel.catalog.document import as_list, as_object, as_text
from gretel.contracts.errors import InputError
from gretel.contracts.ranking import Request
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import ToolId
from gretel.datasets.reading import read_lines
from gretel.datasets.trajectories import Trajectory, written
from gretel.nodes.agent.toolgen.turns import (
    Kind,
    Script,
    Turn,
    begin_turn,
    end_turns,
    step_turns,
)
from gretel.text.sentences import sentences

DONE = "All that was asked for is there."
"""The last thought: the data has none."""
_STEP: tuple[Kind, ...] = (
    *("thought", "choose", "action", "document", "arguments", "observation"),
)
_REMEDY = "Write a line as this module's docstring shows"


class Record(NamedTuple):
    """One dialogue."""

    source: str
    script: Script


def record_of(row: Trajectory, catalog: Catalog) -> Record:
    """What a right agent says for a request of judged data, its thoughts made by rule.

    A thought says what the right tool does in its own words, as one would who knew it.
    """
    request = Request(text=row.text, messages=row.messages, today="")
    steps = tuple(
        step_turns(
            _thought(catalog, call.tool_id),
            call.tool_id,
            prompts.tool_text(catalog[call.tool_id]),
            prompts.json_text(call.arguments),
            written(call.answer),
        )
        for call in row.calls
    )
    answer = row.answer or f"The answer is {written(row.calls[-1].answer)}"
    return Record(row.source, Script(begin_turn(request), steps, end_turns(DONE, answer)))


def _thought(catalog: Catalog, tool_id: ToolId) -> str:
    tool = catalog[tool_id]
    said = sentences(tool.description)
    return f"Next: {said[0] if said else tool.operation}"


def digest_of(records: Iterable[Record]) -> str:
    """SHA-256 (hex) of what stands in records."""
    lines = (json.dumps([record.source, *record.script.turns()]) for record in records)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def read_records(path: Path, catalog: Catalog) -> list[Record]:
    """The dialogues of a file.

    Raises:
        CatalogError: the file cannot be read, or a row is not JSON.
        InputError: a line is no dialogue, or of a tool that the catalogue lacks.
    """
    found = []
    for place, row in read_lines(path):
        content = as_object(row)
        if content.get("stage") != "agent":
            continue
        turns = [_turn(as_object(each), catalog, place) for each in as_list(content.get("turns"))]
        found.append(Record(as_text(content.get("source")), _script(turns, place)))
    if not found:
        raise InputError("holds no record of an agent", field=str(path), remedy=_REMEDY)
    return found


def _turn(row: JsonObject, catalog: Catalog, place: str) -> Turn:
    kind = as_text(row.get("kind"))
    tool = row.get("tool", row.get("doc_of"))
    if tool is not None and tool not in catalog:
        raise InputError(f"{tool!r} is not in the catalogue", field=place, remedy=_REMEDY)
    match kind:
        case "action":
            return Turn("action", tool=None if tool is None else ToolId(str(tool)))
        case "document" if tool is not None:
            return Turn("document", f"{prompts.tool_text(catalog[ToolId(str(tool))])}\nArguments?")
        case "arguments":
            return Turn("arguments", prompts.json_text(row.get("json")))
        case "request" | "thought" | "choose" | "observation" | "ask" | "answer":
            return Turn(kind, as_text(row.get("text")))
        case _:
            raise InputError(f"{kind!r} is not a turn", field=place, remedy=_REMEDY)


def _script(turns: Sequence[Turn], place: str) -> Script:
    """Turns in their parts.

    Raises:
        InputError: they are not a request, whole steps, and an end.
    """
    steps = list(_steps(turns[1:]))
    end = turns[1 + len(steps) * len(_STEP) :]
    kinds = tuple(turn.kind for turn in end)
    right = turns[:1] and turns[0].kind == "request"
    if not right or kinds != ("thought", "choose", "action", "ask", "answer"):
        raise InputError("is not a whole dialogue", field=place, remedy=_REMEDY)
    return Script(turns[0], tuple(steps), tuple(end))


def _steps(turns: Sequence[Turn]) -> Iterator[tuple[Turn, ...]]:
    for start in range(0, len(turns), len(_STEP)):
        step = tuple(turns[start : start + len(_STEP)])
        if tuple(turn.kind for turn in step) != _STEP:
            return
        yield step
