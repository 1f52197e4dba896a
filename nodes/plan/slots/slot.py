"""`Slot`: one leaf of a tool's arguments, and what kind of value it expects."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from gretel.catalog.arguments import argument_problems
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Parameter, Tool, ToolId
from gretel.text.identifiers import split_identifier
from gretel.text.patterns import DEAR, pattern_cost, with_patterns
from gretel.text.words import word_set

SlotKind: TypeAlias = Literal[
    "text", "query", "name", "id", "number", "year", "date", "time", "place", "airport", "country",
    "currency", "language", "latitude", "longitude", "coordinates", "email", "url", "ip", "phone",
    "path", "zone", "statement", "enum", "boolean",
]  # fmt: skip
"""`place`: a city, address or area by name. `airport`: an IATA code. `query`: what to search for,
or a text to work on. `path`, `zone`, `statement`: as the mentions of these kinds."""


@dataclass(frozen=True, eq=False)
class Slot:
    """A scalar, or a list of scalars, somewhere in a tool's arguments."""

    path: tuple[str, ...]
    """Parameter name, then property names; `[]` stands for the items of an array of objects."""
    kind: SlotKind
    required: bool
    """Its parent cannot be sent without it."""
    schema: JsonObject
    """Of the leaf itself; of one item where `many`."""
    description: str
    examples: tuple[str, ...]
    """Sample values of the document: of its own list, or named in the description."""
    many: bool = False
    """An array of such values is wanted."""
    keywords: tuple[str, ...] = ()
    """Words that stand for a value beside those of its schema: `latest` where a number is due."""
    family: tuple[str, ...] = ()
    """Path of the required object around it that requires none of its own properties, but must
    hold something; empty where there is none."""

    @property
    def name(self) -> str:
        """The last name of the path."""
        return next(name for name in reversed(self.path) if name != "[]")

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the name, and of its parents' names behind."""
        names = [name for name in reversed(self.path) if name != "[]"]
        return tuple(word for name in names for word in name_words(name))

    @property
    def enum(self) -> list[JsonValue]:
        """The allowed values, or those that a legend explains; empty where any will do."""
        numeric = self.type in ("integer", "number")
        return allowed_values(self.schema) or list(legend(self.description) if numeric else ())

    def label(self, member: JsonValue) -> str:
        """What the description says that an allowed value stands for, else the value itself."""
        known = legend(self.description)
        return known.get(member, str(member)) if isinstance(member, int) else str(member)

    @property
    def type(self) -> str:
        """The JSON type; of several the first that is not null; empty where none is given."""
        return json_type(self.schema)

    @property
    def pattern(self) -> str:
        """The pattern a string must meet; empty where there is none."""
        pattern = self.schema.get("pattern")
        return pattern if isinstance(pattern, str) else ""


_JOINED = re.compile(
    r"(?P<end>from|to|start|end|begin|since|until)(?P<when>date|time|day)"
    r"|(?P<thing>[a-z]{3,}?)(?P<key>id|uuid)"
)
"""Names whose words nothing parts: `fromdate`, `playerid`."""
_NO_KEYS = word_set(
    """valid invalid unpaid prepaid hybrid avoid liquid fluid solid rapid android covid
    pyramid braid plaid orchid humid centroid geoid ellipsoid asteroid madrid"""
)
"""Words that end like one, behind three letters or more."""


def name_words(name: str) -> tuple[str, ...]:
    """The words of a parameter's name, also where nothing parts the last one: `playerid`."""
    words = split_identifier(name)
    joined = _JOINED.fullmatch(words[-1]) if words and words[-1] not in _NO_KEYS else None
    return words if joined is None else (*words[:-1], *filter(None, joined.groups()))


_LEGEND = re.compile(
    r"(?<![\w.,-])(\d{1,2})\s?(?:=|:|–|-|for|is|means)\s?['\"]?([A-Za-z][\w -]{1,30})"
)


@lru_cache(maxsize=4_096)
def legend(description: str) -> dict[int, str]:
    """Numbers that a description explains: "(1 for child, 2 for adult)".

    Empty unless it explains two or more and leaves none out between them: samples, and the two
    ends of a scale, are no closed set.
    """
    found = {int(number): words.strip() for number, words in _LEGEND.findall(description)}
    closed = len(found) > 1 and max(found) - min(found) + 1 == len(found)
    return found if closed else {}


_ALTERNATIVES = re.compile(r"\^?\((?:\?:)?([\w .&/-]+(?:\|[\w .&/-]+)+)\)\$?")


def allowed_values(schema: JsonObject) -> list[JsonValue]:
    """The closed set that a schema names by `const`, `enum` or a pattern `^(a|b)$`; else empty."""
    if "const" in schema:
        return [schema["const"]]
    values = schema.get("enum")
    if isinstance(values, list):
        return values
    named = _ALTERNATIVES.fullmatch(str(schema.get("pattern", "")))
    return list(named[1].split("|")) if named else []


def json_type(schema: JsonObject) -> str:
    """The first type of a schema that is not null; empty where it names none."""
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((k for k in kind if k != "null"), "")
    if not kind and isinstance(schema.get("properties"), dict):
        return "object"
    return kind if isinstance(kind, str) else ""


_CONSTRAINTS = frozenset(
    {"pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
    | {"minLength", "maxLength", "enum", "const"}
)


def probe_of(slot: Slot) -> Tool | None:
    """A tool whose only argument is the leaf, to check values with; None without constraints.

    A pattern that is dear to run is left to the check of the whole call.
    """
    schema: JsonObject = with_patterns(slot.schema, lambda pattern: pattern_cost(pattern) <= DEAR)
    if not _CONSTRAINTS & schema.keys():
        return None
    leaf = Parameter(
        name="value", wire_name="value", location="argument", required=True, json_schema=schema
    )
    return Tool(tool_id=ToolId("probe.leaf"), toolkit="probe", operation="leaf", parameters=(leaf,))


def leaf_problem(probe: Tool | None, value: JsonValue) -> str:
    """How `value` breaks the leaf's constraints; empty where it does not."""
    if probe is None:
        return ""
    return next((problem.detail for problem in argument_problems(probe, {"value": value})), "")
