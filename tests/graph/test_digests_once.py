"""What a tool says is hashed once, however often marks, pins, policy and plans ask for it."""

import threading
from typing import Any

import httpx
import pytest

from fakes import FakeRetriever, plan, tool
from gretel.catalog import Catalog
from gretel.catalog.digest import tool_digest
from gretel.contracts.budget import Budget
from gretel.contracts.tool import HttpBinding, Tool
from gretel.graph.selector import Selector
from gretel.nodes.retrieve.stage.pins import Pins
from gretel.sandbox.http.executor import HttpExecutor
from gretel.sandbox.permission.approved import approved
from gretel.sandbox.permission.policy import Policy

TOOLS = 3


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[threading.Thread]:
    """The threads in which a tool was written out to be hashed, one for each time."""
    threads: list[threading.Thread] = []
    written = Tool.model_dump

    def counted(self: Tool, **options: Any) -> dict[str, Any]:
        if options.get("exclude") == {"source"}:
            threads.append(threading.current_thread())
        return written(self, **options)

    monkeypatch.setattr(Tool, "model_dump", counted)
    return threads


async def test_in_all_selections(hashed: list[threading.Thread]) -> None:
    binding = HttpBinding(method="GET", path="/x", servers=("https://api.example",))
    tools = [tool(f"A.find{number}", binding=binding) for number in range(TOOLS)]
    catalog = Catalog.from_tools(tools)
    policy = Policy(safe_tools=frozenset({"A.*"}), allow_hosts=frozenset({"api.example"}))
    policy = policy.bound(catalog)
    executor = HttpExecutor(
        catalog,
        policy,
        transport=httpx.MockTransport(lambda request: httpx.Response(200, json=[1])),
    )
    Pins().renew(tools)
    selector = Selector(
        catalog,
        retriever=FakeRetriever(tools, needs_tool=1.0),
        executor=executor,
        policy=policy,
    )
    for _ in range(2):
        assert len((await selector.aselect("Find me a flight.")).trials) == TOOLS
    with approved(tools[0]):
        await executor.call(plan("A.find0"), budget=Budget())
    await selector.aclose()

    assert len(hashed) == TOOLS


def test_what_says_something_else_has_a_hash_of_its_own(hashed: list[threading.Thread]) -> None:
    one = tool("A.find")
    other = one.model_copy(update={"description": "Something else."})

    assert tool_digest(one) == tool_digest(one) == tool_digest(one.model_copy())
    assert tool_digest(one) != tool_digest(other)
    assert len(hashed) == 3
