"""Which values a tool's document chose itself: what it writes of a parameter is not the person's.

A word that the person said and that the document lists as well, as a member of an enum, a default,
an example, or within a pattern or a sentence, is the document's choice too.
"""

from collections.abc import Iterator, Mapping

from gretel.catalog.document import as_object
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Parameter
from gretel.text.words import places

_LOOKED_AT = 20_000
"""Values of a parameter's schema that are looked at; no honest one has more."""


def written_in(parameter: Parameter, value: JsonValue) -> bool:
    """Whether the document of `parameter` writes one of the plain values in `value` itself."""
    wanted = {text.casefold() for text in plain_texts(value) if text}
    if not wanted:
        return False
    texts = (parameter.description, *_values(parameter.json_schema), *parameter.examples)
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

    Each with the argument's name, its own, and the default.
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
        entries = given if isinstance(given, list) else [None]
        stack += [(outer, schema.get("items"), entry) for entry in entries]
        choices = (schema.get(key) for key in ("allOf", "anyOf", "oneOf"))
        stack += [(outer, one, given) for some in choices if isinstance(some, list) for one in some]


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
