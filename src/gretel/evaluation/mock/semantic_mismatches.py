"""Semantic mismatches: answers with status 200 that are empty, or about something else."""

from collections.abc import Sequence
from itertools import chain

from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Tool
from gretel.evaluation.mock.answers import documents_an_answer, good_answer
from gretel.evaluation.mock.faults import seeded_choice, seeded_uniform
from gretel.evaluation.mock.replies import Reply, json_reply

_LONE: JsonValue = {"station": "Heligoland", "tides": [{"high": "04:12", "level_cm": 318}]}
"""What the only tool of a catalogue answers when its answers are irrelevant."""


def empty_reply(tool: Tool, arguments: JsonObject, *, seed: int) -> Reply:
    """An answer without content, in the shape that this tool keeps to."""
    reply = seeded_choice(_EMPTY, seed, "empty", tool.tool_id)
    if reply is None:
        return json_reply(200, _hollow(good_answer(tool, arguments, seed=seed)))
    return reply


def irrelevant_answer(tool: Tool, tools: Sequence[Tool], *, seed: int) -> JsonValue:
    """A good answer of a tool of another toolkit, the same one for every call of `tool`.

    It repeats nothing of the call. In a catalogue of one toolkit it is that of another tool.
    """
    start = int(seeded_uniform(seed, "irrelevant", tool.tool_id) * len(tools))
    others = [*tools[start:], *tools[:start]]
    elsewhere = [each for each in others if each.toolkit != tool.toolkit]
    documented = (each for each in elsewhere if documents_an_answer(each))
    siblings = (each for each in others if each.tool_id != tool.tool_id)
    other = next(chain(documented, elsewhere, siblings), None)
    return _LONE if other is None else good_answer(other, {}, seed=seed)


def _hollow(value: JsonValue) -> JsonValue:
    """`value` without its content: lists emptied, single values null, objects kept."""
    if isinstance(value, dict):
        return {key: _hollow(item) for key, item in value.items()}
    return [] if isinstance(value, list) else None


_EMPTY = (
    json_reply(200, []),
    json_reply(200, {}),
    json_reply(200, None),
    json_reply(200, {"results": []}),
    json_reply(200, {"total": 0, "page": 1, "per_page": 20, "items": []}),
    json_reply(200, {"status": "success", "data": None}),
    json_reply(200, {"status": "ok", "count": 0, "data": [], "message": "No results found"}),
    None,
    Reply(204),
    Reply(200),
)
"""None: the tool's own good answer without its content."""
