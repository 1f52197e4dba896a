"""A stranger's schema, held against values in bounded time and memory."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import jsonschema_rs

from gretel.contracts.record import JsonObject, JsonValue
from gretel.text.patterns import affordable, patterns_of, run_cost, with_patterns

BACKTRACK_LIMIT = 20_000
"""Steps after which a document's `pattern` is given up, so that a hostile one cannot hang us."""
RUN_COST = 20_000_000
"""Steps that a pattern may take on all texts: its states times the characters."""
MEMBERS_COST = 500_000
"""Values of a schema times those that it is held against: comparing two takes up to 0.5 µs, all in
one call that holds the interpreter."""
NUMBERS_COST = 10_000
"""The same for numbers, which are compared as exact fractions: some 10 µs for two usual ones."""
LENGTHS_COST = 1_000_000_000
"""Bounds of a text's length times the characters that they are held against: each counts them all,
some 0.2 s together."""
ERRORS_COST = 25_000
"""Values of a schema times those that break it: what is wrong is said all at once, some 20 µs and
2 KB each, and says the value again."""
ERROR_CHARACTERS = 2_000
"""Characters of a value, or of a schema, that take as long to repeat."""
DETAIL_LIMIT = 500
"""Characters of a problem: it may repeat a value, or all members of an enum."""

_BACKTRACKING = jsonschema_rs.FancyRegexOptions(backtrack_limit=BACKTRACK_LIMIT)
_LINEAR = jsonschema_rs.RegexOptions()
_OF_AN_OBJECT = frozenset(
    {"type", "properties", "required", "additionalProperties", "title", "description", "$schema"}
)
"""Keywords of an object whose fields can be checked one by one."""
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_UNEVALUATED = frozenset({"unevaluatedProperties", "unevaluatedItems"})
"""What these see is looked for twice at each level above them: twenty levels take for ever."""
_NAMED = ("properties", "patternProperties", "dependentSchemas", "$defs", "definitions")
_VALUES = ("enum", "const", "default", "examples")


class Wrong(NamedTuple):
    """What is wrong with a value."""

    message: str
    path: tuple[str | int, ...] = ()
    """Where, within the value."""
    kind: Any = None
    """Which rule it breaks, as the validator says it; None where too much may be wrong to say."""


_SOMETHING = Wrong("does not fit its schema, and too much of it may be wrong to say what")


class SchemaCheck:
    """A schema that is ready to be held against values."""

    def __init__(self, schema: JsonObject, *, linear: bool = False) -> None:
        """Compile `schema`.

        Args:
            schema: the schema; what is too dear to compile of it constrains nothing.
            linear: take no pattern that looks around or back, so that each runs in linear time.

        Raises:
            ValueError: this is no JSON Schema, or it refers to another place, within it or outside.
        """
        self._schema = _evaluated(affordable(schema))
        self._linear = linear
        self._whole = _compiled(self._schema, linear=linear)
        self._run = max(map(run_cost, patterns_of(self._schema)), default=0)
        self._size = _size_of(schema)

    def errors(self, value: JsonValue) -> list[Wrong]:
        """What is wrong with `value`, which nothing is that is too dear to compare.

        Where the texts are too long for a pattern, no pattern is run; where too much may be wrong
        to say it all, each field is checked by itself, or one problem stands for all.
        """
        size = _size_of(value)
        if _comparing_is_dear(self._size, size):
            return []
        too_long = self._run and self._run * size.characters > RUN_COST
        validator = self._plain if too_long else self._whole
        if validator.is_valid(value):
            return []
        if self._size.repeated * size.repeated > ERRORS_COST:
            return [*self._field_by_field(value)] or [_SOMETHING]
        found = validator.iter_errors(value)
        return [
            Wrong(each.message[:DETAIL_LIMIT], (*each.instance_path,), each.kind) for each in found
        ]

    @cached_property
    def _plain(self) -> jsonschema_rs.Draft202012Validator:
        kept = with_patterns(self._schema, lambda pattern: False)
        return _compiled(kept, linear=self._linear)

    def _field_by_field(self, value: JsonValue) -> Iterator[Wrong]:
        """What is wrong with the names of an object, and with each of its fields."""
        fields = self._schema.get("properties")
        simple = isinstance(self._schema.get("additionalProperties", True), bool)
        if not (simple and _OF_AN_OBJECT.issuperset(self._schema)):
            return
        if not isinstance(value, dict) or not isinstance(fields, dict):
            return
        anything: JsonObject = {name: {} for name in fields}
        names = SchemaCheck({**self._schema, "properties": anything}, linear=self._linear)
        yield from names.errors(dict.fromkeys(value))
        for name in filter(fields.__contains__, value):
            inner = fields[name]
            schema = inner if isinstance(inner, dict) else {"allOf": [inner]}
            for wrong in SchemaCheck(schema, linear=self._linear).errors(value[name]):
                yield wrong._replace(path=(name, *wrong.path))


class _Size(NamedTuple):
    """What a schema, or a value, is made of."""

    amount: int
    characters: int
    """Of all texts and names together."""
    numbers: int
    """Numbers, and words that ask whether something is a whole one."""
    digits: int
    """What these cost together, in usual numbers."""
    lengths: int
    """Words that ask how long a text is."""

    @property
    def repeated(self) -> int:
        """What it costs to say it again."""
        return self.amount + self.characters // ERROR_CHARACTERS


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
    lengths = texts.count("minLength") + texts.count("maxLength")
    return _Size(len(parts), sum(map(len, texts)), asked + len(numbers), digits, lengths)


def _digits(number: float) -> int:
    """What it costs to compare `number` exactly: 2⁻¹⁰⁷⁴ has 300 digits below its line."""
    size = abs(number)
    if not size or 1e-3 < size < 1e20:
        return 1
    return 5 if 1e-40 < size < 1e40 else 100


def _comparing_is_dear(schema: _Size, value: _Size) -> bool:
    """Whether the validator, which holds the interpreter all the time, may take some .2 s."""
    numbers = schema.digits * value.numbers + (schema.numbers + 1) * value.digits
    if schema.lengths * value.characters > LENGTHS_COST:
        return True
    return schema.amount * value.amount > MEMBERS_COST or numbers > NUMBERS_COST


def compile_schema(schema: JsonObject) -> jsonschema_rs.Draft202012Validator:
    """A validator of a stranger's schema: it opens nothing, and gives up on costly patterns.

    Raises:
        ValueError: this is no JSON Schema, or it refers to another place, within it or outside.
    """
    return _compiled(_evaluated(affordable(schema)), linear=False)


def _compiled(schema: JsonObject, *, linear: bool) -> jsonschema_rs.Draft202012Validator:
    if _refers(schema):
        raise ValueError("a reference is not followed: tools are self-contained")
    try:
        return jsonschema_rs.Draft202012Validator(
            schema,
            pattern_options=_LINEAR if linear else _BACKTRACKING,
            retriever=_no_retrieval,
        )
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error


def _evaluated(schema: dict[str, Any]) -> dict[str, Any]:
    """`schema` without what it says of what nothing else in it spoke of."""
    found = any(not _UNEVALUATED.isdisjoint(each) for each in _objects(schema))
    return _without(schema) if found else schema


def _without(schema: Any) -> Any:
    if isinstance(schema, list):
        return [*map(_without, schema)]
    if not isinstance(schema, dict):
        return schema
    kept: dict[str, Any] = {}
    for key, item in schema.items():
        if key in _NAMED and isinstance(item, dict):
            kept[key] = {name: _without(inner) for name, inner in item.items()}
        elif key not in _UNEVALUATED:
            kept[key] = item if key in _VALUES else _without(item)
    return kept


def _refers(schema: JsonValue) -> bool:
    """Whether anything refers to another place, which readers of documents write out there.

    Parts that refer to one another twice at each level cost twice as much for each level.
    """
    return any(isinstance(o.get(key), str) for o in _objects(schema) for key in _REFERENCES)


def _objects(value: JsonValue) -> Iterator[JsonObject]:
    """The objects anywhere in `value`."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, dict):
            yield item
            pending.extend(item.values())
        elif isinstance(item, list):
            pending.extend(item)


def _no_retrieval(uri: str) -> JsonValue:
    raise ValueError(f"{uri} is not followed: tools are self-contained")
