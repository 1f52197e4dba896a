"""One operation of an OpenAPI document, and what its readers share."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Literal, NamedTuple, TypeAlias

from gretel.catalog.bounds import (
    DESCRIPTION_LIMIT,
    EXAMPLE_SIZE,
    NAME_LIMIT,
    NOTE_LIMIT,
    Pool,
    weight,
)
from gretel.catalog.document import as_list, as_object, as_text
from gretel.catalog.references import Resolver, UnusableError
from gretel.catalog.schema import SchemaReader
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import FORM, MULTIPART, Location, Parameter, SecurityScheme

Version: TypeAlias = Literal["2.0", "3.0", "3.1"]

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
EXAMPLE_LIMIT = 5
"""Examples that a parameter keeps."""
EXAMPLES_READ = 50
MEDIA_TYPES_READ = 100


class Asked(NamedTuple):
    """The ways to sign in that one part of a document names."""

    alternatives: tuple[tuple[SecurityScheme, ...], ...]
    notes: tuple[str, ...]
    """What was left out of them, and why."""


@dataclass(frozen=True)
class Document:
    """An OpenAPI or Swagger document whose kind is known."""

    root: JsonObject
    version: Version
    """3.2 counts as 3.1."""
    name: str
    """File name, or `document`."""
    toolkit: str
    resolver: Resolver
    description: str = ""
    """What the document says of the whole, for each of its tools."""
    pool: Pool = field(default_factory=Pool)
    asked: dict[int, Asked] = field(default_factory=dict)
    """What its parts that say how to sign in name, by the id of each: operations share them."""

    @cached_property
    def usual_security(self) -> JsonValue:
        """What most of the operations that ask for credentials ask for; None where none does."""
        items = [as_object(item) for item in as_object(self.root.get("paths")).values()]
        operations = (as_object(item.get(method)) for item in items for method in METHODS)
        stated: dict[tuple[tuple[str, ...], ...], JsonValue] = {}
        count: Counter[tuple[tuple[str, ...], ...]] = Counter()
        for required in (as_list(each.get("security")) for each in operations):
            if any(names := tuple(tuple(as_object(entry)) for entry in required)):
                stated.setdefault(names, required)
                count[names] += 1
        return stated[count.most_common(1)[0][0]] if count else None


@dataclass
class Operation:
    """An operation that is being read."""

    document: Document
    path: str
    method: str
    """Lower case."""
    item: JsonObject
    """The path item that it stands in."""
    spec: JsonObject
    notes: list[str] = field(default_factory=list)
    """What was changed while reading."""
    declared: int = 0
    """How many parameters it and its path declare."""

    def __post_init__(self) -> None:
        siblings = self.document.version == "3.1"
        resolver = self.document.resolver
        self.resolver = resolver
        pool = self.document.pool
        self.request = SchemaReader(
            resolver, siblings=siblings, direction="request", pool=pool, forgiving=True
        )
        self.response = SchemaReader(resolver, siblings=siblings, direction="response", pool=pool)

    @property
    def place(self) -> str:
        """Where it stands, as a JSON pointer into its file."""
        return f"{path_place(self.document, self.path)}/{self.method}"


def path_place(document: Document, path: str) -> str:
    """Where a path item stands, as a JSON pointer into its file."""
    pointer = path.replace("~", "~0").replace("/", "~1")
    return f"{document.name}#/paths/{pointer}"


def example_values(resolver: Resolver, holder: JsonObject) -> list[JsonValue]:
    """What `example` and `examples` of a parameter or media type hold, the first of many.

    External ones are left out, and those that weigh more than `EXAMPLE_SIZE`.
    """
    values = [holder["example"]] if "example" in holder else []
    examples = holder.get("examples")
    if isinstance(examples, list):
        values += examples[:EXAMPLES_READ]
    else:
        values += _named_examples(resolver, islice(as_object(examples).values(), EXAMPLES_READ))
    return [value for value in values if weight(value, EXAMPLE_SIZE) <= EXAMPLE_SIZE]


def _named_examples(resolver: Resolver, entries: Iterable[JsonValue]) -> Iterator[JsonValue]:
    for entry in entries:
        try:
            example = resolver.object(entry)
        except UnusableError:  # a sample more or less does not decide about an operation
            continue
        if "value" in example:
            yield example["value"]


def described_parameter(
    name: str,
    schema: JsonObject,
    *,
    required: bool,
    location: Location = "argument",
    description: str = "",
    samples: Sequence[JsonValue] = (),
    style: str | None = None,
    explode: bool | None = None,
) -> Parameter:
    """A parameter; what its schema says and shows of it is lifted out of the schema.

    Its own description goes before that of the schema, and its own samples do.
    """
    schema = dict(schema)
    inner = as_text(schema.pop("description", None))
    return Parameter(
        name=name,
        wire_name=name,
        location=location,
        required=required,
        examples=_lifted_examples(schema, samples),
        json_schema=schema,
        description=(description or inner)[:NOTE_LIMIT],
        style=style,
        explode=explode,
    )


def _lifted_examples(schema: JsonObject, first: Sequence[JsonValue]) -> tuple[JsonValue, ...]:
    """Distinct examples, `first` ones before those that are taken out of `schema`."""
    distinct: dict[str, JsonValue] = {}
    for value in [*first, *as_list(schema.pop("examples", None))][: 10 * EXAMPLE_LIMIT]:
        if value is not None:  # told apart by their JSON, for which 1 and true differ
            distinct.setdefault(json.dumps(value, sort_keys=True), value)
    return tuple(distinct.values())[:EXAMPLE_LIMIT]


def media_types(content: JsonValue) -> Iterator[tuple[str, JsonObject]]:
    """Media types with their objects, JSON first, then forms, then the others as they stand.

    Of many the first; those whose name is longer than `NAME_LIMIT` are left out.
    """
    given = islice(as_object(content).items(), MEDIA_TYPES_READ)
    entries = [(name, as_object(value)) for name, value in given if len(name) <= NAME_LIMIT]
    yield from sorted(entries, key=lambda entry: media_rank(entry[0]))


def media_rank(name: str) -> int:
    """0 for JSON, 1 and 2 for the two kinds of form, 3 for all else."""
    bare = name.partition(";")[0].strip().lower()
    if bare == "application/json":
        return 0
    if bare.endswith(("/json", "+json")) or bare in ("*/*", "application/*"):
        return 0
    return {FORM: 1, MULTIPART: 2}.get(bare, 3)


def joined_text(summary: JsonValue, description: JsonValue) -> str:
    """Summary and description as one text, cut where long, without saying the same twice."""
    head = as_text(summary)[:DESCRIPTION_LIMIT]
    body = as_text(description)[:DESCRIPTION_LIMIT]
    if not head or body.casefold().startswith(head.casefold().rstrip(".… ")):
        return body or head
    if not body:
        return head
    return f"{head}{'' if head[-1] in '.!?:' else '.'} {body}"[:DESCRIPTION_LIMIT]
