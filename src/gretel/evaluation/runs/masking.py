"""A request with one required value taken out: what is left cannot be planned, only asked about."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from gretel.contracts.ranking import Request
from gretel.contracts.record import JsonValue
from gretel.contracts.tool import Tool
from gretel.datasets.judged import GoldCall


class Masked(NamedTuple):
    """A request that lacks the value of one parameter."""

    parameter: str
    request: Request


def masked(request: Request, tool: Tool, calls: Sequence[GoldCall]) -> Masked | None:
    """`request` without the value of the last of the tool's required parameters.

    None where that would prove nothing: the calls fix no value for it, some required value does not
    stand in what was said letter for letter, or this one is too short or part of another value.
    """
    needed = [parameter.name for parameter in tool.fillable if parameter.required]
    if not needed or not all(_stands(request, calls, name) for name in needed):
        return None
    name = needed[-1]
    values = [str(call.arguments[name]) for call in calls if name in call.arguments]
    others = {str(v) for call in calls for key, v in call.arguments.items() if key != name}
    if any(len(v) < 2 or v.casefold() in other.casefold() for v in values for other in others):
        return None
    hidden = _without(request, values)
    return None if hidden == request else Masked(name, hidden)


def _stands(request: Request, calls: Sequence[GoldCall], name: str) -> bool:
    """Whether some call's value of a parameter stands in what was said."""
    said = "\n".join([*(turn.content for turn in request.messages), request.text]).casefold()
    return any(
        str(call.arguments[name]).casefold() in said
        for call in calls
        if name in call.arguments and _is_single(call.arguments[name])
    )


def _is_single(value: JsonValue) -> bool:
    return not isinstance(value, dict | list)


def _without(request: Request, values: Sequence[str]) -> Request:
    hide = re.compile("|".join(rf"(?<!\w){re.escape(v)}(?!\w)" for v in values), re.IGNORECASE)
    turns = tuple(
        turn.model_copy(update={"content": hide.sub("", turn.content)}) for turn in request.messages
    )
    return request.model_copy(update={"text": hide.sub("", request.text), "messages": turns})
