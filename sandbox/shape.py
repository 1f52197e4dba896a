"""Whether an answer is of another kind than the document promises, told by its field names.

Field names are compared, not types: an answer may leave fields out or add some, and either way most
names of the smaller side are on the other. Measured on the response examples of 41 real OpenAPI
documents: of 627 that stand beside a schema one is foreign to it, of 1,581 beside the schema of
another document 88 % are.
"""

import re
from collections.abc import Iterable, Iterator

from gretel.contracts.record import JsonValue
from gretel.contracts.tool import Response
from gretel.sandbox.content import complaint
from gretel.sandbox.phrases import CONTAINER_KEYS, CONTEXT_KEYS, LIST_KEYS, plain_key

_LEAST_SHARED = 1 / 3
"""Part of the smaller side's names that the other must have."""
_FEWEST = 2
"""Names that either side must have to be judged."""
_DEPTH = 12
_ITEMS = 20
"""Items of a list that are looked into."""
_MAP = 3
"""Fields from which an object of numbers alone, or of lists and objects alone, is taken for a map,
whose keys are data."""
_QUOTED_KEY = re.compile(r'"([^"]{1,60})":')
_AROUND = CONTEXT_KEYS | CONTAINER_KEYS | LIST_KEYS


def is_foreign(value: JsonValue, response: Response) -> bool:
    """Whether an answer shares next to no field names with the documented one.

    Never where either has too few names of its own, or the document shows an error.
    """
    found = frozenset(_names(value))
    if len(found) < _FEWEST and not _is_notice(value):
        return False
    promised = documented_names(response)
    if len(promised) < _FEWEST:
        return False
    fewer = min(len(found), len(promised))
    shared = frozenset(_names(value, maps=True)) & documented_names(response, maps=True)
    return not found or len(shared) < _LEAST_SHARED * fewer


def _is_notice(value: JsonValue) -> bool:
    """Whether an answer is words in an envelope and no more: `{"message": "Hello"}`."""
    return (
        isinstance(value, dict)
        and all(plain_key(key) in _AROUND for key in value)
        and not any(isinstance(item, dict | list) for item in value.values())
    )


def documented_names(response: Response, *, maps: bool = False) -> frozenset[str]:
    """Names of the fields that the schema or the example promises, without envelopes.

    Args:
        response: what is documented.
        maps: whether the keys of an example's maps count.
    """
    names = set(_schema_names(response.json_schema))
    example = response.example
    if isinstance(example, str):  # ToolBench cuts long templates, which leaves their beginning
        names.update(_own(_QUOTED_KEY.findall(example)))
    elif complaint(example) is None:
        names.update(_names(example, maps=maps))
    return frozenset(names)


def _names(value: JsonValue, depth: int = 0, *, maps: bool = False) -> Iterator[str]:
    """Plain names of the fields anywhere in an answer, an example or a ToolBench template."""
    if depth > _DEPTH:
        return
    if isinstance(value, list):
        for item in value[:_ITEMS]:
            yield from _names(item, depth + 1, maps=maps)
    elif isinstance(value, dict):
        if maps or not _is_map(list(value.values())):
            yield from _own(value)
        for item in value.values():
            yield from _names(item, depth + 1, maps=maps)


def _own(keys: Iterable[str]) -> Iterator[str]:
    """Names that say something: no envelope, no number, nothing that begins with a sign."""
    plain = (plain_key(key) for key in keys if key[:1].isalpha())
    return (key for key in plain if key not in _AROUND)


def _is_map(items: list[JsonValue]) -> bool:
    if len(items) < _MAP:
        return False
    return all(isinstance(item, dict | list) for item in items) or all(
        isinstance(item, int | float) or item in ("int", "float") for item in items
    )


def _schema_names(schema: JsonValue, depth: int = 0) -> Iterator[str]:
    """Plain names of the properties anywhere in a JSON Schema."""
    if not isinstance(schema, dict) or depth > _DEPTH:
        return
    properties = schema.get("properties")
    if isinstance(properties, dict):
        yield from _own(properties)
        for inner in properties.values():
            yield from _schema_names(inner, depth + 1)
    for word in ("items", "additionalProperties"):
        yield from _schema_names(schema.get(word), depth + 1)
    for word in ("allOf", "oneOf", "anyOf", "prefixItems"):
        branches = schema.get(word)
        for branch in branches if isinstance(branches, list) else ():
            yield from _schema_names(branch, depth + 1)
