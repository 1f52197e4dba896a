"""A tool's parameters as slots: nested objects and arrays opened up to their leaves."""

import re
from collections.abc import Iterator

from gretel.catalog.document import as_list, as_object
from gretel.catalog.value_docs import value_documentation
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Parameter, Tool
from gretel.nodes.plan.slots.slot import Slot, allowed_values, json_type, name_words
from gretel.nodes.plan.slots.slot_kind import slot_kind
from gretel.text.identifiers import split_identifier
from gretel.text.words import word_set

_DEPTH = 5
_LONGEST = 600
"""Characters of a description that are read."""
_MOST = 60
"""Leaves of one tool that are looked at; required ones come first."""
_SAMPLES = re.compile(
    r"(?:\be\.?g\.?,?:?|\bsuch as|\bfor example,?:?|\bexamples?:|\boptions?(?: are| include)?:"
    r"|\bvalues?:|\bin \(|\beither|\bone of:?|\blike)\s*(?P<list>[^.;()]*(?:\.\s?\d[^.;()]*)*)",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"\b(?:(?:can|must) be|(?:valid|available|allowed|possible|supported) [\w ]{1,30}?"
    r"(?: are| include|(?=:))):?\s+(?P<list>[^.;()]*)",
    re.IGNORECASE,
)
"""Behind these a list of words stands, or just how a sentence goes on."""
_AS_CODE = re.compile(r"`([A-Za-z]{3,30})`|<code>([A-Za-z]{3,30})</code>")
_NO_VALUES = word_set("null none true false string integer number object array name type value and")
_FEW = 3
"""Words of a value in such a list."""
_KEYS = {(word,) for word in word_set("id identifier key code uuid name slug number")}
_NARROW = {"format", "pattern", "enum", "const"}
_PARENS = re.compile(r"\(([^()]*(?:,|\bor\b)[^()]*)\)")
_IN_QUOTES = re.compile(r"(?<!\w)'([^'\n]{2,40})'(?!\w)")
_SPLIT = re.compile(r",\s*(?:and\s+|or\s+)?|\s+or\s+|\s*/\s*(?=[A-Za-z])|\s+and\s+")


def _samples(description: str) -> list[str]:
    """Sample values that a description names: "(e.g., rare, medium)" → rare, medium."""
    description = description.replace(" (default)", "")
    lists = [match["list"] for match in _SAMPLES.finditer(description)]
    lists += [match["list"] for match in _LISTED.finditer(description) if _is_list(match["list"])]
    lists += [match[1] for match in _PARENS.finditer(description) if not lists]
    lists += [match[1] for match in _IN_QUOTES.finditer(description) if not lists]
    found = []
    for text in lists:
        for piece in _SPLIT.split(text):
            sample = piece.strip(" '\"`:)[]").removesuffix(" etc").strip()
            if sample and len(sample) <= 40 and sample.lower() not in ("etc", "e.g", "or"):
                found.append(sample)
    return found


def _is_list(text: str) -> bool:
    pieces = _SPLIT.split(text)
    return len(pieces) > 1 and all(0 < len(piece.split()) <= _FEW for piece in pieces)


def _examples(parameter: Parameter | None, schema: JsonObject, description: str) -> tuple[str, ...]:
    own: list[JsonValue] = list(parameter.examples) if parameter else []
    own += as_list(schema.get("examples"))
    own += [schema["example"]] if "example" in schema else []
    texts = [str(value) for value in own if isinstance(value, str | int | float)]
    return tuple(dict.fromkeys(texts + _samples(description)))[:12]


def chosen_schema(schema: JsonObject) -> JsonObject:
    """The schema itself, or its first alternative that is not null, with the outer keywords."""
    for keyword in ("anyOf", "oneOf", "allOf"):
        branches = schema.get(keyword)
        if isinstance(branches, list) and "type" not in schema and "properties" not in schema:
            usable = [b for b in branches if isinstance(b, dict) and b.get("type") != "null"]
            if usable:
                outer = {key: value for key, value in schema.items() if key != keyword}
                return chosen_schema({**outer, **usable[0]})
    return schema


def _below_args(tool: Tool, parameter: Parameter) -> str:
    """What a tool's own text says of an optional parameter, as docstrings do, or its list.

    `group_by: one of "country", "year"` on a line of its own; "by assignee (anna|ben)".
    """
    if parameter.required:
        return ""
    said, key = tool.description, re.escape(parameter.name)
    line = re.search(rf"^(?P<indent>[ \t]*){key}(?: \([^()\n]*\))?:[ \t]+(?P<first>.+)", said, re.M)
    if line is None:
        listed = re.search(rf"\b{key} \((\w+(?:\|\w+)+)\)", said)
        return f"One of: {listed[1].replace('|', ', ')}" if listed else ""
    lines = [line["first"]]
    for more in said[line.end() :].splitlines()[1:]:
        if len(more) - len(more.lstrip()) <= len(line["indent"]):
            break
        lines.append(more.strip())
    return " ".join(lines)


def _leaves(
    path: tuple[str, ...],
    schema: JsonObject,
    required: bool,
    description: str,
    parameter: Parameter | None,
    family: tuple[str, ...] = (),
) -> Iterator[Slot]:
    whole, schema = schema, chosen_schema(schema)
    own = schema.get("description")
    said = description or (own if isinstance(own, str) else "")
    description = value_documentation(said[: 2 * _LONGEST])[:_LONGEST]
    kind = json_type(schema)
    if kind == "object":
        yield from _properties(path, schema, required)
        return
    many = kind == "array"
    if many:
        schema = chosen_schema(as_object(schema.get("items")))
        if json_type(schema) in ("object", "array"):
            if len(path) < _DEPTH:
                yield from _leaves((*path, "[]"), schema, required, description, None)
            return
        inner = schema.get("description")
        description = description or value_documentation(inner if isinstance(inner, str) else "")
    examples = _examples(parameter, schema, description)
    name = next(step for step in reversed(path) if step != "[]")
    schema = _as_text(name, whole, schema)
    leaf = slot_kind(name, schema, description, examples)
    words = _keywords(whole, schema) + _quoted_words(name, schema, description)
    yield Slot(path, leaf, required, schema, description, examples, many, words, family)


def _as_text(name: str, whole: JsonObject, chosen: JsonObject) -> JsonObject:
    """The alternative for a text that is free, of a key that may be a number or one."""
    if json_type(chosen) != "integer" or name_words(name)[-1:] not in _KEYS:
        return chosen
    others = (as_object(each) for word in ("anyOf", "oneOf") for each in as_list(whole.get(word)))
    texts = (o for o in others if o.get("type") == "string" and not o.keys() & _NARROW)
    return next(texts, chosen)


def _keywords(whole: JsonObject, chosen: JsonObject) -> tuple[str, ...]:
    """The words that other alternatives of a schema than the chosen one allow."""
    others = [as_object(each) for word in ("anyOf", "oneOf") for each in as_list(whole.get(word))]
    members = (m for each in others if not allowed_values(chosen) for m in allowed_values(each))
    return tuple(member for member in members if isinstance(member, str) and member.isalpha())


def _quoted_words(name: str, schema: JsonObject, description: str) -> tuple[str, ...]:
    """The words that a description of a text puts in the letters of code: "use `latest` for …"."""
    if json_type(schema) != "string" or allowed_values(schema):
        return ()
    own = {*split_identifier(name), *_NO_VALUES}
    found = dict.fromkeys(match[1] or match[2] for match in _AS_CODE.finditer(description))
    return tuple(word for word in found if word.lower() not in own)


def _properties(path: tuple[str, ...], schema: JsonObject, required: bool) -> Iterator[Slot]:
    if len(path) >= _DEPTH:
        return
    needed = as_list(schema.get("required"))
    family = path if required and not needed else ()
    for name, inner in as_object(schema.get("properties")).items():
        if isinstance(inner, dict):
            yield from _leaves((*path, name), inner, required and name in needed, "", None, family)


def tool_slots(tool: Tool) -> tuple[Slot, ...]:
    """All leaves of the tool's arguments, those of required parameters first, at most 60.

    Keys of the service are none: nobody says them.
    """
    keys = {parameter.name for parameter in tool.implied_keys}
    slots = [
        slot
        for parameter in tool.fillable
        if parameter.name not in keys
        for slot in _leaves(
            (parameter.name,),
            parameter.json_schema,
            parameter.required,
            parameter.description or _below_args(tool, parameter),
            parameter,
        )
    ]
    return tuple(sorted(slots, key=lambda slot: not slot.required)[:_MOST])
