"""Are these arguments what the tool's schema asks for? Nothing is coerced."""

import json
import os
import weakref
from collections import OrderedDict
from collections.abc import Iterator, Set
from contextlib import nullcontext
from threading import Lock, RLock
from typing import Any, Literal, NamedTuple

import jsonschema_rs

from gretel.catalog.bounds import weight
from gretel.catalog.document import as_object
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Tool
from gretel.text.patterns import DEAR, PATTERN_COST, pattern_cost, patterns_of, with_patterns
from gretel.validation import DETAIL_LIMIT, SchemaCheck, Wrong, compile_schema

KEPT, KEPT_COST = 4_096, PATTERN_COST
"""Validators that are kept, and what these may cost together in states (`DEAR`: memory of one)."""


_ALTERNATIVES = (
    jsonschema_rs.ValidationErrorKind.AnyOf,
    jsonschema_rs.ValidationErrorKind.OneOfNotValid,
)


class ArgumentProblem(NamedTuple):
    """Why an argument breaks the schema."""

    field: str
    """The argument's name."""
    kind: Literal["missing_required", "invalid_value", "unknown"]
    detail: str


def _constraints(tool: Tool) -> JsonObject:
    """The tool's arguments as one JSON Schema object that allows no other property."""
    properties: JsonObject = {p.name: p.json_schema for p in tool.fillable}
    required: list[JsonValue] = [p.name for p in tool.fillable if p.required]
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def argument_problems(tool: Tool, arguments: JsonObject) -> list[ArgumentProblem]:
    """Everything that is wrong with `arguments`; empty when they may be sent.

    A parameter that carries a credential is no argument: it is not missed, and not taken.
    A part of the schema that is itself not valid JSON Schema constrains nothing, and a pattern
    too expensive to run counts as met. Ordered as the validator finds them.
    """
    try:
        errors = _validators.errors(tool, arguments)
    except ValueError as error:  # a value that JSON cannot say, or one nested without end
        name = next((name for name, value in arguments.items() if _unsaid(value)), "arguments")
        detail = f"is not a JSON value: {str(error).splitlines()[0]}"
        return [ArgumentProblem(name, "invalid_value", detail)]
    credentials = {p.name for p in tool.parameters} - {p.name for p in tool.fillable}
    return [problem for error in errors for problem in _problems(error, credentials)]


def as_documented(tool: Tool, arguments: JsonObject) -> JsonObject:
    """`arguments`, where an object or list for a parameter that is JSON as text is written as such.

    OpenAPI calls for such a text where a parameter has `content` in place of a schema.
    """
    texts = {p.name for p in tool.fillable if "contentSchema" in p.json_schema}
    return {
        name: json.dumps(value, ensure_ascii=False)
        if name in texts and isinstance(value, dict | list) and not _unsaid(value)
        else value
        for name, value in arguments.items()
    }


def _unsaid(value: JsonValue) -> bool:
    try:
        compile_schema({}).is_valid(value)
    except ValueError:
        return True
    return False


def _problems(wrong: Wrong, credentials: Set[str]) -> Iterator[ArgumentProblem]:
    wrong = _meant(wrong)
    kind, path = wrong.kind, wrong.path
    if isinstance(kind, jsonschema_rs.ValidationErrorKind.BacktrackLimitExceeded):
        return
    if not path and isinstance(kind, jsonschema_rs.ValidationErrorKind.Required):
        yield ArgumentProblem(kind.property, "missing_required", "is required and was not given")
    elif not path and isinstance(kind, jsonschema_rs.ValidationErrorKind.AdditionalProperties):
        for name in kind.unexpected:
            known = name in credentials
            detail = "carries a credential" if known else "is not an argument of this tool"
            yield ArgumentProblem(name, "unknown", detail)
    else:
        where = "/".join(str(part) for part in path[1:])
        detail = f"{where}: {wrong.message}" if where else wrong.message
        name = str(path[0]) if path else "arguments"
        yield ArgumentProblem(name, "invalid_value", detail[:DETAIL_LIMIT])


def _meant(wrong: Wrong) -> Wrong:
    """What is wrong by the one alternative that can be meant; as it is where several can.

    One of another type than the value cannot, nor one whose constant it does not say: most of what
    may be null is an alternative, and what is wrong stands within.
    """
    while isinstance(wrong.kind, _ALTERNATIVES):
        meant = [each for each in wrong.kind.context if not _another(each, wrong.path)]
        if len(meant) != 1:
            break
        first = meant[0][0]
        wrong = Wrong(first.message, (*first.instance_path,), first.kind)
    return wrong


def _another(errors: list[Any], path: tuple[str | int, ...]) -> bool:
    return any(
        isinstance(error.kind, jsonschema_rs.ValidationErrorKind.Constant)
        or (
            isinstance(error.kind, jsonschema_rs.ValidationErrorKind.Type)
            and (*error.instance_path,) == path
        )
        for error in errors
    )


class _Validators:
    """The validators of the tools that were asked for last, within what these may cost.

    A tool that is gone takes its own along.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[int, tuple[Any, SchemaCheck, int]]
        self._kept = OrderedDict()
        self._spent = 0
        self.free()

    def free(self) -> None:
        """Make the locks anew: in a process that was forked others may hold them for ever."""
        self._lock = RLock()  # a tool may go at any moment, in this one too
        self._turn = Lock()
        """Held while a dear pattern is compiled and run: each thread takes memory for it anew."""

    def errors(self, tool: Tool, arguments: JsonObject) -> list[Wrong]:
        """What is wrong with the arguments, by the tool's validator."""
        with self._lock:
            known = self._kept.get(id(tool))
            if known is not None:
                self._kept.move_to_end(id(tool))
        schema: JsonObject = {} if known else _constraints(tool)
        cost = known[2] if known else _cost(schema)
        with self._turn if cost > DEAR else nullcontext():
            made = known[1] if known else _compiled(schema)
            if not known:
                self._keep(tool, made, cost)
            return made.errors(arguments)

    def _keep(self, tool: Tool, made: SchemaCheck, cost: int) -> None:
        key = id(tool)
        with self._lock:
            self._forget(key)
            self._kept[key] = (weakref.ref(tool, lambda _: self._forget(key)), made, cost)
            self._spent += cost
            while len(self._kept) > 1 and (self._spent > KEPT_COST or len(self._kept) > KEPT):
                self._forget(next(iter(self._kept)))

    def _forget(self, key: int) -> None:
        with self._lock:
            _, _, cost = self._kept.pop(key, (None, None, 0))
            self._spent -= cost


_validators = _Validators()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_validators.free)


def _cost(schema: JsonObject) -> int:
    """What a validator takes of memory, in states of its patterns."""
    return sum(map(pattern_cost, patterns_of(schema))) + weight(schema, KEPT_COST)


def _compiled(schema: JsonObject) -> SchemaCheck:
    try:
        return SchemaCheck(schema)
    except ValueError:
        properties = as_object(schema["properties"])
        usable: JsonObject = {name: _usable(value) for name, value in properties.items()}
        return SchemaCheck({**schema, "properties": usable})


def _usable(schema: JsonValue) -> JsonValue:
    """The schema, without its patterns if they are the trouble, else without constraint."""
    for candidate in (schema, with_patterns(schema, lambda pattern: False)):
        try:
            compile_schema(candidate if isinstance(candidate, dict) else {})
        except ValueError:
            continue
        return candidate
    return {}
