"""Documents that hold too much, or make every operation share too much; hostile names."""

import json
from collections.abc import Mapping

from hostile_specs import (
    Attack,
    Fails,
    Loads,
    Partly,
    asked,
    many,
    nested,
    one,
    openapi,
    posted,
    schemas,
    to,
)

WIDE = {"properties": {f"p{n}": {"type": "string"} for n in range(1500)}}
BIG_ENUM = {"enum": [f"v{n}" for n in range(100_000)]}

SHARED: dict[str, Attack] = {
    "wide-schema": Attack(
        lambda: many(200, posted(to("Wide")), components=schemas(Wide=WIDE)),
        Fails("more than 100,000 parameters"),
    ),
    "enum": Attack(
        lambda: many(1_000, asked(to("E")), components=schemas(E=BIG_ENUM)), Loads(1_000)
    ),
    "required": Attack(
        lambda: many(
            200,
            asked(to("R")),
            components=schemas(R={"required": [f"n{n}" for n in range(100_000)]}),
        ),
        Loads(200),
    ),
    "unknown-keywords": Attack(
        lambda: many(
            200,
            asked({"allOf": [to("X")] * 500}),
            components=schemas(X={f"x-{n}": 1 for n in range(100_000)}),
        ),
        Loads(200),
    ),
    "names-of-properties": Attack(
        lambda: many(
            200,
            asked({"allOf": [to("N")] * 100}),
            components=schemas(N={"properties": {"n" * 1_000_000: {}}}),
        ),
        Loads(200),
    ),
    "example": Attack(
        lambda: many(
            2_000,
            {"parameters": [{"$ref": "#/x-q"}]},
            **{"x-q": {"name": "q", "in": "query", "schema": {}, "example": [[1]] * 100_000}},
        ),
        Partly(2_000, "references lead to more than"),
    ),
    "default": Attack(
        lambda: many(100, asked(to("D")), components=schemas(D={"default": [[1]] * 100_000})),
        Loads(100),
    ),
    "path-item": Attack(
        lambda: openapi(
            {f"/p{n}": {"$ref": "#/x-item"} for n in range(20_000)},
            **{"x-item": {"summary": "s", "description": "d" * 1_000_000, "get": {}}},
        ),
        Fails("characters of what its tools say"),
    ),
    "path-item-answers": Attack(
        lambda: openapi(
            {f"/p{n}": {"$ref": "#/x-item"} for n in range(2_000)},
            **{"x-item": {"get": {"responses": {f"2{n:06d}": {} for n in range(100_000)}}}},
        ),
        Partly(2_000, "references lead to more than"),
    ),
    "servers": Attack(
        lambda: many(1_000, {}, servers=[{"url": f"https://h{n}.example"} for n in range(20_000)]),
        Loads(1_000),
    ),
    "security": Attack(
        lambda: many(
            500,
            {},
            security=[{f"s{n}": []} for n in range(20_000)],
            components={
                "securitySchemes": {
                    f"s{n}": {"type": "http", "scheme": "basic"} for n in range(20_000)
                }
            },
        ),
        Loads(500),
    ),
    "security-at-once": Attack(
        lambda: many(
            500,
            {},
            security=[{f"s{n}": [] for n in range(20_000)}],
            components={
                "securitySchemes": {
                    f"s{n}": {"type": "http", "scheme": "basic"} for n in range(20_000)
                }
            },
        ),
        Loads(500),
    ),
    "media-types": Attack(
        lambda: many(
            500,
            {"requestBody": {"$ref": "#/x-body"}},
            **{"x-body": {"content": {f"a/b{n}": {"schema": {}} for n in range(50_000)}}},
        ),
        Partly(500, "references lead to more than"),
    ),
}

SIZES: dict[str, Attack] = {
    "operations-3000": Attack(lambda: many(3_000, asked({"type": "string"})), Loads(3_000)),
    "operations-50000": Attack(lambda: many(50_000, asked({"type": "string"})), Loads(50_000)),
    "operations-too-many": Attack(lambda: many(60_001, {}), Fails("more than 60,000 operations")),
    "one-id-for-all": Attack(lambda: many(2_000, {"operationId": "same"}), Loads(2_000)),
    "no-ids": Attack(lambda: many(2_000, {}), Loads(2_000)),
    "ids-of-other-types": Attack(
        lambda: openapi({f"/p{n}": {"get": {"operationId": [n]}} for n in range(50)}), Loads(50)
    ),
    "ids-alike-when-cleaned": Attack(
        lambda: openapi(
            {"/a": {"get": {"operationId": "x\u200b"}}, "/b": {"get": {"operationId": "x\u202e"}}}
        ),
        Loads(2),
    ),
    "bytes-100-million": Attack(
        lambda: b'{"openapi": "3.1.0", "paths": {}, "x": "' + b"a" * 99_000_000 + b'"}', Loads(0)
    ),
    "bytes-too-many": Attack(
        lambda: b'{"openapi": "3.1.0", "paths": {}, "x": "' + b"a" * 100_000_000 + b'"}',
        Fails("larger than 100 MB"),
    ),
    "empty-objects": Attack(
        lambda: b'{"openapi": "3.1.0", "paths": {}, "x": [' + b"{}," * 6_000_000 + b"1]}",
        Fails("more than 1,500,000 lists and objects"),
    ),
    "numbers": Attack(
        lambda: b'{"openapi": "3.1.0", "paths": {}, "x": [' + b"1," * 6_000_000 + b"1]}",
        Fails("more than 5,000,000 values"),
    ),
    "digits": Attack(
        lambda: b'{"openapi": "3.1.0", "paths": {}, "x": ' + b"9" * 1_000_000 + b"}",
        Fails("not usable JSON"),
    ),
    "json-deep": Attack(lambda: b'{"openapi":' + b"[" * 1_000_000, Fails("nested deeper")),
    "schema-deep": Attack(lambda: nested(90, "properties"), Loads()),
    "schema-deep-all-of": Attack(lambda: nested(90, "allOf"), Loads()),
    "schema-deep-items": Attack(lambda: nested(180, "items"), Loads()),
    "all-of-one-property": Attack(
        lambda: one(
            posted({"allOf": [{"properties": {"x": {"title": str(n)}}} for n in range(450)]})
        ),
        Loads(),
    ),
    "example-deep": Attack(
        lambda: one(asked({}, example=json.loads("[" * 150 + "]" * 150))), Loads()
    ),
    "parameters": Attack(
        lambda: one(
            {"parameters": [{"name": f"p{n}", "in": "query", "schema": {}} for n in range(1_001)]}
        ),
        Loads(0, 1, "more than 1,000"),
    ),
    "parameter-name": Attack(
        lambda: one({"parameters": [{"name": "n" * 10_000, "in": "query", "schema": {}}]}),
        Loads(0, 1, "more than 1,000 characters"),
    ),
    "path": Attack(lambda: openapi({"/" + "a" * 1_000_000: {"get": {}}}), Loads(0, 1, "a path of")),
    "places-of-a-path": Attack(
        lambda: openapi({"/" + "".join(f"{{p{n}}}" for n in range(100_000)): {"get": {}}}),
        Loads(0, 1, "a path of"),
    ),
    "description": Attack(lambda: one({"description": "d" * 5_000_000}), Loads()),
    "title": Attack(
        lambda: {**one({}), "info": {"title": "t" * 1_000_000, "version": "1"}}, Loads()
    ),
    "server-variable": Attack(
        lambda: one(
            {},
            servers=[
                {"url": "https://" + "{v}" * 20_000, "variables": {"v": {"default": "a" * 99_999}}}
            ],
        ),
        Loads(),
    ),
    "server-variables-few": Attack(
        lambda: one(
            {},
            servers=[
                {"url": "https://" + "{v}" * 600, "variables": {"v": {"default": "a" * 99_999}}}
            ],
        ),
        Loads(),
    ),
}

HOSTILE_NAMES: Mapping[str, str] = {
    "proto": "__proto__",
    "constructor": "constructor",
    "class": "__class__",
    "init": "__init__",
    "dollar-ref": "$ref",
    "empty": "",
    "blank": " ",
    "dot": ".",
    "dots": "../../etc/passwd",
    "null": "a\0b",
    "newline": "a\nb",
    "escape": "\x1b[31mred\x1b[0m",
    "bell": "\x07",
    "bidi-override": "evil\u202etxt.exe",
    "bidi-isolate": "a\u2066b\u2069",
    "zero-width": "a\u200bb\u200d",
    "tags": "a" + "".join(chr(0xE0000 + ord(letter)) for letter in "hidden"),
    "variation": "a\ufe0f",
    "surrogate": "a\ud800",
    "private-use": "a\ue000",
    "line-separator": "a\u2028b",
    "homoglyph": "s\u0435arch",
    "combining": "a" + "\u0301" * 500,
    "rich-markup": "[bold red]x[/]",
    "html": "<script>alert(1)</script>",
    "format": "{0.__class__} %s ${x}",
    "sql": "a') OR 1=1--",
    "long": "n" * 10_000,
    "long-wide": "\U0001f600" * 10_000,
}
"""Names that stand where an operation, a toolkit, a parameter or a property is named."""
