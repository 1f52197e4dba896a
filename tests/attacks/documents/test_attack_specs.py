"""Hostile documents: each loads in proportion to its size, or fails with one clear error."""

import json
from typing import Any

import pytest
from hostile_sizes import HOSTILE_NAMES, SHARED, SIZES
from hostile_specs import (
    ALIASES,
    REFERENCES,
    Attack,
    Fails,
    Partly,
    asked,
    fan,
    many,
    one,
    openapi,
    posted,
)

from alarms import at_most
from gretel.catalog import Catalog
from gretel.catalog.arguments import argument_problems
from gretel.catalog.bounds import DESCRIPTION_LIMIT, URL_LIMIT
from gretel.catalog.retrieval_text import retrieval_text
from gretel.contracts.errors import CatalogError
from gretel.contracts.tool import HttpBinding, Tool

in_time = at_most(300)
"""Far above what any case takes; what is unbounded takes hours."""
TOOL_BYTES = 600_000
"""The largest record that one operation may become, as JSON."""
ALL_BYTES = 150_000_000
"""All records of one document."""

ATTACKS: dict[str, Attack] = {
    f"{group}-{name}": attack
    for group, attacks in (
        ("yaml", ALIASES),
        ("ref", REFERENCES),
        ("shared", SHARED),
        ("size", SIZES),
    )
    for name, attack in attacks.items()
}


@pytest.fixture(autouse=True)
def _nothing_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a document made us connect")

    monkeypatch.setattr("socket.socket.connect", refuse)
    monkeypatch.setattr("urllib.request.urlopen", refuse)


def loaded(source: bytes | dict[str, Any]) -> Catalog:
    data = source if isinstance(source, bytes) else json.dumps(source).encode()
    return Catalog.from_openapi(data)


def assert_in_proportion(tools: Catalog) -> None:
    """Every tool can be stored, searched and checked, and none is larger than a tool may be."""
    total = 0
    assert len(tools.digest) == 64
    for tool in tools:
        record = tool.model_dump_json()
        total += len(record)
        assert len(record) <= TOOL_BYTES
        assert len(retrieval_text(tool)) < 8_000
        assert len(tool.description) <= DESCRIPTION_LIMIT
        assert_printable(tool)
    assert total <= ALL_BYTES
    for tool in list(tools)[:20]:
        argument_problems(tool, {"q": "x", "p0": {"p1": []}})


def assert_printable(tool: Tool) -> None:
    for name in (tool.tool_id, tool.toolkit, tool.operation, tool.category):
        assert "\n" not in name and "\x1b" not in name and len(name) < 4_000
    assert isinstance(tool.binding, HttpBinding)
    assert all(len(server) <= URL_LIMIT for server in tool.binding.servers)


@pytest.fixture(autouse=True)
def _smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth of what is allowed, where that only saves time."""
    monkeypatch.setattr("gretel.catalog.report.PARAMETERS_LIMIT", 100_000)
    monkeypatch.setattr("gretel.catalog.report.ENTRY_LIMIT", 60_000)


LONG = {
    "shared-example",
    "shared-path-item",
    "shared-path-item-answers",
    "shared-security",
    "shared-unknown-keywords",
    "shared-wide-schema",
    "size-operations-50000",
    "size-operations-too-many",
}
"""Documents whose reading takes seconds."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(n, marks=[pytest.mark.slow] if n in LONG or place % 8 else [])
        for place, n in enumerate(ATTACKS)
    ],
)
def test_a_hostile_document_is_bounded(name: str) -> None:
    made, end = ATTACKS[name]
    source = made()
    if isinstance(end, Fails):
        with pytest.raises(CatalogError, match=end.why) as raised:
            loaded(source)
        assert raised.value.field and raised.value.remedy
        assert len(str(raised.value)) < 1_000
        return
    tools = loaded(source)
    if isinstance(end, Partly):
        assert 0 < len(tools) < end.total == len(tools) + len(tools.skipped)
    else:
        assert (len(tools), len(tools.skipped)) == (end.tools, end.skipped)
    assert all(end.why in row.reason and row.remedy for row in tools.skipped)
    assert all(len(row.reason) < 1_000 for row in tools.skipped)
    assert_in_proportion(tools)


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_hostile_name_is_safe_wherever_it_stands(name: str) -> None:
    text = HOSTILE_NAMES[name]
    document = openapi(
        {
            "/a": {
                "get": {
                    "operationId": text,
                    "tags": [text],
                    "parameters": [
                        {"name": text, "in": "query", "schema": {"properties": {text: {}}}},
                        {"name": "fine", "in": text, "schema": {}},
                    ],
                    "security": [{text: [text]}],
                }
            },
            "/b": posted_at(text),
        },
        info={"title": text, "version": "1"},
        components={"schemas": {text: {"type": "string"}}},
    )
    try:
        tools = loaded(document)
    except CatalogError as error:
        assert "\x1b" not in str(error)
        return
    for tool in tools:
        assert_printable(tool)
        assert not set(tool.tool_id) & set("\u202e\u200b\u2066\x00\x07 ")
        assert tool == Tool.model_validate_json(tool.model_dump_json())
        argument_problems(tool, {text: text})
        assert "\u202e" not in retrieval_text(tool)
        retrieval_text(tool).encode()


def posted_at(name: str) -> dict[str, Any]:
    return {"post": posted({"properties": {name: {"type": "string"}}, "required": [name]})}


def test_tools_that_no_name_tells_apart_stop_nobody() -> None:
    same = {path: {"get": {"operationId": "x"}} for path in ("/a\u200b", "/a", "/b")}
    found = loaded(openapi(same | {"/c": {"get": {"operationId": "y"}}}))
    assert len(found) == 4 and len(found.notes) >= 2
    assert [each for each in found if each.operation == "y"]


def test_what_one_operation_unfolds_is_not_taken_from_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Beyond the pool each operation keeps its share: the last is read like the first."""
    source = fan(12, 3, "properties")
    assert_in_proportion(loaded(source))
    hungry = source["paths"]["/a"]["get"]
    last = {"get": asked({"type": "integer", "minimum": 3})}
    paths = {**{f"/p{n}": {"get": hungry} for n in range(60)}, "/zz": last}
    monkeypatch.setattr("gretel.catalog.bounds.UNFOLDED", 50_000)
    tools = loaded(openapi(paths, components=source["components"]))

    assert tools["Shop.get_zz"].parameters[0].json_schema == {"type": "integer", "minimum": 3}
    assert_in_proportion(tools)


def test_a_shared_schema_is_the_same_for_every_operation() -> None:
    tools = loaded(many(300, asked({"type": "string", "enum": ["a", "b"]})))

    assert {json.dumps(tool.parameters[0].json_schema) for tool in tools} == {
        '{"type": "string", "enum": ["a", "b"]}'
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "pattern": "^(a+)+$", "default": "a" * 60 + "!"},
        {"allOf": [{"$ref": "#/components/schemas/L0"}], "default": "x"},
    ],
    ids=["pattern", "fan"],
)
def test_a_strict_check_that_would_not_end_is_given_up(
    schema: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its validator is another's; it runs apart, for so long and no longer."""
    monkeypatch.setattr("gretel.catalog.openapi.strict.CHECK_S", 1)
    source = one(asked(schema), components=fan(24, 2, "allOf")["components"])
    source["paths"]["/a"]["get"]["responses"] = {"200": {"description": "fine"}}

    assert len(Catalog.from_openapi(source)) == 1
    with pytest.raises(CatalogError, match="too involved"):
        Catalog.from_openapi(source, strict=True)
