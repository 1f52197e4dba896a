"""Schema objects of OpenAPI and JSON Schema → self-contained JSON Schema 2020-12."""

from collections.abc import Set
from typing import Literal, TypeAlias

from gretel.catalog.bounds import Pool, weight
from gretel.catalog.document import as_list, as_object
from gretel.catalog.references import DanglingError, Resolver, UnusableError
from gretel.catalog.schema_keywords import (
    ANNOTATIONS,
    CHECKS,
    SUBSCHEMA,
    SUBSCHEMA_LIST,
    SUBSCHEMA_MAP,
    typed,
)
from gretel.contracts.record import JsonObject, JsonValue

Direction: TypeAlias = Literal["request", "response"]

NODES = 2_000
"""Values that one inlined schema may have."""
WORK = 30_000
"""Values that all schemas of one operation may cost, failed attempts included."""
DEPTHS = (48, 12, 8, 6, 5, 4, 3, 2, 1)
"""Levels at which a schema is cut; the next is tried when it still has more than `NODES`."""
TEXT_LIMIT = 2_000
"""Characters of a description within a schema."""


class _TooLargeError(Exception):
    """This depth gives more values than allowed."""


class SchemaReader:
    """Reads the schemas of one operation in one direction, within bounds.

    References are inlined; a cycle is cut with `{}`, and so is what lies too deep. Schemas are
    cut evenly, by depth, so that the first property does not use up what all may have.
    """

    def __init__(
        self,
        resolver: Resolver,
        *,
        siblings: bool,
        direction: Direction,
        pool: Pool,
        forgiving: bool = False,
    ) -> None:
        """Read with `resolver`.

        Args:
            resolver: of the schemas' document.
            siblings: keywords beside `$ref` count (OpenAPI 3.1), not only its annotations.
            direction: requests lose what is read-only, responses what is write-only.
            pool: what is left for the schemas of the whole source.
            forgiving: leave out properties that are not required and whose reference dangles.
        """
        self._resolver = resolver
        self._siblings = siblings
        self._hidden = "readOnly" if direction == "request" else "writeOnly"
        self._pool = pool
        self._forgiving = forgiving
        self._work = WORK
        self._left = 0
        self.cut = False
        """Whether any schema was cut for its size."""
        self.left_out: dict[str, str] = {}
        """Properties that the last schema was forgiven, with why they cannot be read."""

    def read(self, schema: JsonValue) -> JsonObject:
        """The schema, inlined; what `left_out` names then is not in it.

        Raises:
            DanglingError: a reference is external or broken.
            UnusableError: this is no schema at all.
        """
        self.left_out = {}
        if not isinstance(schema, dict | bool):
            raise UnusableError("no usable schema", "Write the schema as an object")
        for depth in DEPTHS:
            self._left = allowed = min(NODES, self._work, self._pool.allowance(WORK - self._work))
            tried = self._attempt(schema, depth)
            try:
                if tried and self._resolver.too_large.get(tried, -1) >= allowed:
                    self._spend(allowed + 1)  # it costs what the attempt would have cost
                return self._schema(schema, frozenset(), depth)
            except _TooLargeError:
                self.cut = True
                if tried and not self.left_out:
                    self._resolver.too_large[tried] = allowed
            finally:
                spent = allowed - max(self._left, 0)
                self._work -= spent
                self._pool.take(spent)
        return {}

    def _attempt(self, schema: JsonValue, depth: int) -> tuple[object, ...] | None:
        """What names this attempt, where others may make it too: many operations share a schema."""
        if not isinstance(schema, dict) or schema.keys() != {"$ref"}:
            return None
        return (str(schema["$ref"]), depth, self._hidden, self._siblings, self._forgiving)

    def _spend(self, count: int) -> None:
        self._left -= count
        if self._left < 0:
            raise _TooLargeError

    def _spend_names(self, named: JsonObject) -> None:
        """Pay for long names, unless there are more names than can be paid for anyway."""
        if len(named) > self._left:
            raise _TooLargeError
        self._spend(sum(map(len, named)) // 200)

    def _schema(self, schema: JsonValue, chain: frozenset[str], depth: int) -> JsonObject:
        self._spend(1)
        if isinstance(schema, bool):
            return {} if schema else {"not": {}}
        if not isinstance(schema, dict) or depth == 0:
            self.cut |= depth == 0
            return {}
        self._spend(len(schema) // 20)
        if not isinstance(schema.get("$ref"), str):
            return self._keywords(schema, chain, depth)
        resolved = self._resolver.follow(schema, chain)
        self._spend(len(resolved.chain) - len(chain))
        if resolved.value == {} or not isinstance(resolved.value, dict | bool):
            target: JsonObject = {}
        else:
            target = self._schema(resolved.value, resolved.chain, depth)
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        return _combined(target, self._beside(beside, chain, depth)) if beside else target

    def _beside(self, beside: JsonObject, chain: frozenset[str], depth: int) -> JsonObject:
        extra = self._keywords(beside, chain, depth)
        if self._siblings:
            return extra
        return {key: value for key, value in extra.items() if key in ANNOTATIONS}

    def _keywords(self, schema: JsonObject, chain: frozenset[str], depth: int) -> JsonObject:
        result = typed(schema.get("type"))
        needed = self._needed(schema.get("required"))
        for key, value in schema.items():
            if key in SUBSCHEMA:
                self._subschema(result, key, value, chain, depth)
            elif key in SUBSCHEMA_LIST and isinstance(value, list) and value:
                result[key] = [self._schema(item, chain, depth - 1) for item in value]
            elif key in SUBSCHEMA_MAP and isinstance(value, dict):
                self._spend_names(value)
                needs = needed if key == "properties" else value.keys()
                result[key] = self._named(value, needs, chain, depth)
            elif key in CHECKS:
                kept = _cut(value) if key == "description" else value
                if key != "required":  # it is paid for
                    self._spend(weight(kept, self._left))
                if CHECKS[key](kept):
                    result[key] = kept
        self._dialect(schema, result)
        self._hide(result)
        return result

    def _needed(self, required: JsonValue) -> frozenset[str]:
        """The names that are required; they are paid for before anything is looked up there."""
        self._spend(weight(required, self._left))
        return frozenset(name for name in as_list(required) if isinstance(name, str))

    def _named(
        self, named: JsonObject, needed: Set[str], chain: frozenset[str], depth: int
    ) -> JsonObject:
        """The schemas of a map, without those that dangle, are not `needed` and are forgiven."""
        found: JsonObject = {}
        for name, schema in named.items():
            try:
                found[name] = self._schema(schema, chain, depth - 1)
            except DanglingError as error:
                if name in needed or not self._forgiving:
                    raise
                self.left_out[name] = error.reason
        return found

    def _subschema(
        self, into: JsonObject, key: str, value: JsonValue, chain: frozenset[str], depth: int
    ) -> None:
        if isinstance(value, list) and key == "items":  # a tuple, before 2020-12
            if value:
                into["prefixItems"] = [self._schema(item, chain, depth - 1) for item in value]
        elif isinstance(value, bool) and key == "additionalProperties":
            into[key] = value
        elif isinstance(value, dict | bool):
            into[key] = self._schema(value, chain, depth - 1)

    def _dialect(self, schema: JsonObject, result: JsonObject) -> None:
        """What OpenAPI 3.0 and Swagger 2.0 say otherwise than JSON Schema does."""
        for bound, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
            if schema.get(exclusive) is True and bound in result:
                result[exclusive] = result.pop(bound)
        if "example" in schema and "examples" not in result:
            self._spend(weight(schema["example"], self._left))
            result["examples"] = [schema["example"]]
        if schema.get("nullable") is True or schema.get("x-nullable") is True:
            _allow_null(result)

    def _hide(self, result: JsonObject) -> None:
        """Drop the properties that do not travel in this direction."""
        properties = as_object(result.get("properties"))
        gone = {k for k, v in properties.items() if as_object(v).get(self._hidden) is True}
        for name in gone:
            del properties[name]
        required = result.get("required")
        if gone and isinstance(required, list):
            result["required"] = [name for name in required if name not in gone]


def _cut(description: JsonValue) -> JsonValue:
    return description[:TEXT_LIMIT] if isinstance(description, str) else description


def _combined(target: JsonObject, extra: JsonObject) -> JsonObject:
    """Target and what stands beside its reference; where both constrain the same, both hold."""
    if target.keys() & extra.keys() <= ANNOTATIONS:
        return {**target, **extra}
    return {"allOf": [target, extra]}


def _allow_null(schema: JsonObject) -> None:
    kind = schema.get("type")
    kinds = kind if isinstance(kind, list) else [kind]
    if kind is None:
        _union_with_null(schema)
    elif "null" not in kinds:
        schema["type"] = [*kinds, "null"]
    members = schema.get("enum")
    if isinstance(members, list) and None not in members:
        schema["enum"] = [*members, None]


def _union_with_null(schema: JsonObject) -> None:
    """Without a type of its own, the null must pass by the composition."""
    inner: JsonObject = {
        key: schema.pop(key) for key in ("allOf", "anyOf", "oneOf") if key in schema
    }
    if inner:
        null: JsonObject = {"type": "null"}
        schema["anyOf"] = [inner, null]
