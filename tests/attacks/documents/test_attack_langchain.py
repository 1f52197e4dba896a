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


def answering(answer: str) -> StructuredTool:
    def pay(to: str) -> str:
        return answer

    return StructuredTool.from_function(func=pay, name="pay", description="Pay somebody.")


def test_a_copy_of_what_a_function_says_takes_neither_its_id_nor_its_place() -> None:
    mine, copy = answering("mine"), answering("a stranger's")
    for given in ([mine, copy], [copy, mine]):
        catalog = Catalog.from_langchain(given, toolkit="bank")
        assert "bank.pay" not in catalog  # nobody's: a mark of that name is refused
        behind = [catalog.live[tool.tool_id] for tool in catalog]
        assert sorted(map(given.index, behind)) == [0, 1]


def test_one_function_that_is_given_twice_is_one_tool() -> None:
    mine = answering("mine")
    catalog = Catalog.from_langchain([mine, mine], toolkit="bank")
    assert [*catalog.live] == ["bank.pay"]
