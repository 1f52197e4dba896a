"""Are these arguments what the tool's schema asks for? Nothing is coerced."""

import weakref
from collections import OrderedDict
from collections.abc import Iterator, Set
from threading import RLock
from typing import Any, Literal, NamedTuple

import jsonschema_rs

from gretel.catalog.bounds import weight
from gretel.catalog.document import as_object
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Tool
from gretel.text.patterns import (
    PATTERN_COST,
    affordable,
    pattern_cost,
    patterns_of,
    run_cost,
    with_patterns,
)

BACKTRACK_LIMIT = 20_000
"""Steps after which a document's `pattern` is given up, so that a hostile one cannot hang us."""
KEPT, KEPT_COST = 4_096, 4 * PATTERN_COST
"""Validators that are kept, and what these may cost together: some 80 MB."""
RUN_COST = 20_000_000
"""Steps that a pattern may take on all texts: its states times the characters."""
MEMBERS_COST = 500_000
"""Values of a schema times those that it is held against: comparing two takes up to 0.5 µs, all in
one call that holds the interpreter."""
NUMBERS_COST = 10_000
"""The same for numbers, which are compared as exact fractions: some 10 µs for two usual ones."""
DETAIL_LIMIT = 500
"""Characters of a problem: it may repeat a value, or all members of an enum."""


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
        errors = _validators.of(tool).errors(arguments)
    except ValueError as error:  # a value that JSON cannot say, or one nested without end
        return [ArgumentProblem("arguments", "invalid_value", str(error).splitlines()[0])]
    credentials = {p.name for p in tool.parameters} - {p.name for p in tool.fillable}
    return [problem for error in errors for problem in _problems(error, credentials)]


def _problems(
    error: jsonschema_rs.ValidationError, credentials: Set[str]
) -> Iterator[ArgumentProblem]:
    kind, path = error.kind, error.instance_path
    if isinstance(kind, jsonschema_rs.ValidationErrorKind.BacktrackLimitExceeded):
        return
    if not path and isinstance(kind, jsonschema_rs.ValidationErrorKind.Required):
        yield ArgumentProblem(kind.property, "missing_required", "is required and was not given")
    elif not path and isinstance(kind, jsonschema_rs.ValidationErrorKind.AdditionalProperties):
        for name in kind.unexpected:
            known = name in credentials
            detail = "carries a credential" if known else "is no argument of this tool"
            yield ArgumentProblem(name, "unknown", detail)
    else:
        where = "/".join(str(part) for part in path[1:])
        detail = f"{where}: {error.message}" if where else error.message
        name = str(path[0]) if path else "arguments"
        yield ArgumentProblem(name, "invalid_value", detail[:DETAIL_LIMIT])


class SchemaCheck:
    """A stranger's schema, held against values in bounded time."""

    def __init__(self, schema: JsonObject) -> None:
        """Compile `schema`.

        Raises:
            ValueError: this is no JSON Schema, or it refers to something outside.
        """
        self._schema = schema
        self._whole = compile_schema(schema)
        self._run = max(map(run_cost, patterns_of(schema)), default=0)
        self._size = _size_of(schema)

    def errors(self, value: JsonValue) -> list[jsonschema_rs.ValidationError]:
        """What is wrong with `value`, which nothing is that is too dear to compare.

        Where the texts are too long for a pattern, no pattern is run.
        """
        size = _size_of(value)
        if _comparing_is_dear(self._size, size):
            return []
        if self._run and self._run * size.characters > RUN_COST:
            plain = compile_schema(as_object(with_patterns(self._schema, lambda pattern: False)))
            return list(plain.iter_errors(value))
        return list(self._whole.iter_errors(value))


class _Size(NamedTuple):
    """What a schema, or a value, is made of."""

    amount: int
    characters: int
    """Of all texts and names together."""
    numbers: int
    """Numbers, and words that ask whether something is a whole one."""
    digits: int
    """What these cost together, in usual numbers."""


def _size_of(value: JsonValue) -> _Size:
    """The size of `value`, at any depth; a caller's value may hold itself, which counts once."""
    pending, seen, parts = [value], set[int](), list[JsonValue]()
    while pending:
        item = pending.pop()
        parts.append(item)
        if isinstance(item, list | dict) and id(item) not in seen:
            seen.add(id(item))
            pending.extend(item)
            pending.extend(item.values() if isinstance(item, dict) else ())
    texts = [part for part in parts if isinstance(part, str)]
    numbers = [part for part in parts if isinstance(part, int | float)]
    asked = texts.count("integer")
    digits = asked + sum(map(_digits, numbers))
    return _Size(len(parts), sum(map(len, texts)), asked + len(numbers), digits)


def _digits(number: float) -> int:
    """What it costs to compare `number` exactly: 2⁻¹⁰⁷⁴ has 300 digits below its line."""
    size = abs(number)
    if not size or 1e-3 < size < 1e20:
        return 1
    return 5 if 1e-40 < size < 1e40 else 100


def _comparing_is_dear(schema: _Size, value: _Size) -> bool:
    """Whether the validator, which holds the interpreter all the time, may take some .2 s."""
    numbers = schema.digits * value.numbers + (schema.numbers + 1) * value.digits
    return schema.amount * value.amount > MEMBERS_COST or numbers > NUMBERS_COST


class _Validators:
    """The validators of the tools that were asked for last, within what these may cost.

    A tool that is gone takes its own along.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[int, tuple[Any, SchemaCheck, int]]
        self._kept = OrderedDict()
        self._spent = 0
        self._lock = RLock()  # a tool may go at any moment, in this one too

    def of(self, tool: Tool) -> SchemaCheck:
        """The tool's validator."""
        with self._lock:
            known = self._kept.get(id(tool))
            if known is not None:
                self._kept.move_to_end(id(tool))
                return known[1]
        schema = _constraints(tool)
        made = _compiled(schema)
        self._keep(tool, made, _cost(schema))
        return made

    def _keep(self, tool: Tool, made: SchemaCheck, cost: int) -> None:
        key = id(tool)
        with self._lock:
            self._forget(key)
            self._kept[key] = (weakref.ref(tool, lambda _: self._forget(key)), made, cost)
            self._spent += cost
            while self._spent > KEPT_COST or len(self._kept) > KEPT:
                self._forget(next(iter(self._kept)))

    def _forget(self, key: int) -> None:
        with self._lock:
            _, _, cost = self._kept.pop(key, (None, None, 0))
            self._spent -= cost


_validators = _Validators()


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


def compile_schema(schema: JsonObject) -> jsonschema_rs.Draft202012Validator:
    """A validator of a stranger's schema: it opens nothing, and gives up on costly patterns.

    Raises:
        ValueError: this is no JSON Schema, or it refers to something outside.
    """
    try:
        return jsonschema_rs.Draft202012Validator(
            affordable(schema),
            pattern_options=jsonschema_rs.FancyRegexOptions(backtrack_limit=BACKTRACK_LIMIT),
            retriever=_no_retrieval,
        )
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error


def _no_retrieval(uri: str) -> JsonValue:
    raise ValueError(f"{uri} is not followed: tools are self-contained")
