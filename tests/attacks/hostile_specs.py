"""Hostile descriptions of tools: every attack as the bytes or the document that is loaded.

An attack ends in a catalogue that is in proportion to its document, or in one clear error.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class Loads(NamedTuple):
    """What is left of a document: so many tools, so many skipped rows, and why."""

    tools: int = 1
    skipped: int = 0
    why: str = ""


class Partly(NamedTuple):
    """Some of so many operations became tools; the rest was skipped, and why."""

    total: int
    why: str


class Fails(NamedTuple):
    """The error's words."""

    why: str


class Attack(NamedTuple):
    """A document and its end."""

    made: Callable[[], bytes | dict[str, Any]]
    end: Loads | Partly | Fails


def openapi(paths: Mapping[str, Any], **root: Any) -> dict[str, Any]:
    """An OpenAPI 3.1 document."""
    return {"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}, "paths": paths, **root}


def asked(schema: Any, **more: Any) -> dict[str, Any]:
    """An operation with one query parameter."""
    return {"parameters": [{"name": "q", "in": "query", "schema": schema, **more}]}


def posted(schema: Any) -> dict[str, Any]:
    """An operation with a JSON body."""
    return {"requestBody": {"content": {"application/json": {"schema": schema}}}}


def one(operation: Any, **root: Any) -> dict[str, Any]:
    """A document of one operation."""
    return openapi({"/a": {"get": operation}}, **root)


def many(count: int, operation: Any, **root: Any) -> dict[str, Any]:
    """A document whose operations are all the same."""
    return openapi({f"/p{number}": {"get": operation} for number in range(count)}, **root)


def to(name: str) -> dict[str, str]:
    """A reference to a schema of the document."""
    return {"$ref": f"#/components/schemas/{name}"}


def schemas(**named: Any) -> dict[str, Any]:
    """Components."""
    return {"schemas": named}


def yaml_of(lines: str) -> bytes:
    """YAML whose first lines make it an OpenAPI document without operations."""
    return f"openapi: 3.1.0\ninfo: {{title: Shop, version: '1'}}\npaths: {{}}\n{lines}\n".encode()


def yaml_asked(schema: str, before: str = "") -> bytes:
    """YAML of one operation with one query parameter."""
    head = f"openapi: 3.1.0\ninfo: {{title: Shop, version: '1'}}\n{before}"
    parameter = f"[{{name: q, in: query, schema: {schema}}}]"
    return f"{head}paths: {{/a: {{get: {{parameters: {parameter}}}}}}}\n".encode()


def alias_bomb(levels: int, width: int, *, as_list: bool) -> bytes:
    """Billion laughs: each level holds the one below `width` times."""
    lines = ["x-0: &a0 lol"]
    for level in range(1, levels + 1):
        uses = [f"*a{level - 1}"] * width
        body = ", ".join(uses if as_list else [f"k{n}: {use}" for n, use in enumerate(uses)])
        lines.append(f"x-{level}: &a{level} " + (f"[{body}]" if as_list else f"{{{body}}}"))
    return yaml_of("\n".join(lines))


def merge_bomb(keys: int, uses: int) -> bytes:
    """One mapping, merged into many others."""
    base = ", ".join(f"k{number}: 1" for number in range(keys))
    return yaml_of(f"x-a: &a {{{base}}}\nx-b:\n" + "  - {<<: *a}\n" * uses)


def merge_chain(levels: int) -> bytes:
    """Each mapping merges the one before eight times over."""
    lines = ["x-0: &a0 {" + ", ".join(f"k{n}: 1" for n in range(2000)) + "}"]
    lines += [f"x-{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 900)}]}}" for n in range(1, levels)]
    return yaml_of("\n".join(lines))


def chain(length: int) -> dict[str, Any]:
    """References to references, in a row."""
    row = {f"L{n}": to(f"L{n + 1}") for n in range(length)}
    return one(asked(to("L0")), components=schemas(**row, **{f"L{length}": {"type": "string"}}))


def deep(levels: int) -> dict[str, Any]:
    """Every schema holds the next as a property."""
    row = {f"L{n}": {"properties": {"x": to(f"L{n + 1}")}} for n in range(levels)}
    return one(asked(to("L0")), components=schemas(**row, **{f"L{levels}": {"type": "string"}}))


def fan(levels: int, width: int, keyword: str) -> dict[str, Any]:
    """Every schema refers to the next several times: width to the power of levels."""

    def body(number: int) -> dict[str, Any]:
        uses = [to(f"L{number + 1}")] * width
        named = {f"p{place}": use for place, use in enumerate(uses)}
        return {keyword: named if keyword in ("properties", "patternProperties") else uses}

    row = {f"L{n}": body(n) for n in range(levels)}
    return one(asked(to("L0")), components=schemas(**row, **{f"L{levels}": {"type": "string"}}))


def hops() -> dict[str, Any]:
    """A fan whose every step is a long row of references."""
    row: dict[str, Any] = {}
    for level in range(20):
        row |= {f"L{level}_{hop}": to(f"L{level}_{hop + 1}") for hop in range(48)}
        row[f"L{level}_48"] = {"properties": {f"p{n}": to(f"L{level + 1}_0") for n in range(40)}}
    row["L20_0"] = {"type": "string"}
    return many(20, asked(to("L0_0")), components=schemas(**row))


def nested(schema_levels: int, keyword: str) -> dict[str, Any]:
    """A schema nested by itself, without references."""
    schema: Any = {"type": "string"}
    for _ in range(schema_levels):
        inner = {"p": schema} if keyword == "properties" else schema
        schema = {keyword: [schema] if keyword == "allOf" else inner}
    return one(asked(schema))


ALIASES: dict[str, Attack] = {
    "laughs-lists": Attack(lambda: alias_bomb(9, 9, as_list=True), Fails("values")),
    "laughs-mappings": Attack(lambda: alias_bomb(9, 9, as_list=False), Fails("values")),
    "laughs-two-thousand": Attack(lambda: alias_bomb(2, 2_500, as_list=True), Fails("values")),
    "laughs-deep": Attack(lambda: alias_bomb(40, 2, as_list=True), Fails("values")),
    "alias-of-itself": Attack(lambda: yaml_of("x: &a [*a]"), Fails("contains itself")),
    "alias-of-own-value": Attack(lambda: yaml_of("x: &a {k: {l: *a}}"), Fails("contains itself")),
    "alias-without-anchor": Attack(lambda: yaml_of("x: *nothing"), Fails("never anchored")),
    "alias-as-key": Attack(lambda: yaml_of("x: {? &a [1] : 1}"), Fails("not text")),
    "merge-many": Attack(lambda: merge_bomb(4_000, 4_000), Fails("aliases and merge keys")),
    "merge-chain": Attack(lambda: merge_chain(6), Fails("aliases and merge keys")),
    "merge-of-itself": Attack(lambda: yaml_of("x: &a {<<: *a}"), Fails("contains itself")),
    "few-aliases": Attack(
        lambda: yaml_asked("*s", "x-s: &s {type: string, maxLength: 5}\n"), Loads()
    ),
    "python-tag": Attack(
        lambda: yaml_asked("{type: string, default: !!python/object/apply:os.system [id]}"), Loads()
    ),
    "many-directives": Attack(
        lambda: b"".join(b"%%TAG !t%d! tag:x,2026:\n" % n for n in range(20_000)) + b"---\na: 1\n",
        Fails("more than 100 directives"),
    ),
    **{
        f"many-directives-parted-by-{ord(end):x}": Attack(
            lambda end=end: (
                end.join(f"%TAG !t{n}! tag:x" for n in range(300)).encode() + b"\n---\n"
            ),
            Fails("more than 100 directives"),
        )
        for end in "\r\x85\u2028\u2029"
    },
    "long-directive": Attack(
        lambda: b"%TAG !t! tag:" + b"x" * 1_000 + b"\n---\na: [!t!x a]\n",
        Fails("or a long one"),
    ),
    "many-documents": Attack(lambda: yaml_of("---\n" * 10_000), Loads(tools=0)),
    "yaml-deep": Attack(lambda: yaml_of("x: " + "[" * 5_000), Fails("nested deeper")),
    "yaml-deep-block": Attack(
        lambda: yaml_of("x:\n" + "".join(" " * n + "-\n" for n in range(1, 300))),
        Fails("nested deeper"),
    ),
    "yaml-half-anchor": Attack(lambda: yaml_of("x: &"), Fails("not YAML")),
    "yaml-huge-hex": Attack(
        lambda: yaml_asked(f"{{type: integer, maximum: 0x{'f' * 4_000}}}"), Loads()
    ),
    "yaml-huge-number": Attack(
        lambda: yaml_asked(f"{{type: integer, maximum: {'9' * 100_000}}}"), Loads()
    ),
}

REFERENCES: dict[str, Attack] = {
    "itself": Attack(lambda: one(asked(to("A")), components=schemas(A=to("A"))), Loads()),
    "each-other": Attack(
        lambda: one(asked(to("A")), components=schemas(A=to("B"), B=to("A"))), Loads()
    ),
    "by-items": Attack(
        lambda: one(asked(to("A")), components=schemas(A={"items": to("A")})), Loads()
    ),
    "by-all-of": Attack(
        lambda: one(asked(to("A")), components=schemas(A={"allOf": [to("A"), to("A")]})), Loads()
    ),
    "by-additional": Attack(
        lambda: one(asked(to("A")), components=schemas(A={"additionalProperties": to("A")})),
        Loads(),
    ),
    "by-not": Attack(lambda: one(asked(to("A")), components=schemas(A={"not": to("A")})), Loads()),
    "by-sibling": Attack(
        lambda: one(asked(to("A")), components=schemas(A={**to("A"), "items": to("A")})), Loads()
    ),
    "whole-document": Attack(lambda: one(asked({"$ref": "#"})), Loads()),
    "row-of-50": Attack(lambda: chain(48), Loads()),
    "row-too-long": Attack(lambda: chain(50), Loads(0, 1, "references in a row")),
    "row-of-10000": Attack(lambda: chain(10_000), Loads(0, 1, "references in a row")),
    "deep-10000": Attack(lambda: deep(10_000), Loads()),
    "fan-properties": Attack(lambda: fan(30, 2, "properties"), Loads()),
    "fan-all-of": Attack(lambda: fan(30, 2, "allOf"), Loads()),
    "fan-any-of": Attack(lambda: fan(5, 100, "anyOf"), Loads()),
    "fan-patterns": Attack(lambda: fan(10, 10, "patternProperties"), Loads()),
    "fan-of-rows": Attack(hops, Loads(tools=20)),
    "external-http": Attack(
        lambda: one(asked({"$ref": "http://169.254.169.254/latest/meta-data"}, required=True)),
        Loads(0, 1, "external reference"),
    ),
    "external-file": Attack(
        lambda: one(asked({"$ref": "file:///proc/self/environ"}, required=True)),
        Loads(0, 1, "external"),
    ),
    "external-relative": Attack(
        lambda: one(asked({"$ref": "../../etc/passwd"}, required=True)),
        Loads(0, 1, "external reference"),
    ),
    "external-data": Attack(
        lambda: one(asked({"$ref": "data:application/json,{}"}, required=True)),
        Loads(0, 1, "external"),
    ),
    "external-scheme-relative": Attack(
        lambda: one(asked({"$ref": "//169.254.169.254/x"}, required=True)),
        Loads(0, 1, "external reference"),
    ),
    "external-path-item": Attack(
        lambda: openapi({"/a": {"$ref": "http://169.254.169.254/"}}), Loads(0, 1, "external")
    ),
    "external-parameter": Attack(
        lambda: one({"parameters": [{"$ref": "file:///etc/passwd"}]}), Loads()
    ),
    "external-optional": Attack(
        lambda: one(asked({"$ref": "http://169.254.169.254/latest/meta-data"})), Loads()
    ),
    "external-body": Attack(
        lambda: one({"requestBody": {"$ref": "gopher://127.0.0.1:6379/_x"}}),
        Loads(0, 1, "external"),
    ),
    "external-answer": Attack(
        lambda: one({"responses": {"200": {"$ref": "https://localhost/"}}}), Loads()
    ),
    "external-example": Attack(
        lambda: one(asked({}, examples={"a": {"externalValue": "file:///etc/passwd"}})), Loads()
    ),
    "broken": Attack(
        lambda: one(asked(to("Nothing"), required=True)), Loads(0, 1, "broken reference")
    ),
    "index-of-digits": Attack(
        lambda: one(asked({"$ref": f"#/x/{'9' * 9_000}"}, required=True), x=[1]),
        Loads(0, 1, "broken"),
    ),
    "index-negative": Attack(
        lambda: one(asked({"$ref": "#/x/-1"}, required=True), x=[{}]),
        Loads(0, 1, "broken reference"),
    ),
    "long-reference": Attack(
        lambda: one(asked({"$ref": "#/" + "a/" * 500_000}, required=True)),
        Loads(0, 1, "broken reference"),
    ),
    "path-item-of-itself": Attack(lambda: openapi({"/a": {"$ref": "#/paths/~1a"}}), Loads(0, 0)),
}
