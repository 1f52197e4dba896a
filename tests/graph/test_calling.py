"""Calls of a selected tool by the caller."""

import pickle
from copy import deepcopy

import pytest

from fakes import FakeExecutor, FakeRetriever, keyed, param, tool, trial
from gretel.catalog import Catalog
from gretel.contracts.errors import ArgumentsError, CallRefused, ConfigurationError
from gretel.contracts.tool import Tool
from gretel.graph.calling import Caller
from gretel.graph.selector import BoundSelection, Selector
from gretel.sandbox.http.executor import HttpExecutor
from gretel.sandbox.permission.policy import Policy
from hostile_server import HostileServer


def weather(server: str) -> Tool:
    """Its document declares the API key as a parameter too."""
    params = ["api_key", param("city", required=True)]
    binding = keyed("api_key", path="/ok", server=server)
    return tool("Sky.weather", "Weather of a city.", params=params, binding=binding)


async def test_a_declared_api_key_comes_from_the_credential(api: HostileServer) -> None:
    catalog = Catalog.from_tools([weather(api.url(""))])
    executor = HttpExecutor(
        catalog,
        Policy(allow_hosts=frozenset({api.host})),
        credentials=lambda origin, scheme: "k-31",
    )
    try:
        result = await Caller(catalog, executor).call(trial("Sky.weather"), {"city": "Bergen"})
    finally:
        await executor.aclose()

    assert result.outcome.status == "succeeded"
    assert [received.target for received in api.requests] == ["/ok?city=Bergen&api_key=k-31"]


async def test_a_credential_is_no_argument_of_a_call() -> None:
    executor = FakeExecutor()
    caller = Caller(Catalog.from_tools([weather("https://sky.example")]), executor)
    with pytest.raises(ArgumentsError, match=r"credential.*The tool takes: city\."):
        await caller.call(trial("Sky.weather"), {"city": "Bergen", "api_key": "k-31"})
    assert executor.calls == []


def booking(api: HostileServer) -> Tool:
    return tool("A.book", method="POST", server=api.url(), params=[param("to", location="body")])


async def selected(api: HostileServer, **marks: frozenset[str]) -> BoundSelection:
    tools = [booking(api), tool("A.list", server=api.url())]
    policy = Policy(allow_hosts=frozenset({api.host}), **marks)
    retriever = FakeRetriever(tools, needs_tool=1.0)
    selector = Selector(Catalog.from_tools(tools), retriever=retriever, policy=policy)
    return await selector.aselect("Book it.", context={"to": "OSL"})


def sent(api: HostileServer) -> list[str]:
    return [f"{got.method} {got.target}" for got in api.requests]


async def test_a_tool_that_writes_is_called_with_leave_and_never_tried(api: HostileServer) -> None:
    selection = await selected(api)
    book = next(each for each in selection.tools if each.tool_id == "A.book")
    assert book.needs_leave and sent(api) == ["GET /list"]
    with pytest.raises(CallRefused, match=r"allow_change=True.*callable_tools=\{'A\.book'\}") as no:
        await book.acall()
    assert no.value.reason == "unsafe_method" and sent(api) == ["GET /list"]
    await book.acall(allow_change=True)
    assert sent(api) == ["GET /list", "POST /book"]
    with pytest.raises(CallRefused):  # the leave was for one call
        await book.acall(to="BGO")
    assert sent(api) == ["GET /list", "POST /book"]


@pytest.mark.parametrize("leave", [1, "yes", "false", None])
async def test_leave_is_true_and_nothing_else(api: HostileServer, leave: object) -> None:
    book = next(each for each in (await selected(api)).tools if each.tool_id == "A.book")
    with pytest.raises(CallRefused):
        await book.acall(allow_change=leave)  # type: ignore[arg-type]
    assert sent(api) == ["GET /list"]


async def test_arguments_that_a_model_wrote_give_no_leave(api: HostileServer) -> None:
    book = next(each for each in (await selected(api)).tools if each.tool_id == "A.book")
    with pytest.raises(ArgumentsError, match="allow_change"):
        await book.acall({"to": "BGO", "allow_change": True})
    assert sent(api) == ["GET /list"]


@pytest.mark.parametrize("mark", ["A.book", "*.book", "A.b*"])
async def test_a_tool_marked_callable_is_called_and_never_tried(
    api: HostileServer, mark: str
) -> None:
    selection = await selected(api, callable_tools=frozenset({mark}))
    book = next(each for each in selection.tools if each.tool_id == "A.book")
    assert not book.needs_leave and sent(api) == ["GET /list"]
    await book.acall({"to": "BGO"})
    assert sent(api) == ["GET /list", "POST /book"]


async def test_what_is_marked_unsafe_is_called_by_no_leave(api: HostileServer) -> None:
    marks = {"callable_tools": frozenset({"A.book"}), "unsafe_tools": frozenset({"A.*"})}
    selection = await selected(api, **marks)
    book = next(each for each in selection.tools if each.tool_id == "A.book")
    with pytest.raises(CallRefused, match="marked this tool unsafe") as no:
        await book.acall(allow_change=True)
    assert "allow_change" not in str(no.value) and sent(api) == []


async def test_leave_opens_no_host(api: HostileServer) -> None:
    catalog = Catalog.from_tools([booking(api)])
    selector = Selector(catalog, retriever=FakeRetriever(list(catalog), needs_tool=1.0))
    selection = await selector.aselect("Book it.", context={"to": "OSL"})
    with pytest.raises(CallRefused, match="not an allowed host"):
        await selection.tools[0].acall(allow_change=True)
    assert sent(api) == []


async def test_searches_by_post_are_tried_by_pattern(api: HostileServer) -> None:
    search = tool("A.searchItems", method="POST", server=api.url())
    tools = [search, booking(api)]
    policy = Policy(allow_hosts=frozenset({api.host}), safe_tools=frozenset({"*.search*"}))
    retriever = FakeRetriever(tools, needs_tool=1.0)
    selector = Selector(Catalog.from_tools(tools), retriever=retriever, policy=policy)
    await selector.aselect("Find it.", context={"to": "OSL"})
    assert sent(api) == ["POST /searchItems"]


@pytest.mark.parametrize("field", ["safe_tools", "callable_tools", "unsafe_tools"])
def test_a_mark_that_fits_nothing_is_one_clear_error(field: str) -> None:
    catalog = Catalog.from_tools([tool("A.a")])
    with pytest.raises(ConfigurationError, match=rf"^{field}: 'A\.typo' matches no tool") as said:
        Selector(catalog, policy=Policy(**{field: frozenset({"A.typo"})}))
    assert said.value.field == field and said.value.remedy


async def test_a_stored_selection_says_that_it_cannot_call(api: HostileServer) -> None:
    selection = await selected(api)
    read = BoundSelection.model_validate_json(selection.model_dump_json())
    for stored in (pickle.loads(pickle.dumps(selection)), read):
        assert stored.model_dump() == selection.model_dump()
        with pytest.raises(
            ConfigurationError, match=r"^A\.\w+: was loaded from storage.*Select again"
        ):
            await stored.tools[0].acall()
        with pytest.raises(ConfigurationError, match="loaded from storage"):
            stored.tools[0].call()


async def test_a_copied_selection_calls_as_the_first_one(api: HostileServer) -> None:
    copied = deepcopy(await selected(api))
    book = next(each for each in copied.tools if each.tool_id == "A.book")
    await book.acall(allow_change=True)
    assert sent(api)[-1] == "POST /book"


async def test_arguments_that_are_no_mapping_are_one_clear_error(api: HostileServer) -> None:
    book = (await selected(api)).tools[0]
    with pytest.raises(ArgumentsError, match=r"\(arguments\): is a str\. Give them by name"):
        await book.acall("to=OSL")  # type: ignore[arg-type]


@pytest.mark.parametrize("given", [{"limit": 2}, '{"limit": 2}'], ids=["object", "text"])
async def test_an_object_for_a_text_of_json_is_sent_as_its_text(given: object) -> None:
    text = {"type": "string", "contentMediaType": "application/json", "contentSchema": {}}
    listing = tool("A.list", params=[param("filter", text), param("note", {"type": "string"})])
    executor = FakeExecutor()
    caller = Caller(Catalog.from_tools([listing]), executor)

    await caller.call(trial("A.list"), {"filter": given})

    assert executor.calls[0].arguments["plan"].values() == {"filter": '{"limit": 2}'}
    with pytest.raises(ArgumentsError, match="not of type"):
        await caller.call(trial("A.list"), {"note": {"limit": 2}})
    with pytest.raises(ArgumentsError, match="not a JSON value|not of type"):
        await caller.call(trial("A.list"), {"filter": {"limit": {1, 2}}})
