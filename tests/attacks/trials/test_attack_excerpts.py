"""Excerpts of answers: a trial's is redacted once, off the event loop, and few are remembered."""

import threading
from typing import Any

import httpx
import pytest

from fakes import FakeRetriever, tool
from gretel.catalog import Catalog
from gretel.graph.selector import Selector
from gretel.sandbox.http.executor import HttpExecutor
from gretel.sandbox.permission.policy import Policy
from gretel.text import foreign
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
    assert answer not in foreign._shown


def test_few_excerpts_are_remembered() -> None:
    for number in range(foreign._MOST + 9):
        foreign.excerpt(f"answer {number}")
    assert len(foreign._shown) == foreign._MOST
    assert "answer 8" not in foreign._shown and "answer 9" in foreign._shown
