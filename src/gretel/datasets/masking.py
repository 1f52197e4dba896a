"""A request with one value taken out: what is left cannot be planned, only asked about."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from gretel.contracts.ranking import Request
from gretel.contracts.record import JsonValue
from gretel.contracts.tool import Tool
from gretel.datasets.judged import GoldCall

Arguments = Mapping[str, JsonValue]
"""The values of one right call that the data set fixes."""


class Masked(NamedTuple):
    """A request that lacks the value of one parameter."""

    parameter: str
    request: Request


def masked(request: Request, tool: Tool, calls: Sequence[GoldCall]) -> Masked | None:
    """`request` without the value of the last of the tool's required parameters.

    None where some required value is not said, or `without_value` would prove nothing.
    """
    needed = [parameter.name for parameter in tool.fillable if parameter.required]
    fixed = [call.arguments for call in calls]
    if not needed or not all(is_said(request, fixed, name) for name in needed):
        return None
    hidden = without_value(request, fixed, needed[-1])
    return None if hidden is None else Masked(needed[-1], hidden)


def is_said(request: Request, calls: Iterable[Arguments], name: str) -> bool:
    """Whether some call's value of a parameter stands in what was said, letter for letter.

    Case is no matter; objects and arrays are never said.
    """
    said = "\n".join([*(turn.content for turn in request.messages), request.text]).casefold()
    return any(
        str(call[name]).casefold() in said
        for call in calls
        if name in call and not isinstance(call[name], dict | list)
    )


def without_value(request: Request, calls: Sequence[Arguments], name: str) -> Request | None:
    """`request` with every value of one parameter deleted from all that was said.

    None where that would prove nothing: no value is said, or one is shorter than two characters or
    part of another parameter's value.
    """
    if not is_said(request, calls, name):
        return None
    values = [str(call[name]) for call in calls if name in call]
    others = {str(v).casefold() for call in calls for key, v in call.items() if key != name}
    if any(len(v) < 2 or any(v.casefold() in other for other in others) for v in values):
        return None
    hide = re.compile("|".join(rf"(?<!\w){re.escape(v)}(?!\w)" for v in values), re.IGNORECASE)
    turns = tuple(
        turn.model_copy(update={"content": hide.sub("", turn.content)}) for turn in request.messages
    )
    hidden = request.model_copy(update={"text": hide.sub("", request.text), "messages": turns})
    return None if hidden == request else hidden
