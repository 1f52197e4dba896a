"""What `Selector` adds to its graph."""

import asyncio
import time

import pytest

from fakes import FakeExecutor, FakeRetriever, tool
from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.contracts.errors import ConfigurationError, DuplicateToolError, InputError
from gretel.graph import entry
from gretel.graph.compose import compose
from gretel.graph.loop import LoopThread
from gretel.graph.selector import Selector
from gretel.sandbox.permission.policy import Policy


def selector_of(*tools):
    return Selector(
        Catalog.from_tools(tools),
        retriever=FakeRetriever(tools, needs_tool=1.0),
        executor=FakeExecutor(),
    )


def test_a_changed_tool_takes_the_place_of_the_old_one_when_told():
    changed = tool("Air.a", "Another text.")
    with selector_of(tool("Air.a", "A text.")) as selector:
        with pytest.raises(DuplicateToolError):
            selector.add([changed])
        selector.add([changed], replace=True)
        assert selector.catalog["Air.a"] == changed


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"catalog": "weather.yaml"}, "catalog"),
        ({"catalog": [tool("Air.a")]}, "catalog"),
        ({"catalog": Catalog(), "policy": {"allow_hosts": ["a.example"]}}, "policy"),
    ],
)
def test_what_is_no_catalogue_or_no_policy_is_one_clear_error(given, field):
    with pytest.raises(ConfigurationError, match=f"^{field}: is a ") as wrong:
        Selector(**given)
    assert wrong.value.remedy


def test_one_id_is_removed_as_one():
    with selector_of(tool("Air.a"), tool("Air.b")) as selector:
        selector.remove("Air.a")
        assert [each.tool_id for each in selector.catalog] == ["Air.b"]
        assert len(selector.catalog.remove("Air.b")) == 0


def test_an_option_that_there_is_not_is_refused_by_name():
    with pytest.raises(TypeError, match=r"'retreiver' is not an option: .*retriever"):
        compose(Catalog(), **{"retreiver": "semantic"})


async def test_what_is_opened_takes_none_of_a_run_s_time(monkeypatch):
    """The first run of a process may encode a whole catalogue before it can look for tools."""
    opened = []

    async def build(*_):
        opened.append(time.time())
        return FakeRetriever([tool("Air.a")], needs_tool=1.0)

    monkeypatch.setattr(entry, "_semantic", build)
    selector = Selector(Catalog.from_tools([tool("Air.a")]), executor=FakeExecutor())
    with pytest.raises(InputError):
        await selector.aselect(" ")
    assert opened == []
    state = await selector.graph.ainvoke({"request": "Find me a flight."})
    assert state["deadline"] >= opened[0] + Budget().wall_s


def test_closing_ends_what_still_runs():
    ended = []

    async def wait():
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(True)

    async def start():
        return asyncio.create_task(wait())

    loop = LoopThread()
    task = loop.run(start())
    loop.run(asyncio.sleep(0))
    loop.close()

    assert ended == [True]
    assert task.cancelled()


async def test_with_the_server_down_nothing_is_offered_not_even_a_write():
    """Nor later, when the circuit breaker keeps the calls in that would show it again."""
    server = "http://127.0.0.1:9"
    reads = [tool(f"Air.list{number}", server=server) for number in range(9)]
    tools = [tool("Air.book", method="POST", server=server), *reads]
    policy = Policy(allow_hosts=frozenset({"127.0.0.1:9"}))
    retriever = FakeRetriever(tools, needs_tool=1.0)
    selector = Selector(Catalog.from_tools(tools), retriever=retriever, policy=policy)
    for _ in range(3):
        selection = await selector.aselect("Book it.")
        assert selection.abstention is not None and selection.tools == ()
        assert selection.abstention.reason == "all_failed"
        assert "127.0.0.1:9" in selection.abstention.detail
        lacks = {tried.tool_id: tried.lack for tried in selection.lacking}
        assert set(lacks.values()) <= {"server", "leave"} and len(lacks) == 5
    await selector.aclose()


async def test_a_write_is_offered_where_nothing_shows_that_its_server_is_down():
    tools = [tool("Air.book", method="POST", server="http://127.0.0.1:9"), tool("Sea.a")]
    policy = Policy(allow_hosts=frozenset({"127.0.0.1:9"}))
    retriever = FakeRetriever(tools[:1], needs_tool=1.0)
    selector = Selector(Catalog.from_tools(tools), retriever=retriever, policy=policy)
    selection = await selector.aselect("Book it.")
    assert [offered.tool_id for offered in selection.tools] == ["Air.book"]
    assert selection.tools[0].needs_leave
    await selector.aclose()
