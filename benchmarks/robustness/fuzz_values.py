"""What `fuzz.py` is made of: real shapes of documents and answers, and hostile values for them."""

import copy
import json
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from gretel.text.words import word_list

RAW = {"@1e400@": "1e400", "@-1e400@": "-1e400", "@digits@": "9" * 4_000}
LONG = {"@long@": "9" * 6_000}
"""Strings that stand for numbers which Python does not write."""

PATTERNS = (
    *("(a{1000}){1000}", r"(\p{L}{100}){10}", r"(?=a)(\p{L}{250}){8}", r"^(a+)+$", "(", "[z-a]"),
    *(r"(?:(?=.)(.+)+)+!$", r"^(\w+\s?)*$", r"(.*)*\1", "(?:a?){64}a{64}", "x" * 50_000),
    *(r"(?:\p{L}|\p{M}){0,500}", "(((((((((a*)*)*)*)*)*)*)*)*)*", "\ud800", r"\u{10ffff}+"),
)
NAMES = (
    *(".".join("a" * 200), "a.b." * 2_000, "x" * 5_000, "A" * 900, "aB" * 450, "1" * 800, "\u202e"),
    *("ß" * 300, "ﷺ" * 200, "é\u0301" * 200, "\ud800", "\x00", "__proto__", "", " ", "日本" * 100),
)
TEXTS = (
    *(
        "a" * 100_000,
        "word " * 20_000,
        "a.b." * 25_000,
        "e.g. " * 10_000,
        "(" * 20_000,
        "'" * 9_999,
    ),
    *("\n" * 20_000, "1," * 30_000, "\ud800\udfff", "\u0300" * 50_000, "<" * 30_000, "[](" * 9_000),
    *("or " * 20_000, "2026-01-01 " * 5_000, "https://" + "a." * 9_000, "ſ" * 5_000, "{" * 9_000),
)


def text(draw: random.Random) -> str:
    """A text as documents have it, cut to a sentence unless it is to be a very long one."""
    found = draw.choice(TEXTS)
    return found if draw.random() < 0.1 else found[:300]


def scalar(draw: random.Random) -> Any:
    """Any single value, of a wrong type or beyond what is usual."""
    return draw.choice(
        [
            *(None, True, False, 0, -1, 1.5, "", "x", 2**63, 2**64, -(2**63) - 1, 10**30, 10**400),
            *(float("nan"), float("inf"), -0.0, 1e308, 5e-324, *RAW, *RAW),
            *(LONG if draw.random() < 0.02 else ()),
            draw.choice(PATTERNS),
            draw.choice(NAMES),
            text(draw),
        ]
    )


def hostile(draw: random.Random) -> Any:
    """A value, or a container that stands where another type belongs."""
    kind = draw.randrange(12)
    if kind < 6:
        return scalar(draw)
    if kind == 6:
        return [[scalar(draw)] for _ in range(draw.choice([0, 1, 3]))]
    if kind == 7:
        return {str(draw.choice(NAMES)): scalar(draw) for _ in range(3)}
    if kind == 8:
        return {"$ref": draw.choice(["#", "#/", "#/paths", "#/components/schemas/Thing", "x#/y"])}
    if kind == 9:
        return [scalar(draw)] * draw.choice([10, 1_000])
    if kind == 10:
        return nested(
            draw.choice([20, 100, 400] if draw.random() < 0.1 else [20, 100]),
            draw.choice([{}, [], 1]),
            draw.random() < 0.5,
        )
    return draw.choice(
        [{"type": [["string"]]}, {"type": {}}, {"enum": {}}, {"allOf": [[{}]]}, [{}]]
    )


def nested(levels: int, inner: Any, objects: bool) -> Any:
    """`inner` within so many lists or objects."""
    for _ in range(levels):
        inner = {"properties": inner} if objects else [inner]
    return inner


def schema(draw: random.Random) -> Any:
    """A schema whose keywords are hostile, and sometimes large."""
    big = draw.random() < 0.08
    kind = draw.choice(["string", "integer", "number", "array", "object", "boolean", ["string"]])
    made: dict[str, Any] = {"type": kind}
    for word in draw.sample(KEYWORDS, draw.randint(0, 4)):
        made[word] = draw.choice([scalar, hostile])(draw)
    if draw.random() < 0.3:
        made["pattern"] = draw.choice(PATTERNS)
    if draw.random() < 0.2:
        size = draw.choice([1_500, 20_000, 100_000]) if big else 20
        made["enum"] = [draw.choice(["a.b", "v", "Ab", 1])] + [f"m{n}.x y" for n in range(size)]
    if draw.random() < 0.2:
        size = draw.choice([200, 1_500]) if big else 5
        made |= {
            "type": "object",
            "properties": {f"p{n}.q": {"type": "string"} for n in range(size)},
        }
    if draw.random() < 0.15:
        made = {draw.choice(["allOf", "anyOf", "oneOf"]): [made, scalar(draw)]}
    if draw.random() < 0.1:
        made = {"type": "array", "items": made}
    return made


KEYWORDS = word_list(
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems "
    "maxItems uniqueItems default example examples enum const required properties items format "
    "additionalProperties allOf anyOf oneOf not nullable patternProperties description title"
)


def parameters(draw: random.Random) -> list[Any]:
    """Parameters of one operation; now and then thousands."""
    few = draw.randint(0, 4)
    count = draw.choice([300, 1_000, 10_000]) if draw.random() < 0.02 else few
    return [
        {
            "name": draw.choice(["q", "id", "city", "date_from", f"p{n}", f"a.b.c{n}"]) + str(n),
            "in": draw.choice(["query", "query", "path", "header", "cookie"]),
            "required": draw.random() < 0.3,
            "description": draw.choice(["The city, e.g. Oslo", text(draw)]),
            "schema": schema(draw) if count == few or n < 20 else {"type": "string"},
            "example": draw.choice(["x", scalar(draw)]) if n < 20 else "x",
        }
        for n in range(count)
    ]


def operation(draw: random.Random) -> dict[str, Any]:
    """One operation of an OpenAPI document."""
    made: dict[str, Any] = {
        "operationId": draw.choice(["search", "getThing", draw.choice(NAMES)]),
        "summary": "Search things by city.",
        "description": draw.choice(["Finds flights.", text(draw)]),
        "parameters": parameters(draw),
        "tags": ["t"],
        "responses": {
            "200": {
                "description": "ok",
                "content": {
                    "application/json": {"schema": schema(draw), "example": scalar(draw)},
                },
            }
        },
    }
    if draw.random() < 0.2:
        body = {"required": True, "content": {"application/json": {"schema": schema(draw)}}}
        made["requestBody"] = body
    return made


def openapi(draw: random.Random) -> Any:
    """An OpenAPI document with a few operations, some of which say that they change something."""
    paths: dict[str, Any] = {}
    for number in range(draw.randint(1, 5)):
        harm = draw.random() < 0.2
        path = f"/harm/delete-user/{number}" if harm else f"/things{number}/{{id0}}"
        path = draw.choice([path, path, f"/{'a.' * 500}{number}"])
        method = draw.choice(["get", "get", "get", "post", "delete", "head", "patch"])
        paths[path] = {method: operation(draw)}
    servers = [{"url": "https://api.example.com/v1"}]
    if draw.random() < 0.03:
        servers = [{"url": f"https://h{n}.example.com"} for n in range(4_000)]
    return {
        "openapi": draw.choice(["3.0.0", "3.1.0", "3.1.0", "3.2.0"]),
        "info": {"title": draw.choice(["Shop", "A.B"]), "version": "1", "description": "Sells."},
        "servers": servers,
        "paths": paths,
        "components": {
            "schemas": {
                "Thing": {"properties": {"self": {"$ref": "#/components/schemas/Thing"}}},
                "Other": schema(draw),
            },
            "securitySchemes": {"k": {"type": "apiKey", "in": "header", "name": "K"}},
        },
        "security": draw.choice([[], [{"k": []}], [{"none": []}]]),
    }


def swagger(draw: random.Random) -> Any:
    """A Swagger 2.0 document."""
    entries = [{**each.pop("schema"), **each} for each in parameters(draw)[:1_500] if each]
    return {
        "swagger": "2.0",
        "info": {"title": "Old"},
        "host": "old.example.com",
        "basePath": "/v1",
        "schemes": ["https"],
        "paths": {"/things": {"get": {"parameters": entries, "responses": {"200": {}}}}},
        "definitions": {"Thing": schema(draw)},
    }


def mcp(draw: random.Random) -> Any:
    """An answer to `tools/list`."""
    tools = [
        {
            "name": draw.choice([f"read{n}", draw.choice(NAMES)]),
            "description": draw.choice(["Reads a file.", text(draw)]),
            "inputSchema": {"type": "object", "properties": {"path": schema(draw)}},
            "outputSchema": schema(draw),
            "annotations": {"readOnlyHint": True},
        }
        for n in range(draw.randint(1, 4))
    ]
    return {"tools": tools}


def toolbench(draw: random.Random) -> Any:
    """A ToolBench tool."""
    fields = [
        {
            "name": f"city{n}",
            "type": draw.choice(["STRING", "NUMBER", "x"]),
            "default": scalar(draw),
        }
        for n in range(draw.randint(0, 4))
    ]
    method = draw.choice(["GET", "GET", "POST", "DELETE"])
    api = {
        "name": draw.choice(["search", draw.choice(NAMES)]),
        "description": draw.choice(["Finds.", text(draw)]),
        "required_parameters": fields,
        "optional_parameters": [],
        "method": method,
        "template_response": hostile(draw),
        "schema": schema(draw),
    }
    return {"tool_name": "Kit", "tool_description": "Tools.", "api_list": [api]}


def row(draw: random.Random) -> Any:
    """A row of a JSONL catalogue, of one of its shapes."""
    record = {
        "tool_id": "Kit.op",
        "toolkit": "Kit",
        "operation": "op",
        "parameters": [
            {
                "name": "q",
                "wire_name": "q",
                "location": "query",
                "required": True,
                "json_schema": schema(draw),
            }
        ],
        "response": {"json_schema": schema(draw), "example": hostile(draw)},
        "binding": {
            "kind": "http",
            "method": draw.choice(["GET", "get", "POST"]),
            "path": "/op/{q}",
            "servers": ["https://api.example.com"],
        },
    }
    function = {"name": "f", "description": "d", "parameters": {**schema(draw), "type": "object"}}
    fields = {"api_name": "g", "parameters": {"city": {"type": "str", "description": "x"}}}
    meta = {"method": "GET", "path": "/x/{id}", "parameters": parameters(draw)[:50]}
    text = "category_name:a, tool_name:b, api_name:c, api_description:d, required_params: []"
    return draw.choice(
        [
            record,
            record,
            {"_id": "1", "metadata": {"api": function}},
            {"_id": "2", "metadata": {"api": fields}},
            {"_id": "3", "name": "m", "inputSchema": schema(draw)},
            {"_id": "4", "title": "h", "text": "t", "metadata": meta},
            {"_id": "5", "text": text + ", optional_params: [], return_schema: {}"},
            {"_id": "6", "title": draw.choice(NAMES), "text": draw.choice(TEXTS)},
        ]
    )


class Document(NamedTuple):
    """A generated document."""

    kind: str
    content: bytes
    suffix: str | None = None
    """Of the file that it is loaded from; None: the bytes are loaded."""


def document(draw: random.Random) -> Document:
    """A document of any kind, with a few more changes in random places."""
    kind, make, suffix = draw.choice(KINDS)
    if kind == "jsonl":
        rows = [mutated(draw, row(draw)) for _ in range(draw.randint(1, 4))]
        return Document(kind, b"\n".join(map(written, rows)), suffix)
    content = written(mutated(draw, make(draw)))
    if kind in ("openapi", "swagger") and draw.random() < 0.3:
        content, suffix = b"# yaml\n" + content, ".yaml"
        if draw.random() < 0.5:
            content = tagged(draw, content)
    if draw.random() < 0.05:
        content = corrupted(draw, content)
    return Document(kind, content, suffix)


KINDS: tuple[tuple[str, Callable[[random.Random], Any], str | None], ...] = (
    *(("openapi", openapi, None), ("openapi", openapi, None), ("openapi", openapi, ".json")),
    *(("swagger", swagger, None), ("mcp", mcp, None), ("toolbench", toolbench, ".json")),
    *(("jsonl", row, ".jsonl"), ("jsonl", row, ".jsonl")),
)


def mutated(draw: random.Random, content: Any) -> Any:
    """The content with up to five parts replaced, removed, moved or renamed."""
    for _ in range(draw.randint(0, 5)):
        here, there = draw.choice(containers(content)), draw.choice(containers(content))
        if not here:
            continue
        key = draw.choice(list(here) if isinstance(here, dict) else range(len(here)))
        action = draw.randrange(5)
        if action < 2:
            here[key] = hostile(draw)
        elif action == 2:
            del here[key]
        elif action == 3 and len(str(there)) < 20_000:
            with suppress(RecursionError):  # of copying: too deep to stand twice
                here[key] = copy.deepcopy(there)
        elif isinstance(here, dict):
            here[draw.choice([*KEYWORDS, "$ref", "type", *NAMES])] = here.pop(key)
    return content


def containers(value: Any) -> list[Any]:
    """The first objects and arrays, outermost first."""
    found = [value]
    for item in found:
        children = list(item.values() if isinstance(item, dict) else item)[:50]
        found += [child for child in children if isinstance(child, dict | list) and child]
        if len(found) > 300:
            break
    return found


def written(content: Any) -> bytes:
    """JSON, with numbers in it that Python does not write."""
    text = json.dumps(content)
    for mark, digits in (RAW | LONG).items():
        text = text.replace(f'"{mark}"', digits)
    return text.encode()


def tagged(draw: random.Random, content: bytes) -> bytes:
    """YAML tags, anchors and merge keys in random places between values."""
    text = content.decode()
    for _ in range(draw.randint(1, 4)):
        cut = text.find(": ", draw.randrange(len(text)))
        mark = draw.choice(
            ["!!a ", "!!python/object:os.system ", "!" + "a" * 5_000 + " ", "&a ", "*a ", "!!int ",
             "!<" + "x" * 2_000 + "> ", "!!float ", "&" + "b" * 3_000 + " ", "!!binary ", "!!set "]
        )  # fmt: skip
        text = text[: cut + 2] + mark + text[cut + 2 :]
    return text.encode()


def corrupted(draw: random.Random, content: bytes) -> bytes:
    """A few bytes replaced, removed or doubled."""
    broken = bytearray(content)
    for _ in range(draw.randint(1, 5)):
        start = draw.randrange(len(broken) + 1)
        end = start + draw.choice((0, 1, 2, 50))
        parts = (b"", b"\0", b"\xff\xfe", b"{", b"]", b"*a", b"<<: ", b"\xed\xa0\x80")
        broken[start:end] = draw.choice(parts)
    return bytes(broken)


class Answer(NamedTuple):
    """What a server answers."""

    status: int
    content_type: str
    body: bytes


STATUSES = (200, 200, 200, 200, 201, 204, 301, 400, 401, 403, 404, 418, 422, 429, 500, 503)
TYPES = (
    *("application/json", "application/json", "text/html", "text/plain", "application/xml"),
    *("application/x-ndjson", "text/csv", "image/png", "", "application/json; charset=utf-16"),
    *("text/html; charset=utf-7", "a" * 3_000, "application/problem+json", "text/event-stream"),
)
FIELDS = (
    *(
        "error",
        "errors",
        "message",
        "detail",
        "data",
        "results",
        "items",
        "flights",
        "orders",
        "id",
    ),
    *("status", "code", "success", "total", "count", "not_found", "@type", "q", "city", "body"),
)
SAYS = (
    *("ok", "Not found", "no results", "q is required", "invalid value for city", "rate limit", ""),
    *("Error: limit must be an integer", "Unauthorized", "Oslo", "word " * 300, "'q' " * 500),
)


def answer(draw: random.Random, *, small: bool = False) -> Answer:
    """An answer of any kind; up to 3.5 MB unless `small`."""
    made = draw.choice(SMALL if small or draw.random() < 0.85 else LARGE)
    body = made(draw)
    if draw.random() < 0.1:
        body = corrupted(draw, body)
    return Answer(draw.choice(STATUSES), draw.choice(TYPES), body)


def said(draw: random.Random, depth: int = 0) -> Any:
    """A small JSON value as APIs answer it, with lies in it."""
    kind = draw.randrange(5) if depth < 4 else 4
    if kind < 2:
        names = [draw.choice(FIELDS) for _ in range(draw.randint(0, 5))]
        return {name: said(draw, depth + 1) for name in names}
    if kind == 2:
        return [said(draw, depth + 1) for _ in range(draw.randint(0, 4))]
    return scalar(draw) if draw.random() < 0.3 else draw.choice([*SAYS, 0, 1, 404, True, None])


def _json(draw: random.Random) -> bytes:
    return written(said(draw))


def _repeated(draw: random.Random) -> bytes:
    pairs = [f'"{draw.choice(FIELDS)}": {json.dumps(draw.choice(SAYS))}' for _ in range(30)]
    return ("{" + ", ".join(pairs) + "}").encode()


def _deep(draw: random.Random) -> bytes:
    levels = draw.choice([50, 199, 500, 5_000, 100_000])
    opened, closed = draw.choice([("[", "]"), ('{"data":', "}"), ('{"error":', "}")])
    return (opened * levels + "1" + closed * levels).encode()


def _text(draw: random.Random) -> bytes:
    return draw.choice(
        [
            draw.choice(TEXTS).encode("utf-8", "surrogatepass"),
            b"<html><title>Sign in</title>" + b"<p>x" * draw.choice([3, 5_000]) + b"</html>",
            b"<?xml version='1.0'?>" + b"<a>" * 3_000 + b"</a>" * 3_000,
            b"a,b\n1,2\n" * draw.choice([2, 5_000]),
            b'{"a": 1}\n' * draw.choice([2, 5_000]),
            b"data: {}\n\n" * 500,
            bytes(draw.randrange(256) for _ in range(300)),
            b"9" * draw.choice([20, 4_000, 100_000]),
            b"",
            b'"' + b"x" * 50_000 + b'"',
        ]
    )


def _wide(draw: random.Random) -> bytes:
    item = draw.choice(
        ['"k%d": 1', '"k%d": {}', '"k%d": [1]', '"k%d": "q is required"', '"error%d": "x"']
    )
    size = 3_500_000 // (len(item) + 5)
    return ("{" + ",".join(item % number for number in range(size)) + "}").encode()


def _many(draw: random.Random) -> bytes:
    item = draw.choice(
        ["1", "{}", "[]", '"not found"', '{"id":1}', '{"error":"x"}', "[[]]", '"q"', "null", "1.5"]
    )
    return ("[" + ",".join([item] * (3_500_000 // (len(item) + 1))) + "]").encode()


def _long(draw: random.Random) -> bytes:
    part = draw.choice(
        ["a", "a ", "not found ", "q: ", "<p>", "<", "'", "error ", "{", "[", "\\ud800", "\n", "é"]
    )
    text = part * (3_400_000 // len(part.encode()))
    if draw.random() < 0.5:
        name, inner = draw.choice(FIELDS), text.replace("\n", "\\n")
        text = f'{{"{name}": "{inner}"}}'
    return text.encode()


SMALL = (_json, _json, _json, _repeated, _deep, _text)
LARGE = (_wide, _many, _long)
