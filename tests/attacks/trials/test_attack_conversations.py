"""Long conversations, values and replies: no work on them holds the event loop, or stays in memory.

What tools answered in earlier turns is a stranger's, and a model repeats what it read.
"""

import json
import re
import threading
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from fakes import FakeRetriever, param, plan, tool
from gretel import prompts
from gretel.catalog import Catalog
from gretel.catalog.effects.chosen import written_in
from gretel.contracts.budget import Budget
from gretel.contracts.errors import ApprovalNeeded, InputError
from gretel.contracts.ranking import Message, Request
from gretel.contracts.record import JsonValue
from gretel.contracts.tool import HttpBinding, Tool
from gretel.contracts.trial import CallPlan, Failure
from gretel.evaluation.mock.known_values import same
from gretel.evaluation.mock.routes import Routes
from gretel.graph.runs import given_of
from gretel.graph.selector import Selector
from gretel.integrations.mcp import McpServers
from gretel.llm.reading import read_object
from gretel.nodes.plan.provenance import facts_of
from gretel.nodes.plan.standing import find, leaves_spans
from gretel.nodes.request import MAX_MESSAGES, TURN, request_hash
from gretel.sandbox.answers.answer import Answer
from gretel.sandbox.answers.blame import names_value
from gretel.sandbox.answers.content import complaint
from gretel.sandbox.answers.fields import named_fields
from gretel.sandbox.permission.policy import Policy
from gretel.text.foreign import one_line
from growth import CONSTANT, LINEAR, SQUARE, growth
from lanes import every
from llm_server import LlmServer, good

LONG = "x1 " * 60_000
"""A value of that length made a pattern of 2 MB, of which 512 were kept."""


def test_earlier_turns_are_bounded_in_all() -> None:
    turn = {"role": "tool", "content": "x" * (MAX_MESSAGES // 4 - TURN)}
    assert len(given_of("weather", [turn] * 4, None)["messages"]) == 4
    with pytest.raises(InputError, match=r"messages: have 2,000,504 characters.*Shorten"):
        given_of("weather", [turn] * 4 + [{"role": "user", "content": "more"}], None)
    with pytest.raises(InputError, match="messages: have"):
        given_of("weather", [{"role": "user", "content": ""}] * 5_000, None)


def test_a_hash_of_a_conversation_writes_none_of_it_out(monkeypatch: pytest.MonkeyPatch) -> None:
    written, dumps = [], json.dumps

    def noted(value: Any, **options: Any) -> str:
        written.append(dumps(value, **options))
        return written[-1]

    monkeypatch.setattr(json, "dumps", noted)
    one, other = ({"messages": [{"content": "x" * 1_000_000 + end}]} for end in "ab")
    assert request_hash(one) != request_hash(other) and request_hash(one) == request_hash(one)
    assert max(map(len, written)) < 1_000


def test_long_values_make_no_patterns(monkeypatch: pytest.MonkeyPatch) -> None:
    made, compiled = [0], re._compiler.compile  # type: ignore[attr-defined]

    def noted(pattern: Any, flags: int = 0) -> Any:
        made.append(len(str(pattern)))
        return compiled(pattern, flags)

    monkeypatch.setattr(re._compiler, "compile", noted)  # type: ignore[attr-defined]
    asked = param("q", {"type": "string", "default": f"no {LONG}- y"})
    assert find(LONG, "y" * 300_000) is None
    assert find(LONG.upper(), f"a{LONG}b {LONG}") == (len(LONG) + 3, 2 * len(LONG) + 2)
    assert not names_value("no such x1 " * 20, LONG)
    assert written_in(asked, LONG) and not written_in(asked, f"{LONG}z")
    assert max(made) < len(LONG)


def test_of_a_value_whose_first_part_stands_nowhere_nothing_more_is_looked_for() -> None:
    text, values = "y" * 1_000_000, [f"absent {number}" for number in range(5_010)]
    assert leaves_spans(values, text) is None
    assert growth(lambda size: leaves_spans(values[:size], text), 5_000) < CONSTANT


def test_answers_are_not_taken_apart_for_values_that_the_person_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[Any] = []

    def noted(*texts: Any) -> set[str]:
        told.extend(texts)
        return set()

    monkeypatch.setattr("gretel.nodes.plan.provenance.words_told", noted)
    turns = (Message(role="tool", content="Kari lives in Trondheim. " * 1_000),)
    request = Request(text="The weather in Oslo", messages=turns, today="2026-11-26")
    assert facts_of(plan("w.now", city="Oslo"), request) == ()
    assert told and turns[0].content not in told


@pytest.mark.parametrize("write", [one_line, lambda text, limit: prompts.one_line(text, limit)])
def test_of_a_long_text_a_line_reads_the_beginning(
    write: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []

    def noted(text: str) -> str:
        read.append(len(text))
        return text

    monkeypatch.setattr("gretel.text.foreign.clean", noted)
    assert write("å " * 1_000_000, 100) == "å " * 49 + "å…"
    assert write("ab  c" + " " * 50 + "d", 5) == "ab c…" and write("ab  c ", 4) == "ab c"
    assert sum(read) < 1_000


@pytest.mark.parametrize("order", ["\x1b]8;;https://x.example/{}\x1b\\", "\x1b[{}m"], ids=ascii)
def test_of_an_order_that_a_cut_went_through_nothing_is_shown(order: str) -> None:
    assert one_line(order.format("1" * 150) + "seen", 20) == "seen"
    assert one_line("ab " + order.format("1" * 150), 20) == "ab"


def test_two_long_lists_are_set_against_each_other_in_one_go() -> None:
    def compare(size: int) -> None:
        mine: list[JsonValue] = [f"a{n}" for n in range(size)]
        theirs: list[JsonValue] = [f"b{n}" for n in range(size)]
        assert not same(mine, theirs) and same(mine, [*reversed(mine)])

    assert same(["Oslo."], ["Bergen", "oslo"]) and not same(["Oslo"], ["Bergen"])
    assert growth(compare, 3_000) < LINEAR


@pytest.mark.parametrize("key", ["detail", "city"])
def test_of_a_list_of_thousands_of_problems_the_first_are_read(key: str) -> None:
    """Twenty kilobytes took two seconds."""
    problems = [f"{'field required ' * 15}{n}" for n in range(2_010)]
    assert str(complaint({key: [*problems]})).count("required")
    assert growth(lambda size: complaint({key: [*problems[:size]]}), 2_000) < CONSTANT
    assert complaint({key: ["Oslo", "Rome"]}) is None
    assert complaint({"a": ["is required", 1]}) is None


@pytest.mark.parametrize("said", every(2, ["p{:x} ", "'p{:x}' ", "missing p{:x}, ", "aaa"]))
def test_thousands_of_names_are_looked_for_in_an_error_in_one_go(said: str) -> None:
    def search(size: int) -> None:
        names = [f"p{n:x}" if "p" in said else "a" * (n + 1) for n in range(size)]
        asked = tool("a.b", params=[param(name) for name in names])
        text = "".join(map(said.format, range(size)))
        answer = Answer("GET", 400, "text/plain", text, is_json=False)
        assert bool(named_fields(asked, answer)) == ("p" in said)

    most = LINEAR if "p" in said else SQUARE  # names of a grow as well
    assert growth(search, 1_500, runs=7) < most


@pytest.mark.parametrize(
    ("first", "unit", "last"),
    [("```", "\n" * 7, "x"), ("", "<think>", ""), ("", "```json", ""), ("", "<think>\n", "{")],
    ids=["line feeds", "thoughts", "fences", "both"],
)
def test_a_reply_that_rambles_is_read_in_one_go(first: str, unit: str, last: str) -> None:
    def read(size: int) -> None:
        with pytest.raises(ValueError, match="the reply"):
            read_object(first + unit * size + last)

    assert growth(read, 9_000) < LINEAR


def test_thoughts_and_fences_are_read_as_before() -> None:
    assert read_object('<think>{"a": 1}</think> <think>\n{}</think>{"a": 2}') == {"a": 2}
    assert read_object('So:\n```json \n{"a": 3}\n``` and ```\n{"a": 4}\n```') == {"a": 3}
    assert read_object('{"a": "<think>"}') == {"a": "<think>"}


async def test_long_facts_are_looked_through_once_off_the_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    threads: list[threading.Thread] = []

    def noted(text: str) -> bool:
        if "harbour" in text:
            threads.append(threading.current_thread())
        return False

    monkeypatch.setattr("gretel.sandbox.secrets.looks.names_a_secret", noted)
    tools = [tool(f"w.t{n}", "The weather.", params=[param("city")]) for n in range(3)]
    selector = Selector(Catalog.from_tools(tools), retriever=FakeRetriever(tools, needs_tool=1.0))
    facts: Any = {"note": "a harbour " * 1_000, "password": "Zx9KqvTr8Lm5"}
    try:
        await selector.aselect("The weather in Oslo?", context=facts)
    finally:
        await selector.aclose()
    assert len(threads) == 2, "with the password, and without"
    assert threading.main_thread() not in threads


@pytest.mark.parametrize("kind", ["http", "mcp"])
async def test_what_a_tool_says_is_judged_off_the_loop_where_a_person_is_asked(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[threading.Thread] = []
    judge = Policy.unsafe_call

    def noted(self: Policy, asked: Tool, made: CallPlan | None = None) -> Failure | None:
        threads.append(threading.current_thread())
        return judge(self, asked, made)

    monkeypatch.setattr(Policy, "unsafe_call", noted)
    if kind == "mcp":
        servers, listed = McpServers({}), {"name": "t", "inputSchema": {"type": "object"}}
        servers._known = Catalog.from_mcp([listed], server="w")
        await servers.execute(plan("w.t"), budget=Budget())
    else:
        tools = [tool("w.delete", "Delete a city.", server="https://x.example.com")]
        selector = Selector(
            Catalog.from_tools(tools),
            retriever=FakeRetriever(tools, needs_tool=1.0),
            policy=Policy(frozenset({"x.example.com"})),
            checkpointer=InMemorySaver(),
        )
        with pytest.raises(ApprovalNeeded):
            await selector.aselect("Delete Oslo", approve="ask")
        await selector.aclose()
    assert threads and threading.main_thread() not in threads


async def test_a_reply_is_judged_off_the_loop(llm: LlmServer) -> None:
    threads: list[threading.Thread] = []

    def noted(reply: Any) -> Any:
        threads.append(threading.current_thread())
        if len(threads) == 1:
            raise ValueError("once more")
        return reply

    llm.script("add", good({"sum": 2}), good({"sum": 3}))
    asked = [Message(role="user", content="1 + 2?")]
    assert await llm.model().reply(asked, {"type": "object"}, noted, step="add") == {"sum": 3}
    assert len(threads) == 2 and threading.main_thread() not in threads


def test_a_path_of_places_alone_is_told_in_one_go() -> None:
    binding = HttpBinding(method="GET", path="/{a}{b}{c}{d}{e}{f}x", servers=("https://x.example",))
    routes = Routes([tool("a.b", binding=binding)])
    assert routes.find("GET", "/" + "a" * 60).__class__.__name__ == "Reply"
    assert growth(lambda size: routes.find("GET", "/" + "a" * size), 60) < LINEAR
    found: Any = routes.find("GET", "/123456789x")
    assert dict(found.values) == {**dict(zip("abcde", "12345", strict=True)), "f": "6789"}
