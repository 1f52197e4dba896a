"""Whether the arguments of a call turn it into one that changes something."""

from collections.abc import Collection, Iterable, Iterator

from gretel.catalog.effects.chosen import (
    UNREAD,
    defaults_within,
    only_choice,
    written_in,
)
from gretel.catalog.effects.values.argument_verbs import (
    is_off,
    is_rehearsal,
    verb_of_choice,
    verb_of_value,
)
from gretel.catalog.effects.values.joined import joined
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Parameter, Tool

_READ = 200_000
"""Plain values of a call, and their characters, together; no URL has so many."""


def defaults_of(tool: Tool) -> JsonObject:
    """What the server assumes where arguments are left out."""
    schemas = {each.name: each.json_schema for each in tool.parameters}
    return {name: schema["default"] for name, schema in schemas.items() if "default" in schema}


def change_argument(tool: Tool, sent: JsonObject, said: Collection[str]) -> str | None:
    """The argument that turns a call into one that changes something."""
    known = {parameter.name: parameter for parameter in tool.parameters}
    for name, parameter in known.items():  # that is told from one of its name by its place
        if is_rehearsal(parameter.wire_name) and is_off(sent.get(name)):
            return name
    schemas = {name: each.json_schema for name, each in known.items() if each.location != "path"}
    assumed = [*defaults_within(schemas, sent)]
    unread = _unread([*sent.items(), *((name, default) for name, _, default in assumed)])
    if unread is not None:
        return unread
    found = next((name for name in sent if _changes(known.get(name), name, sent[name], said)), None)
    inner = (name for name, path, value in assumed if _is_order(known[name], path, value))
    return found or next(inner, None) or next(filter(_switches, _keys(tool)), None)


def _unread(values: Iterable[tuple[str, JsonValue]]) -> str | None:
    """The argument with which all that is sent is more than anybody reads."""
    left = _READ
    for name, value in values:
        stack: list[JsonValue] = [value]
        while stack:
            each = stack.pop()
            if isinstance(each, list | dict):
                stack += each
                stack += each.values() if isinstance(each, dict) else ()
                continue
            left -= 1 + (len(each) if isinstance(each, str) else 0)
            if left < 0:
                return name
    return None


def _is_order(parameter: Parameter, name: str, default: JsonValue) -> bool:
    """Whether a default within an argument, which leaves it out, is an order."""
    if name == UNREAD:
        return True
    around = f"{parameter.wire_name}[{name}]"
    verb = verb_of_value(around, default) or verb_of_choice(name, default, forced=True)
    return verb is not None


def _keys(tool: Tool) -> Iterator[str]:
    """The names under which keys are sent; their document chose them, and so one as `?delete=`."""
    return (each.parameter for one in tool.security for each in one if each.parameter)


def _switches(name: str) -> bool:
    """Whether a name switches something on, whatever stands behind it: `?delete=`, `?reboot=`."""
    return any(verb_of_value(name, value) is not None for value in ("7", "1"))


def _changes(
    parameter: Parameter | None, name: str, value: JsonValue, said: Collection[str]
) -> bool:
    """Whether one argument turns a call into one that changes something."""
    if parameter is None:
        return verb_of_value(name, value) is not None
    texts = [*joined(parameter, value)]
    verb = _first(verb_of_value(parameter.wire_name, each) for each in (value, *texts))
    if verb is not None or parameter.location == "path":  # a path is judged whole
        return verb is not None
    forced = name not in said or only_choice(parameter)
    parts = [value, *(text for text in texts if " " in text)]
    verb = _first(verb_of_choice(parameter.wire_name, each, forced=forced) for each in parts)
    if verb is None or written_in(parameter, value):
        return verb is not None
    # What nobody said, a model wrote, and a sentence anywhere can have moved it to.
    orders = (verb_of_choice(parameter.wire_name, each, forced=False) for each in parts)
    return name not in said and _first(orders) is not None


def _first(verbs: Iterable[str | None]) -> str | None:
    return next(filter(None, verbs), None)
