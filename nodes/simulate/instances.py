"""Made-up JSON values: instances of a JSON Schema.

Everything is drawn from the caller's `random.Random`, so that a seed decides the value. Sizes are
bounded: lists hold two items where the schema leaves it open and never more than `MAX_ITEMS`,
objects `MAX_FIELDS` fields, nesting ends at `MAX_DEPTH`, and all together weigh `MAX_SIZE`: lists
within lists have as many items as those of each level multiplied.
"""

from base64 import b64encode
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from random import Random
from uuid import UUID

from gretel.catalog.bounds import weight
from gretel.catalog.document import as_list, as_object
from gretel.contracts.record import JsonObject, JsonValue

MAX_DEPTH = 8
MAX_ITEMS = 5
MAX_FIELDS = 40
MAX_SIZE = 5_000
"""Values of one instance, and as many as what a document wrote weighs in it."""
_STEPS = 1e15
"""Steps of `multipleOf` between nothing and a bound; of more no double tells one from the next."""
_EPOCH = datetime(2026, 1, 1, tzinfo=UTC)


class Supply(Random):
    """The source of every choice in one instance, and of as many values as it may have."""

    def __init__(self, seed: int | str) -> None:
        super().__init__(seed)
        self._left = MAX_SIZE

    @property
    def spent(self) -> bool:
        """Whether no value is left."""
        return self._left <= 0

    def written(self, value: JsonValue) -> JsonValue:
        """A value that the document wrote; None where there is no room for it any more."""
        if self.spent:
            return None
        self._left -= 1 + weight(value, MAX_SIZE)
        return value


def from_schema(
    schema: JsonValue, rng: Supply, *, name: str = "value", depth: int = 0
) -> JsonValue:
    """An instance of a JSON Schema without references.

    Honoured: `const`, `enum`, `example(s)`, `default`, the first usable branch of `oneOf`/`anyOf`,
    merged `allOf`, bounds of numbers, strings and arrays, `multipleOf`, `prefixItems`, `format`.
    Not honoured: `pattern`, `not`, conditionals, `dependentSchemas`.

    Args:
        schema: the schema; `True`, `{}` and anything without a type give a short string.
        rng: the source of every choice; once it is spent, what is left is null or empty.
        name: the field's name, of which strings are made.
        depth: levels above; from `MAX_DEPTH` on, objects and arrays stay empty.
    """
    if rng.spent:
        return None
    if not isinstance(schema, dict):
        return rng.written(text({}, rng, name))
    schema = _flattened(schema)
    if "const" in schema:
        return rng.written(schema["const"])
    if options := as_list(schema.get("enum")):
        return rng.written(rng.choice(options))
    for key in ("example", "default"):
        if key in schema:
            return rng.written(schema[key])
    if examples := as_list(schema.get("examples")):
        return rng.written(rng.choice(examples))
    make = _MAKERS[_type_of(schema)]
    made = make(schema, rng, name, depth)
    rng.written(made if isinstance(made, str) else None)
    return made


def _flattened(schema: JsonObject) -> JsonObject:
    """`schema` with `allOf` merged in, and one branch of `oneOf`/`anyOf` chosen."""
    merged: JsonObject = {k: v for k, v in schema.items() if k not in ("allOf", "oneOf", "anyOf")}
    branches = _schemas(schema.get("allOf"))
    for key in ("oneOf", "anyOf"):
        usable = [b for b in _schemas(schema.get(key)) if b.get("type") != "null"]
        branches += usable[:1]
    for branch in branches:
        flat = _flattened(branch)
        properties = {**as_object(merged.get("properties")), **as_object(flat.get("properties"))}
        required = [*as_list(merged.get("required")), *as_list(flat.get("required"))]
        merged = {**flat, **merged}
        if properties:
            merged["properties"] = properties
        if required:
            merged["required"] = required
    return merged


def _type_of(schema: JsonObject) -> str:
    declared = schema.get("type")
    names = [declared] if isinstance(declared, str) else as_list(declared)
    for name in names:
        if isinstance(name, str) and name in _MAKERS and (name != "null" or len(names) == 1):
            return name
    if "properties" in schema or "additionalProperties" in schema:
        return "object"
    return "array" if "items" in schema or "prefixItems" in schema else "string"


def _record(schema: JsonObject, rng: Supply, name: str, depth: int) -> JsonValue:
    if depth >= MAX_DEPTH:
        return {}
    properties = as_object(schema.get("properties"))
    required = set(map(str, as_list(schema.get("required"))))
    # A long record keeps what it must have; the order of the document decides among the rest.
    names = sorted(properties, key=lambda field: field not in required)[:MAX_FIELDS]
    kept = [field for field in properties if field in set(names)]
    extra = schema.get("additionalProperties")
    if not kept and isinstance(extra, dict):
        return {f"{name}_1": from_schema(extra, rng, name=name, depth=depth + 1)}
    return {
        field: from_schema(properties[field], rng, name=field, depth=depth + 1) for field in kept
    }


def _items(schema: JsonObject, rng: Supply, name: str, depth: int) -> JsonValue:
    if depth >= MAX_DEPTH:
        return []
    items: list[JsonValue] = [
        from_schema(item, rng, name=name, depth=depth + 1)
        for item in as_list(schema.get("prefixItems"))
    ]
    least, most = _count(schema, "minItems", 0), _count(schema, "maxItems", 2)
    wanted = 0 if schema.get("items") is False else min(max(2, least), max(most, least), MAX_ITEMS)
    for _ in range(wanted * 3):
        if len(items) >= wanted or rng.spent:
            break
        item = from_schema(schema.get("items", True), rng, name=name, depth=depth + 1)
        if not (schema.get("uniqueItems") and item in items):
            items.append(item)
    return items


def _integer(schema: JsonObject, rng: Supply, name: str, depth: int) -> JsonValue:
    low, high = _bounds(schema, margin=1)
    step = schema.get("multipleOf")
    if isinstance(step, int) and step > 0:
        first = -(-int(low) // step)
        return step * rng.randint(first, max(int(high) // step, first))
    return rng.randint(int(low), max(int(low), int(high)))


def _number(schema: JsonObject, rng: Supply, name: str, depth: int) -> JsonValue:
    low, high = _bounds(schema, margin=0.01)
    step = schema.get("multipleOf")
    if isinstance(step, int | float) and step > 0 and abs(low) + abs(high) < step * _STEPS:
        return step * rng.randint(int(low / step), max(int(high / step), int(low / step)))
    return min(max(round(rng.uniform(low, high), 2), low), high)


def _bounds(schema: JsonObject, *, margin: float) -> tuple[float, float]:
    """Least and greatest number allowed; `margin` keeps clear of exclusive bounds."""
    low, high = schema.get("minimum"), schema.get("maximum")
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    # OpenAPI 3.0 writes the exclusive bounds as booleans beside `minimum` and `maximum`.
    least = [x for x in (_plain(low), _shifted(above, low, margin)) if x is not None]
    most = [x for x in (_plain(high), _shifted(below, high, -margin)) if x is not None]
    if least:
        return max(least), min(most) if most else max(least) + 100
    return (min(most) - 100 if most and min(most) < 1 else 1), min(most, default=100)


def _shifted(exclusive: JsonValue, bound: JsonValue, margin: float) -> float | None:
    base = _plain(bound) if exclusive is True else _plain(exclusive)
    return None if base is None else base + margin


def _plain(value: JsonValue) -> float | None:
    return None if isinstance(value, bool) or not isinstance(value, int | float) else value


def _string(schema: JsonObject, rng: Supply, name: str, depth: int) -> JsonValue:
    form = schema.get("format")
    if isinstance(form, str) and form in _FORMATS:
        return _FORMATS[form](rng)
    return text(schema, rng, name)


def text(schema: JsonObject, rng: Random, name: str) -> str:
    """A string made of the field's name and a number, as long as the schema asks."""
    made = f"{name.replace('_', ' ')} {rng.randint(1, 99)}"
    least, most = _count(schema, "minLength", 0), _count(schema, "maxLength", 10_000)
    return made.ljust(min(least, 10_000), "x")[: max(most, 0)]


def _moment(rng: Random) -> datetime:
    return _EPOCH + timedelta(minutes=5 * rng.randint(0, 105_000))


_FORMATS: dict[str, Callable[[Random], str]] = {
    "date": lambda rng: _moment(rng).date().isoformat(),
    "date-time": lambda rng: _moment(rng).isoformat().replace("+00:00", "Z"),
    "time": lambda rng: _moment(rng).strftime("%H:%M:%SZ"),
    "duration": lambda rng: f"PT{rng.randint(1, 90)}M",
    "email": lambda rng: f"user{rng.randint(1, 99)}@example.com",
    "hostname": lambda rng: f"host{rng.randint(1, 99)}.example.com",
    "uri": lambda rng: f"https://example.com/{rng.randint(1, 999)}",
    "url": lambda rng: f"https://example.com/{rng.randint(1, 999)}",
    "uuid": lambda rng: str(UUID(int=rng.getrandbits(128), version=4)),
    "ipv4": lambda rng: f"192.0.2.{rng.randint(1, 254)}",
    "ipv6": lambda rng: f"2001:db8::{rng.randint(1, 9999):x}",
    "byte": lambda rng: b64encode(rng.randbytes(6)).decode(),
}

_MAKERS: dict[str, Callable[[JsonObject, Supply, str, int], JsonValue]] = {
    "object": _record,
    "array": _items,
    "integer": _integer,
    "number": _number,
    "string": _string,
    "boolean": lambda schema, rng, name, depth: rng.random() < 0.5,
    "null": lambda schema, rng, name, depth: None,
}


def _count(schema: JsonObject, key: str, otherwise: int) -> int:
    value = schema.get(key)
    return value if isinstance(value, int) else otherwise


def _schemas(value: JsonValue) -> list[JsonObject]:
    return [item for item in as_list(value) if isinstance(item, dict)]
