"""What a tool that works answers to values that it does not know."""

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

from gretel.catalog.arguments import ArgumentProblem
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import Tool
from gretel.evaluation.mock.faults import seeded_choice, seeded_uniform
from gretel.evaluation.mock.replies import Reply, json_reply, page, text_reply
from gretel.evaluation.mock.semantic_mismatches import empty_reply
from gretel.evaluation.mock.validation_errors import validation_error
from gretel.text.identifiers import identifier_text

Manner: TypeAlias = Literal["nothing", "not_found", "rejected"]
"""An answer without content; words (or a 404) that nothing was found; an error."""

MANNERS: dict[Manner, float] = {"nothing": 0.42, "not_found": 0.36, "rejected": 0.22}
"""Shares of the tools, as `python benchmarks/trials/real_values.py` prints them of the development
part, each toolkit weighing alike."""


def unknown_reply(tool: Tool, arguments: JsonObject, unknown: JsonObject, *, seed: int) -> Reply:
    """The answer to a call whose values are in part, at least one, `unknown` to a tool that works.

    A tool keeps to its manner and its shape, which the seed decides.
    """
    manner = _manner(tool, seed)
    if manner == "nothing":
        return empty_reply(tool, arguments, seed=seed)
    name = min(unknown)
    shapes = _NOT_FOUND if manner == "not_found" else _REJECTED
    shape = seeded_choice(shapes, seed, manner, tool.tool_id)
    if shape is None:
        problem = ArgumentProblem(name, "invalid_value", f"{unknown[name]!r} is not known")
        return validation_error(tool, [problem], seed=seed)
    return shape(identifier_text(name) or name, str(unknown[name]))


def _manner(tool: Tool, seed: int) -> Manner:
    number = seeded_uniform(seed, "manner", tool.tool_id) * sum(MANNERS.values())
    for manner, share in MANNERS.items():
        number -= share
        if number < 0:
            return manner
    raise AssertionError("the shares cover every draw")


_Shape: TypeAlias = Callable[[str, str], Reply]
"""From the words of a parameter's name, and its value."""

_NOT_FOUND: Sequence[_Shape] = (
    lambda name, value: json_reply(404, {"message": f"No {name} '{value}'"}),
    lambda name, value: json_reply(404, {"detail": "Not found."}),
    lambda name, value: json_reply(404, {"error": {"code": 404, "message": f"{name} not found"}}),
    lambda name, value: json_reply(404, {"title": "Not Found", "status": 404, "instance": value}),
    lambda name, value: page(404, "404 Not Found"),
    lambda name, value: json_reply(200, {"status": 0, "message": f"Nothing found for {value}"}),
    lambda name, value: json_reply(200, {"success": False, "error": f"Unknown {name}"}),
    lambda name, value: json_reply(200, {"code": 404, "type": "error", "message": "Not found"}),
    lambda name, value: text_reply(200, f"No {name} by that name."),
)
_REJECTED: Sequence[_Shape | None] = (
    None,
    None,
    lambda name, value: json_reply(400, {"error": f"Invalid {name}: {value}"}),
    lambda name, value: json_reply(400, {"message": "Bad request", "statusCode": 400}),
    lambda name, value: json_reply(200, {"status": "fail", "msg": f"{name} is invalid"}),
    lambda name, value: json_reply(200, {"error": f"The {name} could not be validated"}),
    lambda name, value: text_reply(400, "Invalid request"),
)
"""None: as the toolkit answers what breaks its contract."""
