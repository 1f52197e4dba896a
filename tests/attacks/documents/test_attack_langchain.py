"""LangChain tools whose words are those of a server of somebody else, behind an adapter."""

from typing import Any

import pytest
from langchain_core.tools import StructuredTool

from gretel.catalog import Catalog, bounds
from gretel.catalog.bounds import DESCRIPTION_LIMIT

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"city": {"type": "string"}}}


def adapted(name: str, description: str, schema: dict[str, Any]) -> StructuredTool:
    async def call(**_: Any) -> str:
        return ""

    return StructuredTool(name=name, description=description, args_schema=schema, coroutine=call)


def nested(depth: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(depth):
        schema = {"type": "object", "properties": {"inner": schema}}
    return schema


@pytest.mark.parametrize("description", ["x" * 5_000_000, "Half \ud800 a character."])
def test_a_description_is_held_to_the_bounds_of_documents(description: str) -> None:
    catalog = Catalog.from_langchain([adapted("find", description, SCHEMA)])
    (tool,) = catalog

    assert len(tool.description) <= DESCRIPTION_LIMIT
    assert catalog.digest and tool.model_dump_json()


def test_a_schema_without_end_is_one_skipped_row() -> None:
    tools = [adapted("find", "Find rain.", SCHEMA), adapted("deep", "Find sun.", nested(150))]
    catalog = Catalog.from_langchain(tools)

    assert [tool.operation for tool in catalog] == ["find"]
    assert len(catalog.skipped) == 1 and "cannot be read" in catalog.skipped[0].reason


def test_schemas_that_fan_out_share_what_a_source_may_unfold_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each step refers twice to the one before it."""
    monkeypatch.setattr(bounds, "UNFOLDED", 5_000)
    steps: dict[str, Any] = {"s0": {"type": "string"}}
    for number in range(1, 9):
        each = {"$ref": f"#/$defs/s{number - 1}"}
        steps[f"s{number}"] = {"type": "object", "properties": {"a": each, "b": each}}
    schema = {"type": "object", "properties": {"x": {"$ref": "#/$defs/s8"}}, "$defs": steps}
    catalog = Catalog.from_langchain([adapted(f"t{n}", "Find rain.", schema) for n in range(5)])

    sizes = [len(tool.model_dump_json()) for tool in catalog]
    assert len(sizes) == 5 and min(sizes) * 2 < max(sizes)
