"""What `Selector` adds to its graph."""

import asyncio

import pytest

from fakes import FakeExecutor, FakeRetriever, tool
from gretel.catalog import Catalog
from gretel.contracts.errors import DuplicateToolError, InputError
from gretel.graph.loop import LoopThread
from gretel.graph.selector import Selector


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


@pytest.mark.parametrize("facts", [[1], {"city": object()}])
def test_a_malformed_context_is_bad_input(facts):
    with selector_of(tool("Air.a")) as selector, pytest.raises(InputError, match="^context: "):
        selector.select("a flight", context=facts)


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
