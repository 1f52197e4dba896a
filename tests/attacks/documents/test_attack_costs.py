"""Work whose cost a stranger sets: it never stops the event loop, fills memory or ends a run."""

import asyncio
import dataclasses
import json
import time
import tracemalloc
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from hostile_specs import asked, openapi, posted
from langgraph.checkpoint.memory import InMemorySaver

from fakes import (
    FakeExecutor,
    FakeRetriever,
    FakeSimulator,
    failed,
    param,
    plan,
    request,
    tool,
    trial,
)
from gretel.catalog import Catalog
from gretel.catalog.arguments import argument_problems
from gretel.catalog.bounds import DESCRIPTION_LIMIT, NOTE_LIMIT, TOOLKIT_DESCRIPTION_LIMIT
from gretel.catalog.field_names import name_words
from gretel.catalog.formats import mcp, rows, toolbench
from gretel.catalog.openapi import access, body, loading
from gretel.catalog.references import Resolver
from gretel.catalog.value_docs import value_documentation
from gretel.contracts.budget import Budget
from gretel.contracts.errors import CallRefused, GretelError, InputError
from gretel.contracts.ranking import RetrievalQuery
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import Response
from gretel.graph.build import build_graph
from gretel.graph.compose import compose
from gretel.graph.selector import Selector
from gretel.llm.reading import problems
from gretel.nodes.plan.deterministic import DeterministicPlanner
from gretel.nodes.plan.standing import find
from gretel.nodes.request import read_context
from gretel.nodes.rerank.evidence import EvidenceReranker
from gretel.nodes.retrieve.stage.retriever import StagedRetriever
from gretel.nodes.retrieve.stage.switches import CandidateStage
from gretel.nodes.simulate.schema import SchemaSimulator
from gretel.sandbox.answers import classify, content, emptiness
from gretel.sandbox.answers.answer import read_answer
from gretel.sandbox.answers.words.keys import plain_key
from gretel.sandbox.http.executor import HttpExecutor
from gretel.sandbox.network.connect import GuardedBackend
from gretel.sandbox.permission.marks import covers
from gretel.sandbox.permission.policy import Policy
from gretel.text.identifiers import split_identifier
from gretel.text.patterns import PATTERN_COST, pattern_cost
from gretel.text.words import concept, concepts, content_words, stem
from gretel.validation import SchemaCheck
from lanes import every

GOOD = asked({"type": "string"})
HUGE = 10**400


# --- loaders: one bad entry is one row at most, and never ends the reading of the others


def of_operation(bad: Any) -> Catalog:
    return Catalog.from_openapi(openapi({"/bad": {"get": bad}, "/good": {"get": GOOD}}))


def of_field(bad: Any) -> Catalog:
    entry = {"name": "q", "in": "query", **bad}
    paths = {"/bad": {"get": {"parameters": [entry]}}, "/good": {"get": {"parameters": []}}}
    return Catalog.from_openapi({"swagger": "2.0", "info": {"title": "Old"}, "paths": paths})


def of_listing(bad: Any) -> Catalog:
    return Catalog.from_mcp({"tools": [{"name": "bad", **bad}, {"name": "good"}]}, server="files")


def of_api(bad: Any, folder: Path) -> Catalog:
    field = {"name": "n", **bad}
    listed = [{"name": "bad", "required_parameters": [field]}, {"name": "good"}]
    path = folder / "kit.json"
    path.write_text(json.dumps({"tool_name": "Kit", "api_list": listed}))
    return Catalog.from_toolbench(path)


def of_row(bad: Any, folder: Path) -> Catalog:
    path = folder / "tools.jsonl"
    path.write_text("\n".join(map(json.dumps, [bad, {"_id": "2", "title": "good", "text": "t"}])))
    return Catalog.from_jsonl(path)


NESTED = {"type": [["string"]]}
FLAT = {"method": "GET", "path": "/x", "parameters": [{"name": "q", "in": "query", **NESTED}]}
ENTRIES: dict[str, Callable[[Path], Catalog]] = {
    "type-of-lists": lambda _: of_operation(asked(NESTED)),
    "type-of-objects-and-lists": lambda _: of_operation(asked({"type": [{}, ["null"]]})),
    "type-in-a-body": lambda _: of_operation(posted({"properties": {"a": NESTED}})),
    "type-in-a-branch": lambda _: of_operation(asked({"anyOf": [{"items": NESTED}]})),
    "type-of-a-swagger-field": lambda _: of_field(NESTED),
    "type-in-swagger-items": lambda _: of_field({"type": "array", "items": NESTED}),
    "type-of-an-mcp-input": lambda _: of_listing({"inputSchema": {"properties": {"p": NESTED}}}),
    "type-of-an-mcp-output": lambda _: of_listing({"outputSchema": NESTED}),
    "sample-beyond-a-double": lambda at: of_api({"type": "NUMBER", "default": HUGE}, at),
    "sample-text-beyond-a-double": lambda at: of_api({"type": "NUMBER", "default": "9" * 400}, at),
    "negative-sample-beyond-a-double": lambda at: of_api({"type": "INT", "default": -HUGE}, at),
    "type-of-a-function": lambda at: of_row(
        {"name": "f", "parameters": {"type": "object", "properties": {"p": NESTED}}}, at
    ),
    "type-of-a-flat-field": lambda at: of_row({"api_name": "f", "parameters": {"p": NESTED}}, at),
    "type-of-a-flat-operation": lambda at: of_row({"title": "x", "metadata": FLAT}, at),
    "type-of-an-mcp-row": lambda at: of_row({"name": "m", "inputSchema": NESTED}, at),
}


@pytest.mark.parametrize("name", ENTRIES)
def test_a_bad_entry_does_not_end_the_reading_of_the_others(name: str, tmp_path: Path) -> None:
    catalog = ENTRIES[name](tmp_path)
    assert any("good" in each.tool_id for each in catalog)
    assert len(catalog) + len(catalog.skipped) == 2


UNTHOUGHT = [KeyError("k"), RecursionError("deep"), OverflowError("big"), TypeError("shape")]
READERS: dict[str, tuple[Any, str, Callable[[Path], Catalog]]] = {
    "operation": (loading, "read_response", lambda _: of_operation(GOOD)),
    "path-item": (
        Resolver,
        "object",
        lambda _: Catalog.from_openapi(openapi({"/a": {"$ref": "#/x"}, "/good": {"get": {}}})),
    ),
    "mcp": (mcp, "schema_parameters", lambda _: of_listing({})),
    "toolbench": (toolbench, "_response", lambda at: of_api({}, at)),
    "row": (rows, "field_parameters", lambda at: of_row({"api_name": "f", "parameters": {}}, at)),
}


@pytest.mark.parametrize("error", UNTHOUGHT, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("name", READERS)
def test_what_no_reader_thought_of_is_one_skipped_row(
    name: str, error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    holder, attribute, load = READERS[name]
    kept, left = getattr(holder, attribute), [error]

    def once(*args: Any, **kwargs: Any) -> Any:
        if left:
            raise left.pop()
        return kept(*args, **kwargs)

    monkeypatch.setattr(holder, attribute, once)
    catalog = load(tmp_path)
    assert len(catalog) == 1
    assert [type(error).__name__ in row.reason for row in catalog.skipped] == [True]


# --- numbers: what 64 bits or a double cannot hold does not end a selection

NUMBERS: dict[str, dict[str, Any]] = {
    "minimum-beyond-a-double": {"type": "number", "minimum": HUGE},
    "maximum-beyond-a-double": {"type": "number", "maximum": -HUGE},
    "exclusive-beyond-a-double": {"type": "number", "exclusiveMinimum": HUGE},
    "steps-without-end": {"type": "number", "maximum": 1e308, "multipleOf": 1e-300},
    "whole-steps-without-end": {"type": "integer", "minimum": 1e308, "multipleOf": 3},
    "bounds-beyond-a-double": {"type": "number", "minimum": -1.7e308, "maximum": 1.7e308},
    "default-beyond-64-bits": {"type": "integer", "default": 2**70},
    "only-member-beyond-64-bits": {"type": "integer", "enum": [2**70]},
    "constant-beyond-64-bits": {"type": "integer", "const": -(2**70)},
    "constant-within-beyond-64-bits": {"type": "object", "const": {"a": [2**200]}},
}


@pytest.mark.parametrize("name", NUMBERS)
async def test_a_number_that_nothing_holds_does_not_end_a_selection(name: str) -> None:
    answer = {"content": {"application/json": {"schema": {"properties": {"n": NUMBERS[name]}}}}}
    responses = {"responses": {"200": answer}}
    one = {**asked(NUMBERS[name], required=True), **responses}
    document = openapi({"/a": {"get": one}, "/b": {"get": responses}})
    catalog = Catalog.from_openapi(json.dumps(document).encode())
    broken = FakeExecutor({each.tool_id: failed("server_error") for each in catalog})
    retriever = FakeRetriever(list(catalog), needs_tool=1.0)
    graph = build_graph(compose(catalog, retriever=retriever, executor=broken), InMemorySaver())
    found = await graph.ainvoke(
        {"request": "Show me 3."}, {"configurable": {"thread_id": "1"}}, context={"depth": 2}
    )
    assert len(found["trials"]) == 2


# --- trials: what breaks in one is its outcome


async def tried(catalog: Catalog, **parts: Any) -> dict[str, Any]:
    """The state after both tools of `catalog` were tried."""
    composed = compose(catalog, retriever=FakeRetriever(list(catalog), needs_tool=1.0))
    graph = build_graph(dataclasses.replace(composed, **parts))
    state: dict[str, Any] = await graph.ainvoke({"request": "Find it."}, context={"depth": 2})
    return state


@pytest.mark.parametrize("error", [*UNTHOUGHT, GretelError("ours")], ids=repr)
async def test_a_simulator_that_breaks_ends_its_own_trial_alone(error: Exception) -> None:
    catalog = Catalog.from_tools([tool("A.a"), tool("B.b")])
    executor, simulator = FakeExecutor({"A.a": failed()}), FakeSimulator({"A.a": error})
    found = await tried(catalog, executor=executor, simulator=simulator)
    assert [each["tool_id"] for each in found["trials"]] == ["A.a", "B.b"]
    assert any("A.a: simulate broke" in note for note in found["notes"])


@pytest.mark.parametrize("error", UNTHOUGHT, ids=repr)
async def test_a_tool_whose_digest_breaks_ends_its_own_trial_alone(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalog = Catalog.from_tools([tool("A.a"), tool("B.b")])
    kept = catalog.digest_of

    def digest_of(tool_id: str) -> str | None:
        if tool_id == "A.a":
            raise error
        return kept(tool_id)

    monkeypatch.setattr(catalog, "digest_of", digest_of)
    found = await tried(catalog, executor=FakeExecutor())
    plans = {each["tool_id"]: each["plan"] for each in found["trials"]}
    assert plans["A.a"]["reason"] == "planner_failed"
    assert plans["B.b"]["kind"] == "plan"


# --- the event loop goes on while what a stranger wrote is read


async def steps_during(work: Awaitable[Any]) -> int:
    """How often the loop went round while `work` was done."""
    task, steps = asyncio.ensure_future(work), 0
    while not task.done():
        await asyncio.sleep(0)
        steps += 1
    task.result()
    return steps


def wide(count: int = 20_000) -> dict[str, Any]:
    """A schema with an enumeration of many members."""
    return {"type": "string", "enum": [f"m{number}.x y" for number in range(count)]}


def planned_with(*params: Any) -> Callable[[], Awaitable[Any]]:
    async def run() -> Any:
        return await DeterministicPlanner().plan(
            request("Sort by m7.x y"), tool("a.b", params=params)
        )

    return run


def judged_with(body: bytes, kind: str = "application/json") -> Callable[[], Awaitable[Any]]:
    """A call whose whole answer is `body`."""

    async def run() -> Any:
        answer = httpx.Response(200, headers={"content-type": kind}, stream=httpx.ByteStream(body))
        catalog = Catalog.from_tools([tool("A.a", server="http://127.0.0.1:9")])
        transport = httpx.MockTransport(lambda _: answer)
        policy = Policy(base_url="http://127.0.0.1:9")
        executor = HttpExecutor(catalog, policy, transport=transport)
        outcome = await executor.execute(plan("A.a"), budget=Budget(bytes_wire=4_000_000))
        assert outcome.http_status == 200
        return outcome

    return run


async def simulate() -> Any:
    schema = {"properties": {f"p{number}": wide(200) for number in range(300)}}
    asked_for = tool("A.a", params=["p1"], response=Response(json_schema=schema))
    simulator = SchemaSimulator(Catalog.from_tools([asked_for]))
    return await simulator.simulate(plan("A.a", p1="m1.x y"), failed().failure, seed=1)  # type: ignore[arg-type]


async def rerank() -> Any:
    tools = [tool(f"K{number}.a", "Finds flights. " * 100) for number in range(200)]
    trials = [trial(each.tool_id, rank) for rank, each in enumerate(tools, 1)]
    return await EvidenceReranker(Catalog.from_tools(tools)).rerank(request(), trials)


async def retrieve() -> Any:
    tools = [tool(f"K{n}.a", f"Finds {n}. " * 500, params=["q"] * 40) for n in range(40)]
    staged = StagedRetriever(FakeRetriever(tools), Catalog.from_tools(tools), CandidateStage())
    return await staged.retrieve([RetrievalQuery(text="Delete 3 flights.")], k=40)


async def first_call() -> Any:
    """The first use of the vocabulary goes through all tools."""
    tools = [
        tool(f"K{number}.a{number}", "Finds flights by city. " * 30) for number in range(2_000)
    ]
    transport = httpx.MockTransport(lambda _: httpx.Response(200))
    policy = Policy(base_url="http://127.0.0.1:9")
    executor = HttpExecutor(Catalog.from_tools(tools), policy, transport=transport)
    return await executor.execute(plan("K1.a1"), budget=Budget())


async def given() -> Any:
    """A caller's own call of a selected tool."""
    asked_for = tool("A.a", params=[param(f"p{number}", wide(10_000)) for number in range(20)])
    selector = Selector(
        Catalog.from_tools([asked_for]),
        retriever=FakeRetriever([asked_for]),
        executor=FakeExecutor(),
    )
    return await selector._caller.call(trial("A.a"), {"p1": "m1.x y"})


WORK: dict[str, Callable[[], Awaitable[Any]]] = {
    "members-of-an-enumeration": planned_with(param("sort", wide())),
    "enumerations-by-the-dozen": planned_with(*(param(f"s{n}", wide(900)) for n in range(30))),
    "members-of-dotted-letters": planned_with(
        param("sort", {"type": "string", "enum": [f"{'a.' * 80}{n}" for n in range(3_000)]})
    ),
    "dotted-names": planned_with(*(param(f"{'a.' * 400}{n}") for n in range(60))),
    "a-thousand-parameters": planned_with(*(param(f"from_date_{n}") for n in range(1_000))),
    "a-costly-pattern": planned_with(
        param("code", {"type": "string", "pattern": r"^[\p{L}\p{M}]{0,200}$"}, required=True)
    ),
    "an-answer-of-many-fields": judged_with(
        json.dumps(dict.fromkeys(map(str, range(90_000)), 1)).encode()
    ),
    "an-answer-of-many-items": judged_with(b"[" + b'{"id":1},' * 60_000 + b"1]"),
    "an-answer-of-many-texts": judged_with(b"[" + b'"not found",' * 90_000 + b"1]"),
    "an-answer-of-many-errors": judged_with(
        json.dumps({f"error{n}": "bad q" for n in range(60_000)}).encode()
    ),
    "an-answer-of-one-text": judged_with(b'{"message": "' + b"q is required " * 70_000 + b'"}'),
    "an-answer-of-a-page": judged_with(b"<html>" + b"<p>not found" * 70_000, "text/html"),
    "a-simulated-answer": simulate,
    "a-ranking": rerank,
    "what-tools-change": retrieve,
    "the-words-of-a-catalogue": first_call,
    "arguments-of-a-caller": given,
}


QUICK_WORK = {
    "members-of-dotted-letters",
    "a-costly-pattern",
    "an-answer-of-a-page",
    "an-answer-of-many-texts",
    "a-simulated-answer",
    "a-ranking",
}
"""Work that takes least; it stands in for the rest of its kind."""


@pytest.mark.parametrize("said", every(2, ["Traceback (most recent call last):\n", "Error: no. "]))
def test_of_a_text_that_is_all_error_a_beginning_is_judged(
    said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search holds the event loop up from its thread, too; there are two dozen of them."""
    read, real = [0], classify.kind_of_error
    monkeypatch.setattr(
        classify, "kind_of_error", lambda text: read.append(len(text)) or real(text)
    )

    for text in (said * 3, "Traceback (most recent call last):\n" + said * 10_000):
        answer = read_answer("POST", 200, "text/plain", text)
        assert classify.classify(answer, tool("a.b"), {}).status == "failed"

    assert 0 < max(read) <= 20_000


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=[] if n in QUICK_WORK else [pytest.mark.slow]) for n in WORK],
)
async def test_the_event_loop_goes_on_meanwhile(name: str) -> None:
    await DeterministicPlanner().plan(request("Warm up."), tool("a.b", params=["q"]))
    # Done on the loop, the same work lets it go round four times at most.
    assert await steps_during(WORK[name]()) > 6


# --- memory and numbers of things are bounded


def long_texts() -> list[str]:
    return [f"{number} " + "word.Word " * 1_000 for number in range(60)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "read",
    every(
        3,
        [split_identifier, name_words, concept, stem, content_words, concepts, value_documentation],
    ),
    ids=lambda read: read.__name__,
)
def test_long_texts_are_not_kept(read: Callable[[str], Any]) -> None:
    read("warm up")
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for text in long_texts():
        read(text)
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert grown < 150_000


COSTLY = {
    "counted-twice": "(a{1000}){1000}",
    "counted-three-times": "(((a{100}){100}){100}){3}",
    "properties-of-unicode": r"(\p{L}{100}){10}",
    "properties-behind-a-look": r"(?=a)(\p{L}{250}){8}",
    "word-letters-behind-a-look": r"(?=a)(?:\w{1000}){8}",
    "optional-and-counted": r"(?:\p{L}?){0,900}",
    "as-long-as-a-book": "(?:abc|abd)" * 5_000,
}


@pytest.mark.parametrize("name", COSTLY)
@pytest.mark.parametrize("keyword", ["pattern", "patternProperties"])
def test_a_pattern_that_is_dear_to_compile_constrains_nothing(name: str, keyword: str) -> None:
    pattern = COSTLY[name]
    schema = {"pattern": pattern} if keyword == "pattern" else {keyword: {pattern: False}}
    asked_for = tool("a.b", params=[param("q", {**schema, "minLength": 2})])
    tracemalloc.start()
    assert argument_problems(asked_for, {"q": "!!"}) == []
    assert [each.field for each in argument_problems(asked_for, {"q": "!"})] == ["q"]
    tracemalloc.stop()


DEAR: dict[str, tuple[Any, Any]] = {
    "least-doubles-against-a-fraction": ({"items": {"minimum": 1.5}}, [5e-324] * 2_000),
    "least-doubles-for-whole-numbers": ({"items": {"type": "integer"}}, [1e-300] * 2_000),
    "least-doubles-divided": ({"items": {"multipleOf": 0.1}}, [5e-324] * 2_000),
    "a-constant-of-300-digits": ({"items": {"const": 1e-300}}, [0.1] * 2_000),
    "long-whole-numbers-among-fractions": ({"items": {"enum": [0.5] * 9}}, [10**300] * 500),
    "usual-fractions-by-the-thousand": ({"items": {"enum": [0.1, 0.7] * 50}}, [0.3] * 2_000),
    "members-of-an-enumeration": (
        {"items": {"enum": [f"m{n}" for n in range(9_000)]}},
        ["x"] * 2_000,
    ),
    "objects-of-an-enumeration": (
        {"items": {"enum": [{"a": n} for n in range(1_000)]}},
        [{"a": -1}] * 2_000,
    ),
    "a-pattern-on-many-texts": (
        {"items": {"pattern": r"^(?=a)(a|aa)+$"}},
        ["a" * 60 + "b"] * 4_000,
    ),
}
"""Schemas, and values on which one call of the validator, which holds the interpreter, is long."""


@pytest.mark.parametrize("name", DEAR)
def test_what_is_too_dear_to_compare_constrains_nothing(name: str) -> None:
    schema, value = DEAR[name]
    check, began = SchemaCheck(schema), time.thread_time()
    assert check.errors(value) == []
    assert time.thread_time() - began < 0.25


@pytest.mark.parametrize("name", DEAR)
def test_few_of_them_are_compared(name: str) -> None:
    schema, value = DEAR[name]
    assert SchemaCheck(schema).errors(value[:2])


def test_a_name_is_held_against_a_mark_in_one_go() -> None:
    long, began = tool("a." + "get" * 200), time.thread_time()
    assert not covers("*g*e*t*g*user", long)
    assert covers("a.*t*", long) and covers("*", long) and not covers("a.ge*etget", tool("a.get"))
    assert time.thread_time() - began < 0.25


@pytest.mark.parametrize(
    "context",
    [
        {"a": "x" * 5_000_000},
        {f"k{number}": number for number in range(100_000)},
        {"a": {"b": [[1, 10**20]]}},
        {"a": 10**5_000},
    ],
    ids=["long", "many", "large", "endless"],
)
def test_what_a_caller_knows_is_bounded(context: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="context"):
        read_context(context)


def test_a_long_value_is_looked_for_in_no_short_text() -> None:
    began = time.thread_time()
    assert find("x" * 5_000_000, "weather in Oslo") is None and find("oslo", "in Oslo") == (3, 7)
    assert time.thread_time() - began < 0.25


async def test_a_name_of_thousands_of_addresses_is_refused() -> None:
    async def resolver(host: str, port: int) -> list[str]:
        return [f"93.184.{number // 250}.{number % 250 + 1}" for number in range(4_000)]

    backend = GuardedBackend(Policy(frozenset({"h.example.com"})), resolver)
    with pytest.raises(CallRefused, match="too many"):
        await backend.connect_tcp("h.example.com", 443, timeout=1.0)


ENVELOPES = [
    (("data",), {"error": "boom"}),
    (("data",), {"status": "error"}),
    (("result", "body"), {"error": "boom"}),
    (("items", "x"), {"message": "not found"}),
    (("x",), {"a": 1, "b": [], "total": 0}),
    (("error", "data"), {"code": 400}),
]


@pytest.mark.parametrize(("around", "inside"), ENVELOPES, ids=lambda each: str(each)[:30])
def test_an_answer_that_nests_an_envelope_is_read_once_at_each_level(
    monkeypatch: pytest.MonkeyPatch, around: tuple[str, ...], inside: JsonObject
) -> None:
    """Twice at each level, 40 of them in 1 KB took a thread for good."""
    reads = 0

    def counting(key: str) -> str:
        nonlocal reads
        reads += 1
        assert reads < 20_000, "read again at each level"
        return plain_key(key)

    monkeypatch.setattr(content, "plain_key", counting)
    monkeypatch.setattr(emptiness, "plain_key", counting)
    value: JsonObject = inside
    for level in range(60):
        value = {around[level % len(around)]: value, f"more{level % 2}": {}}
    content.complaint(value)
    emptiness.is_empty(value)
    bare: JsonObject = inside
    for level in range(60):
        bare = {around[level % len(around)]: bare}
    content.complaint(bare)
    emptiness.is_empty(bare)


def test_an_error_in_an_envelope_in_an_envelope_is_found_all_the_same() -> None:
    value: JsonObject = {"error": "boom"}
    for _ in range(8):
        value = {"data": value}
    assert content.complaint(value)


# --- a document pays once for what its operations share, and before it is searched


BOOK = "x" * 100_000


HARMLESS = openapi(
    {f"/{number}": {"get": posted({"properties": {"a": {}, "b": {}}})} for number in range(200)}
)


def took(work: Callable[[], Any]) -> float:
    """The processor time of `work`, in that of reading a harmless document of 200 operations.

    Seconds would say how fast the machine is, and whether its coverage is measured.
    """

    def seconds(some: Callable[[], Any]) -> float:
        began = time.thread_time()
        some()
        return time.thread_time() - began

    return seconds(work) / min(seconds(lambda: Catalog.from_openapi(HARMLESS)) for _ in range(2))


def test_required_names_are_paid_for_before_they_are_searched() -> None:
    """Of 1,900 properties that dangle each was looked for in a list of 20,000 names."""
    named = {f"p{number}": {"$ref": "#/nowhere"} for number in range(1_900)}
    schema = {"properties": named, "required": [f"r{number}" for number in range(20_000)]}
    document = openapi({"/a": {"get": posted(schema)}})
    assert took(lambda: Catalog.from_openapi(document)) < 20


def test_a_required_property_that_dangles_is_still_missed() -> None:
    schema = {"properties": {"a": {"$ref": "#/x"}, "b": {}}, "required": ["a"]}
    assert Catalog.from_openapi(openapi({"/a": {"get": posted(schema)}})).skipped
    schema["required"] = ["b"]
    (found,) = Catalog.from_openapi(openapi({"/a": {"get": posted(schema)}}))
    assert [each.name for each in found.parameters] == ["b"]


def swagger(operation: dict[str, Any], count: int, **root: Any) -> dict[str, Any]:
    paths = {f"/p{number}": {"get": operation} for number in range(count)}
    return {"swagger": "2.0", "info": {"title": "Old"}, "host": "h.example", "paths": paths, **root}


FIELD = {"parameters": [{"name": "f", "in": "formData", "type": "string"}]}


@pytest.mark.parametrize(
    ("operation", "most"), [({}, 0), (FIELD, 1_000)], ids=["without a body", "with a form"]
)
def test_few_of_many_media_types_are_sorted(
    operation: dict[str, Any], most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ranked, real = [0], body.media_rank

    def counted(name: str) -> int:
        ranked[0] += 1
        return real(name)

    monkeypatch.setattr(body, "media_rank", counted)
    document = swagger(operation, 5, consumes=[f"a/b{number}" for number in range(2_000)])
    assert len(Catalog.from_openapi(document)) == 5
    assert ranked[0] <= most


@pytest.mark.parametrize("of", ["parameters", "body", "swagger"])
def test_a_media_type_as_long_as_a_book_is_left_out(of: str) -> None:
    long = f"application/json;{BOOK}"
    content = {"content": {long: {"schema": {}}}}
    document = {
        "parameters": openapi(
            {"/a": {"get": {"parameters": [{"name": "q", "in": "query"} | content]}}}
        ),
        "body": openapi({"/a": {"get": {"requestBody": content}}}),
        "swagger": swagger(
            {"parameters": [{"name": "b", "in": "body", "schema": {}}]}, 1, consumes=[long]
        ),
    }[of]
    assert all(len(each.model_dump_json()) < 5_000 for each in Catalog.from_openapi(document))


def signing_in(**scheme: Any) -> dict[str, Any]:
    return {"type": "apiKey", "in": "header", "name": "k", **scheme}


@pytest.mark.parametrize(
    "root",
    [
        {},
        {"security": [{f"s{number}": []} for number in range(90)]},
    ],
    ids=["never asked for", "asked for"],
)
def test_what_all_operations_ask_for_is_read_once(
    root: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    read, real = [0], access._scheme

    def counted(*given: Any) -> Any:
        read[0] += 1
        return real(*given)

    monkeypatch.setattr(access, "_scheme", counted)
    schemes = {f"s{number}": signing_in() for number in range(2_000)}
    paths = {f"/p{number}": {"get": {}} for number in range(20)}
    catalog = Catalog.from_openapi(openapi(paths, components={"securitySchemes": schemes}, **root))
    assert read[0] <= access.ALTERNATIVES_READ
    first = next(iter(catalog)).binding.security  # type: ignore[union-attr]
    assert len(first) >= 50 and all(each.binding.security == first for each in catalog)  # type: ignore[union-attr]


def test_what_is_left_out_of_it_is_noted_at_each_operation() -> None:
    paths = {f"/p{number}": {"get": {}} for number in range(3)}
    catalog = Catalog.from_openapi(openapi(paths, security=[{"nobody": []}]))
    assert len([note for note in catalog.notes if "not defined" in note.detail]) == 3


ISSUER = {
    "type": "oauth2",
    "flows": {"clientCredentials": {"tokenUrl": f"https://a.example/{BOOK}"}},
}
BOOKS: dict[str, tuple[dict[str, Any], list[Any]]] = {
    "name": ({BOOK: signing_in()}, [{BOOK: []}]),
    "parameter": ({"s": signing_in(name=BOOK)}, [{"s": []}]),
    "word": ({"s": {"type": "http", "scheme": BOOK}}, [{"s": []}]),
    "scope": ({"s": {"type": "oauth2", "flows": {}}}, [{"s": [BOOK]}]),
    "issuer": ({"s": ISSUER}, [{"s": []}]),
}


@pytest.mark.parametrize("name", BOOKS)
def test_what_is_sent_to_sign_in_is_no_book(name: str, tmp_path: Path) -> None:
    schemes, security = BOOKS[name]
    document = openapi(
        {"/a": {"get": {}}}, components={"securitySchemes": schemes}, security=security
    )
    (found,) = Catalog.from_openapi(document)
    assert len(found.model_dump_json()) < 3_000
    scheme = {"name": "s", "kind": "oauth2"} | {
        "name": {"name": BOOK},
        "parameter": {"parameter": BOOK},
        "word": {"scheme": BOOK},
        "scope": {"scopes": [BOOK]},
        "issuer": {"token_url": BOOK},
    }[name]
    record = tool("A.a", server="https://a.example").model_dump(mode="json")
    record["binding"]["security"] = [[scheme]]
    assert ["too long" in row.reason for row in of_row(record, tmp_path).skipped] == [True]


# --- rows and listings


def flat(*fields: dict[str, Any]) -> dict[str, Any]:
    return {"title": "x", "metadata": {"method": "GET", "path": "/x", "parameters": list(fields)}}


def test_a_flat_operation_has_so_many_parameters(tmp_path: Path) -> None:
    fields = [{"name": f"p{number}", "in": "path"} for number in range(20_000)]
    catalog = of_row(flat(*fields), tmp_path)
    assert ["more than 1,000" in row.reason for row in catalog.skipped] == [True]
    assert len(of_row(flat(*fields[:1_000]), tmp_path)) == 2


def test_a_paths_parameter_gives_way_to_an_operations_own(tmp_path: Path) -> None:
    own = {"name": "a", "in": "path", "type": "integer"}
    fields = [
        {"name": "a", "in": "path"},
        {"name": "a", "in": "query"},
        {"name": "b", "in": "path"},
    ]
    found = next(iter(of_row(flat(*fields, own, fields[1]), tmp_path)))
    places = [(each.wire_name, each.location) for each in found.parameters]
    assert places == [("a", "query"), ("b", "path"), ("a", "path"), ("a", "query")]
    assert found.parameters[2].json_schema == {"type": "integer"}


def test_what_a_listing_requires_is_no_list_to_search() -> None:
    named = {f"p{number}": {} for number in range(700)}
    schema = {"properties": named, "required": [f"r{number}" for number in range(8_000)]}
    listing = {"tools": [{"name": f"t{number}", "inputSchema": schema} for number in range(20)]}
    assert took(lambda: Catalog.from_mcp(listing, server="s")) < 40


@pytest.mark.parametrize("key", ["body", "template_response"])
def test_an_example_as_large_as_a_book_is_left_out(key: str, tmp_path: Path) -> None:
    path = tmp_path / "kit.json"
    listed = [{"name": "large", key: {"a": [1.5] * 200_000}}, {"name": "small", key: {"a": [1.5]}}]
    path.write_text(json.dumps({"tool_name": "Kit", "api_list": listed}))
    catalog = Catalog.from_toolbench(path)
    assert [each.response.example for each in catalog] == [None, {"a": [1.5]}]
    assert [each.response.example_is_template for each in catalog] == [False, key != "body"]


def test_what_a_field_says_of_itself_is_cut(tmp_path: Path) -> None:
    said = of_api({"description": BOOK, "type": f"STRING ({BOOK}", "default": BOOK * 5}, tmp_path)
    (field,) = next(iter(said)).parameters
    assert len(field.description) == NOTE_LIMIT and field.examples == ()
    entry = {"name": "q", "in": "query", "type": "string", "description": BOOK}
    (field,) = next(iter(of_row(flat(entry), tmp_path))).parameters
    assert len(field.description) == NOTE_LIMIT


def test_what_a_record_says_of_itself_is_cut_like_any_other(tmp_path: Path) -> None:
    long = tool(
        "A.a", BOOK, params=[param("q", description=BOOK)], response=Response(description=BOOK)
    )
    record = long.model_copy(update={"toolkit_description": BOOK}).model_dump(mode="json")
    found = next(iter(of_row(record, tmp_path)))
    assert len(found.description) == DESCRIPTION_LIMIT
    assert len(found.toolkit_description) == TOOLKIT_DESCRIPTION_LIMIT
    assert len(found.parameters[0].description) == len(found.response.description) == NOTE_LIMIT
    short = tool("A.a", "Finds it.", params=["q"])
    assert next(iter(of_row(short.model_dump(mode="json"), tmp_path))) == short


# --- patterns and what breaks a schema


@pytest.mark.parametrize("pattern", ["[" * 10_000, "[^" * 5_000, "[]" + "a[" * 4_000])
def test_a_class_that_never_ends_is_looked_through_once(pattern: str) -> None:
    assert took(lambda: pattern_cost(pattern)) < 10
    fields = [param(f"q{number}", {"pattern": pattern}) for number in range(40)]
    assert took(lambda: argument_problems(tool("a.b", params=fields), {"q0": "x"})) < 20


def test_what_stands_behind_such_a_class_costs_what_it_costs() -> None:
    """It may be a comment: `(?x)`."""
    assert pattern_cost("(?x) # [\n(a{1000}){1000}") > PATTERN_COST
    assert pattern_cost("[a[b]{1000}") == pattern_cost("[abc]{1000}")


REPEATED: dict[str, tuple[Any, Any]] = {
    "a-text-for-each-branch": ({"allOf": [{"maxLength": 1}] * 1_600}, BOOK),
    "a-text-in-each-choice": ({"anyOf": [{"maxLength": 1}] * 1_600}, BOOK),
    "items-for-each-branch": ({"items": {"allOf": [{"type": "string"}] * 240}}, [1] * 990),
    "items-in-each-choice": ({"items": {"anyOf": [{"type": "string"}] * 240}}, [1] * 990),
}
"""Schemas, and values that break them so often that saying how takes seconds and memory."""


@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize("name", REPEATED)
@pytest.mark.slow
def test_what_is_wrong_is_not_said_for_each_branch(name: str, linear: bool) -> None:
    schema, value = REPEATED[name]
    check = SchemaCheck(schema, linear=linear)
    tracemalloc.start()
    assert took(lambda: check.errors(value)) < 10
    assert len(check.errors(value)) == 1
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2_000_000


def test_a_field_that_breaks_its_schema_too_often_hides_no_other() -> None:
    asked_for = tool(
        "a.b",
        params=[
            param("q", REPEATED["a-text-for-each-branch"][0]),
            param("n", "integer"),
            param("must", required=True),
        ],
    )
    found = argument_problems(asked_for, {"q": BOOK, "n": "x", "other": 1})
    assert {(each.field, each.kind) for each in found} == {
        ("q", "invalid_value"),
        ("n", "invalid_value"),
        ("must", "missing_required"),
        ("other", "unknown"),
    }
    assert all(len(each.detail) <= 500 for each in found)


def test_a_reply_is_held_against_a_schema_within_the_same_bounds() -> None:
    schema = {"type": "array", "items": {"enum": [f"m{number}" for number in range(9_000)]}}
    assert took(lambda: problems(schema, ["x"] * 500)) < 5
    assert problems(schema, ["x"])


def test_a_record_whose_schema_refers_to_itself_constrains_nothing(tmp_path: Path) -> None:
    """Each level referred twice to the next: thirty of them took a minute."""
    place = "#/properties/q/$defs/L"
    levels: dict[str, Any] = {
        f"L{number}": {"allOf": [{"$ref": f"{place}{number + 1}"}] * 2} for number in range(18)
    }
    schema = {"$ref": f"{place}0", "$defs": {**levels, "L18": {"type": "integer"}}}
    asked_for = tool("a.b", params=[param("q", schema), param("n", "integer")])
    found = next(iter(of_row(asked_for.model_dump(mode="json"), tmp_path)))
    assert took(lambda: argument_problems(found, {"q": "x"})) < 10
    assert [each.field for each in argument_problems(found, {"q": "x", "n": "x"})] == ["n"]
