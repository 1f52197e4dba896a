"""Semantic mismatches: answers with status 200 that are empty, or about something else."""

from collections.abc import Callable, Sequence

from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Tool
from gretel.evaluation.mock.answers import documents_an_answer, good_answer
from gretel.evaluation.mock.faults import seeded_uniform
from gretel.evaluation.mock.replies import Reply, json_reply

_LONE: JsonValue = {"station": "Heligoland", "tides": [{"high": "04:12", "level_cm": 318}]}
"""What the only tool of a catalogue answers when its answers are irrelevant."""


def empty_reply(tool: Tool, arguments: JsonObject, *, seed: int) -> Reply:
    """An answer without content, in the shape that this tool keeps to."""
    number = seeded_uniform(seed, "empty", tool.tool_id)
    return _EMPTY[int(number * len(_EMPTY))](tool, arguments, seed)


def irrelevant_answer(tool: Tool, tools: Sequence[Tool], *, seed: int) -> JsonValue:
    """A good answer of a tool of another toolkit, the same one for every call of `tool`.

    It repeats nothing of the call. In a catalogue of one toolkit it is that of another tool.

    Args:
        tool: the tool that was called.
        tools: the catalogue.
        seed: decides which other tool.
    """
    start = int(seeded_uniform(seed, "irrelevant", tool.tool_id) * len(tools))
    other = (
        _first(tools, start, lambda each: _elsewhere(each, tool) and documents_an_answer(each))
        or _first(tools, start, lambda each: _elsewhere(each, tool))
        or _first(tools, start, lambda each: each.tool_id != tool.tool_id)
    )
    return _LONE if other is None else good_answer(other, {}, seed=seed)


def _elsewhere(one: Tool, other: Tool) -> bool:
    return one.toolkit != other.toolkit


def _first(tools: Sequence[Tool], start: int, fits: Callable[[Tool], bool]) -> Tool | None:
    """The first tool that fits, looked for from `start` on and round the end."""
    places = (*range(start, len(tools)), *range(start))
    return next((tools[place] for place in places if fits(tools[place])), None)


def _hollow(value: JsonValue) -> JsonValue:
    """`value` without its content: lists emptied, single values null, objects kept."""
    if isinstance(value, dict):
        return {key: _hollow(item) for key, item in value.items()}
    return [] if isinstance(value, list) else None


def _hollowed(tool: Tool, arguments: JsonObject, seed: int) -> Reply:
    return json_reply(200, _hollow(good_answer(tool, arguments, seed=seed)))


def _always(value: JsonValue) -> Callable[[Tool, JsonObject, int], Reply]:
    reply = json_reply(200, value)
    return lambda tool, arguments, seed: reply


_EMPTY: tuple[Callable[[Tool, JsonObject, int], Reply], ...] = (
    _always([]),
    _always({}),
    _always(None),
    _always({"results": []}),
    _always({"total": 0, "page": 1, "per_page": 20, "items": []}),
    _always({"status": "success", "data": None}),
    _always({"status": "ok", "count": 0, "data": [], "message": "No results found"}),
    _hollowed,
    lambda tool, arguments, seed: Reply(204),
    lambda tool, arguments, seed: Reply(200),
)
