"""Which values a tool's document chose itself: what it writes of a parameter is not the person's.

A word that the person said and that the document lists as well, as a member of an enum, a default,
an example, or within a pattern or a sentence, is the document's choice too.
"""

from collections.abc import Iterator, Mapping
from itertools import zip_longest

from gretel.catalog.document import as_object
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Parameter
from gretel.text.words import places

UNREAD = "\0unread"
"""The name that stands for what nobody has looked at, of schemas and of values."""
_LOOKED_AT = 20_000
"""Values of a parameter's schema that are looked at; no honest one has more."""


def written_in(parameter: Parameter, value: JsonValue) -> bool:
    """Whether the document of `parameter` writes one of the plain values in `value` itself."""
    wanted = {text.casefold() for text in plain_texts(value) if text}
    if not wanted:
        return False
    values = [*_values(parameter.json_schema)]
    if len(values) >= _LOOKED_AT:  # what stands behind them nobody has read
        return True
    texts = (parameter.description, *values, *parameter.examples)
    written = "\n".join(str(text).casefold() for text in texts if not isinstance(text, bool))
    return any(_stands(text, written) for text in wanted)


def _stands(words: str, text: str) -> bool:
    """Whether `words` stand in `text`, and not within a longer word.

    No pattern is made of them: these are kept in memory, and values are of any length.
    """
    for start in places(words, text):
        end = start + len(words)
        if not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum()):
            return True
    return False


def only_choice(parameter: Parameter) -> bool:
    """Whether the document leaves one value alone."""
    schema = parameter.json_schema
    members = schema.get("enum")
    return "const" in schema or (isinstance(members, list) and len(members) == 1)


def defaults_within(
    schemas: Mapping[str, JsonValue], values: JsonObject
) -> Iterator[tuple[str, str, JsonValue]]:
    """Properties, at any depth, that arguments leave out and that have a default.

    Each with the argument's name, its own, and the default. Behind more of them than are looked at
    stands `UNREAD`.
    """
    stack = [(name, schema, values.get(name)) for name, schema in [*schemas.items()][::-1]]
    for _ in range(_LOOKED_AT):
        if not stack:
            return
        outer, schema, given = stack.pop()
        if not isinstance(schema, dict):
            continue
        for name, inner in as_object(schema.get("properties")).items():
            there = isinstance(given, dict) and name in given
            if not there and isinstance(inner, dict) and "default" in inner:
                yield outer, name, inner["default"]
            stack.append((outer, inner, as_object(given).get(name)))
        parts = _parts(schema, given)
        stack += [(outer, inner, within) for inner, within in parts if isinstance(inner, dict)]
    yield next(iter(schemas), ""), UNREAD, None


def _parts(schema: JsonObject, given: JsonValue) -> Iterator[tuple[JsonValue, JsonValue]]:
    """The schemas in one, without its properties, each with the value that it describes."""
    entries = given if isinstance(given, list) and given else [None]
    yield from ((schema.get("items"), entry) for entry in entries)
    for choices in (schema.get(key) for key in ("allOf", "anyOf", "oneOf")):
        yield from ((one, given) for one in choices) if isinstance(choices, list) else ()
    yield from ((schema.get(key), given) for key in ("if", "then", "else"))
    yield from ((one, given) for one in as_object(schema.get("dependentSchemas")).values())
    first = schema.get("prefixItems")
    yield from zip_longest(first, entries[: len(first)]) if isinstance(first, list) else ()
    named = set(as_object(schema.get("properties")))
    others = [each for name, each in as_object(given).items() if name not in named] or [None]
    patterns = as_object(schema.get("patternProperties")).values()
    for inner in (schema.get("additionalProperties"), *patterns):
        yield from ((inner, each) for each in others)


def plain_texts(value: JsonValue) -> Iterator[str]:
    """The names and plain values in `value`, as text."""
    for each in _values(value):
        yield str(each).lower() if isinstance(each, bool) else str(each)


def _values(value: JsonValue) -> Iterator[JsonValue]:
    """The names and plain values in `value`, in their order."""
    stack, left = [value], _LOOKED_AT
    while stack and left:
        left -= 1
        each = stack.pop()
        if isinstance(each, dict):
            stack += [part for pair in reversed(each.items()) for part in reversed(pair)]
        elif isinstance(each, list):
            stack += reversed(each)
        elif each is not None and not (isinstance(each, int) and abs(each) > 1 << 64):
            yield each
