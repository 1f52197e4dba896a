"""A tool that the user marked unsafe is handed to no executor, whoever brought that."""

from typing import Any

import pytest

from fakes import FakeAgent, FakeExecutor, FakeRetriever, tool
from gretel.catalog import Catalog
from gretel.contracts.errors import CallRefused
from gretel.contracts.tool import McpBinding
from gretel.graph.agent_facade import Agent
from gretel.graph.selector import Selector
from gretel.sandbox.permission.policy import Policy

TOOL = tool(
    "files.wipe",
    "Look at a file.",
    params=["city"],
    binding=McpBinding(server="files", tool="wipe", read_only=True),
)


def brought(how: str, executor: FakeExecutor) -> dict[str, Any]:
    return {"executor": executor} if how == "all" else {"executors": {"mcp": executor}}


@pytest.fixture(params=["all", "mcp"])
def executor(request: pytest.FixtureRequest) -> tuple[str, FakeExecutor]:
    return request.param, FakeExecutor()


def selector_of(how: str, executor: FakeExecutor) -> Selector:
    """A selector whose policy forbids what the policy of its executor may well allow."""
    policy = Policy(unsafe_tools=frozenset({"files.wipe"}), trusted_servers=frozenset({"files"}))
    return Selector(
        Catalog.from_tools([TOOL]),
        retriever=FakeRetriever([TOOL], needs_tool=1.0),
        policy=policy,
        **brought(how, executor),
    )


async def test_a_trial_does_not_call_it(executor: tuple[str, FakeExecutor]) -> None:
    selector = selector_of(*executor)
    selection = await selector.aselect("Look at it.", context={"city": "Oslo"})

    assert not executor[1].calls
    failures = [trial.executed.failure for trial in selection.trials]
    assert [each and each.kind for each in failures] == ["unsafe_method"]


async def test_nor_does_a_person_who_selected_it(executor: tuple[str, FakeExecutor]) -> None:
    selector = selector_of(*executor)
    selection = await selector.aselect("Look at it.", context={"city": "Oslo"})

    for each in selection.tools:
        with pytest.raises(CallRefused, match="marked this tool unsafe"):
            await each.acall({"city": "Oslo"}, allow_change=True)
    assert selection.tools and not executor[1].calls


async def test_nor_does_an_agent(executor: tuple[str, FakeExecutor]) -> None:
    agent = Agent(selector_of(*executor), model=FakeAgent(["files.wipe"]), offered="candidates")
    result = await agent.arun("Look at it.", context={"city": "Oslo"})

    assert [step.outcome.status for step in result.steps] == ["unavailable"]
    assert not executor[1].calls
