"""Excerpts of answers: a trial's is redacted once, off the event loop, and few are remembered."""

import asyncio
import json
import threading
import time
from typing import Any

import httpx
import pytest

from fakes import FakeRetriever, tool
from gretel.catalog import Catalog
from gretel.graph.selector import Selector
from gretel.sandbox.answers.answer import _seen, read_answer
from gretel.sandbox.http.executor import HttpExecutor
from gretel.sandbox.network.body import parse_json
from gretel.sandbox.permission.policy import Policy
from gretel.text import foreign
from gretel.text.foreign import both_ends, excerpt
from gretel.text.redact import MASK, Redactor, redacted

SERVER = "https://x.example.com"


async def test_an_answer_is_redacted_where_it_came_and_nowhere_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    threads: list[threading.Thread] = []

    def noted(text: str, **options: Any) -> str:
        if "harbour" in text:
            threads.append(threading.current_thread())
        return redacted(text, **options)

    monkeypatch.setattr(foreign, "redacted", noted)
    tools = [tool(f"w.t{n}", "The weather.", server=SERVER) for n in range(3)]
    catalog, policy = Catalog.from_tools(tools), Policy(frozenset({"x.example.com"}))
    sending = httpx.MockTransport(
        lambda asked: httpx.Response(200, json={"at": f"harbour {asked}"})
    )
    selector = Selector(
        catalog,
        retriever=FakeRetriever(tools, needs_tool=1.0),
        policy=policy,
        executor=HttpExecutor(catalog, policy, transport=sending),
    )
    try:
        found = await selector.aselect("The weather at the harbour?")
    finally:
        await selector.aclose()
    assert ["harbour" in trial.executed.excerpt for trial in found.trials] == [True] * 3
    assert len(threads) == 2 * 3, "for the excerpt, and for what is shown beside a call"
    assert threading.main_thread() not in threads


def test_a_secret_that_is_known_by_now_is_masked_in_what_was_read_before() -> None:
    answer = '{"echo": "canary five two nine"}'
    assert foreign.excerpt(foreign.excerpt(answer)) == answer
    with Redactor().during(["canary five two nine"]):
        assert foreign.excerpt(answer) == f'{{"echo": "{MASK}"}}'


def test_what_was_not_redacted_is_not_taken_for_an_excerpt() -> None:
    answer = '{"password": "Zx9KqvTr8Lm5"}'
    for _ in range(2):
        assert "Zx9" not in foreign.excerpt(answer)
    assert foreign._digest(answer) not in foreign._shown


def test_few_excerpts_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreign, "_MOST", 64)
    for number in range(64 + 9):
        foreign.excerpt(f"answer {number}")
    assert len(foreign._shown) == 64
    known = [foreign._digest(f"answer {number}") in foreign._shown for number in (8, 9)]
    assert known == [False, True]


def test_all_excerpts_of_a_long_run_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Edges read all trials, on the event loop: of five rounds of 200, and of other runs."""
    said = [foreign.excerpt(f"answer {number}") for number in range(8_000)]
    monkeypatch.setattr(foreign, "redacted", pytest.fail)
    assert [foreign.excerpt(text) for text in said] == said


def long_values() -> dict[str, Any]:
    lots = {
        "floats": [1e-300] * 60_000,
        "names": {f"k{number}": number for number in range(20_000)},
    }
    deep: Any = ["end"]
    for level in range(90):
        deep = {"x" * 1_500: [level, deep], "é\u200b\r": "\x1b[31mred\x00 \u2028 end"}
    return {
        **lots,
        "texts": [{"a": "é\u200bx" * 40, "b": [None, True, {}]}] * 2_000,
        "deep": deep,
        "one text": {"a": ["b" * 200_000, 1], "c": "d"},
        "hidden": ["\u200b" * 1_000, "\x1b[31mred\x1b[0m", "a\x00b"] * 300,
        "blanks": [[], {}, "", [[]]] * 30_000,
    }


@pytest.mark.parametrize("name", long_values())
@pytest.mark.slow
def test_of_a_long_answer_its_ends_are_written_and_the_excerpt_is_the_same(name: str) -> None:
    value = long_values()[name]
    answer = read_answer("GET", 200, "application/json", json.dumps(value))
    assert len(answer.text) > 100_000
    whole = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if "\\u00" in whole:
        whole = json.dumps(_seen(value), ensure_ascii=False, separators=(",", ":"))
    assert both_ends(answer.shown) == both_ends(whole)
    assert excerpt(answer.shown) == excerpt(whole)


def test_no_call_writes_a_long_answer_out_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """One call of 570,000 numbers held all others up for half a second."""
    written, real = [0], json.dumps

    def counted(value: Any, **how: Any) -> str:
        made = real(value, **how)
        written.append(len(made))
        return made

    monkeypatch.setattr(json, "dumps", counted)
    for name in ("floats", "names", "texts", "blanks"):
        text = real(long_values()[name])
        shown = read_answer("GET", 200, "application/json", text).shown
        assert len(shown) < 100_000
    assert max(written) < 10_000 and sum(written) < 1_000_000


@pytest.mark.slow
def test_a_secret_in_the_middle_of_a_long_answer_is_shown_nowhere() -> None:
    """Where the beginning and the end of it are joined, too."""
    secret = "canary-5f2a91-77"
    for before in range(39_985, 40_005):
        value = ["a" * (before - 3), secret, "b" * 99_000]
        text = json.dumps(value)
        with Redactor().during([secret]):
            shown = both_ends(read_answer("GET", 200, "application/json", text).shown)
        assert "canary" not in shown and "91-77" not in shown


async def test_long_integers_are_read_one_by_one() -> None:
    """In one call they held all other calls up."""
    text, longest = "[" + ("7" * 4_299 + ",") * 1_800 + "-1]", 0.0

    def read() -> tuple[Any, float]:
        began = time.perf_counter()
        return parse_json(text).value, time.perf_counter() - began

    task, last = asyncio.ensure_future(asyncio.to_thread(read)), time.perf_counter()
    while not task.done():
        await asyncio.sleep(0)
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
    value, taken = task.result()
    assert value[-2:] == [int("7" * 4_299), -1]
    assert longest < taken / 3
    assert "too long" in str(parse_json("[" + "7" * 4_301 + "]").error)
