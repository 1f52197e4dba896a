"""An MCP server that cannot be listed takes nothing from the others, nor from their marks."""

from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest
from hostile_mcp import HostileMcp

from gretel.contracts.errors import ServiceUnreachable
from gretel.integrations.mcp import McpServers
from gretel.sandbox.permission.policy import Policy


@pytest.fixture
async def hostile() -> AsyncIterator[HostileMcp]:
    async with HostileMcp() as server:
        yield server


def both(hostile: HostileMcp, order: list[str], marks: Mapping[str, Any]) -> McpServers:
    dead = "127.0.0.1:9"
    urls = {"dead": f"http://{dead}/mcp", "well": hostile.url("x/x")}
    policy = Policy(allow_hosts=frozenset({dead, hostile.host}), **marks)
    return McpServers({name: urls[name] for name in order}, policy)


@pytest.mark.parametrize("order", [["dead", "well"], ["well", "dead"]])
async def test_a_server_that_does_not_answer_is_a_skipped_row(
    hostile: HostileMcp, order: list[str]
) -> None:
    servers = both(hostile, order, {"safe_tools": frozenset({"well.look"})})
    catalog = await servers.catalog()
    await servers.aclose()

    assert [tool.tool_id for tool in catalog] == ["well.look"]
    assert [row.place for row in catalog.skipped] == ["dead"]
    assert catalog.skipped[0].reason


@pytest.mark.parametrize(
    "marks",
    [
        {"safe_tools": frozenset({"dead.look"})},
        {"callable_tools": frozenset({"de*"})},
        {"unsafe_tools": frozenset({"*.look"})},
        {"trusted_servers": frozenset({"dead"})},
    ],
)
async def test_one_that_the_policy_speaks_of_has_to_answer(
    hostile: HostileMcp, marks: dict[str, Any]
) -> None:
    """Else a mark on its tools could mean those of a document that takes its name."""
    servers = both(hostile, ["well", "dead"], marks)
    with pytest.raises(ServiceUnreachable, match="dead"):
        await servers.catalog()
    await servers.aclose()
