"""An answer speaks for its tool by names that the request has and no call sent."""

import asyncio
import json
from itertools import permutations

import pytest

from fakes import SERVER, failed, succeeded, tool, trial
from gretel.catalog import Catalog
from gretel.contracts.ranking import Request
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import Argument, CallPlan, Outcome, Trial
from gretel.nodes.rerank.answer_words import answer_words
from gretel.nodes.rerank.evidence import EvidenceReranker
from gretel.nodes.rerank.weight import soft_weights

TEXT = "Which berth does the Albatros have in harbour 7?"
CATALOG = Catalog.from_tools(tool(name, server=SERVER) for name in ("Port.one", "Port.two"))
OTHER = {"status": "fine"}


def answered(name: str, content: object, *sent: str) -> Trial:
    values = {f"v{n}": Argument(value=each, source="request") for n, each in enumerate(sent)}
    called = CallPlan(tool_id=ToolId(name), arguments=values)
    return trial(name, 1, planned=called, executed=succeeded(json.dumps(content)))


def spoken(content: object, *sent: str, other: object = None) -> float:
    """How much an answer beside another speaks of the request."""
    trials = [answered("Port.one", content, *sent), answered("Port.two", other or OTHER)]
    return answer_words(TEXT, trials, CATALOG).get(ToolId("Port.one"), 0.0)


@pytest.mark.parametrize(
    "content",
    [{"berth": "C4"}, {"berths": [{"n": 4}]}, {"ship": "Albatros"}, [["MV Albatros", 4]]],
    ids=["field", "plural", "value", "row"],
)
def test_a_field_or_a_short_value_that_is_asked_for_counts(content: object) -> None:
    assert 0 < spoken(content) <= 1


@pytest.mark.parametrize(
    "content",
    [{"note": "the Albatros has left her berth in the harbour, they say"}, {"a": 7}, {}, "x"],
    ids=["text", "number", "empty", "letter"],
)
def test_longer_text_does_not(content: object) -> None:
    assert spoken(content) == 0


def test_what_a_call_sent_may_be_an_echo() -> None:
    assert spoken({"ship": "Albatros"}, "Albatros") == 0
    assert spoken({"berth": "C4", "ship": "Albatros"}, "Albatros") > 0


def test_what_the_document_says_retrieval_has_read() -> None:
    described = tool("Port.one").model_copy(update={"description": "The berths of all ships."})
    catalog = Catalog.from_tools([described, tool("Port.two")])
    trials = [answered("Port.one", {"berth": "C4"}), answered("Port.two", OTHER)]
    assert not answer_words(TEXT, trials, catalog).get(ToolId("Port.one"))


def test_what_every_answer_has_tells_less() -> None:
    assert spoken({"berth": "C4"}, other={"berth": "C5"}) < spoken({"berth": "C4"})


def test_only_an_answer_counts() -> None:
    body = json.dumps({"berth": "C4"})
    outcomes = [
        failed("error_in_body").model_copy(update={"excerpt": body}),
        Outcome(status="unavailable", source="none"),
    ]
    for outcome in outcomes:
        assert not answer_words(TEXT, [trial("Port.one", 1, executed=outcome)], CATALOG)


def test_all_words_together_weigh_less_than_an_answer_and_order_only_near_tools() -> None:
    """A server can write what it likes: it gains less by that than by answering at all."""
    stuffed = {word: word for word in TEXT.strip("?").split()}
    assert spoken(stuffed) == 1
    assert soft_weights()["words"] <= soft_weights()["succeeded"]
    near = answered("Port.one", OTHER).model_copy(update={"retrieval_score": 0.5})
    for score, first in ((0.45, "Port.two"), (0.2, "Port.one")):
        rival = answered("Port.two", stuffed).model_copy(update={"retrieval_score": score})
        for trials in permutations([near, rival]):
            asked = Request(text=TEXT, today="2026-01-01")
            ranking = asyncio.run(EvidenceReranker(CATALOG).rerank(asked, trials))
            assert ranking.tools[0].tool_id == first


@pytest.mark.parametrize("called", [succeeded('{"a": "b"}'), failed("server_error")])
def test_who_takes_the_whole_request_takes_nothing_from_others(called: Outcome) -> None:
    stranger = tool("Any.search", server="https://any.example.org")
    catalog = Catalog.from_tools([*CATALOG, stranger])
    own = [answered("Port.one", {"berth": "C4"}), answered("Port.two", OTHER)]
    theirs = answered("Any.search", OTHER, TEXT).model_copy(update={"executed": called})
    ids = ToolId("Port.one"), ToolId("Any.search")

    before = answer_words(TEXT, own, catalog)[ids[0]]
    found = answer_words(TEXT, [*own, theirs], catalog)

    assert found[ids[0]] >= before > 0 and ids[1] not in found
    echo = answered("Any.search", {"berth": "C4"}, TEXT)
    assert ids[1] not in answer_words(TEXT, [*own, echo], catalog)
