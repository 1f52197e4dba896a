"""The world of values: what right tools know, what others know by chance, and what is asked."""

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from fakes import param, tool
from gretel.catalog import Catalog
from gretel.contracts.record import JsonValue
from gretel.contracts.tool import Tool, ToolId
from gretel.evaluation.mock.faults import FaultKind, draw_faults
from gretel.evaluation.mock.known_values import (
    KNOWN,
    KNOWN_SAMPLE,
    KnownValues,
    RightCall,
    looked_up,
    may_be_unknown,
    same,
)
from gretel.evaluation.mock.mock_api import MockApi
from gretel.evaluation.mock.replies import Reply
from gretel.evaluation.mock.unknown_values import MANNERS, unknown_reply

SHELF = tool("Shelf.find", params=[param("book", required=True), param("author")])
MANY = [tool(f"Kit{n % 300}.op{n}", params=[param("book", required=True)]) for n in range(3_000)]
SAMPLED = [
    tool(each.tool_id, params=[param("book", required=True, examples=("Emma",))]) for each in MANY
]


def known(*calls: RightCall, seed: int = 7) -> KnownValues:
    """What tools know where `calls` are right for request `q1`, of every tool."""
    ids = [SHELF.tool_id, *(each.tool_id for each in MANY)] if calls else []
    return KnownValues({("q1", each): calls for each in ids}, seed)


def right(**values: Any) -> RightCall:
    return {name: tuple(accepted) for name, accepted in values.items()}


def share(values: KnownValues, tools: list[Tool], request: str | None, **arguments: Any) -> float:
    return sum(not values.unknown(t, arguments, request) for t in tools) / len(tools)


@pytest.mark.parametrize("book", ["Dune", "dune", "  DUNE ", "Dune Messiah"])
def test_a_right_tool_knows_every_right_value(book: str) -> None:
    values = known(right(book=["Dune", "Dune  messiah"]))
    assert values.unknown(SHELF, {"book": book}, "q1") == {}
    assert share(values, MANY, "q1", book=book) == 1


def test_a_right_tool_knows_no_other_value_in_its_place() -> None:
    values = known(right(book=["Dune"]))
    assert values.unknown(SHELF, {"book": "Emma"}, "q1") == {"book": "Emma"}
    assert share(values, MANY, "q1", book="Emma") == 0


def test_any_of_several_right_calls_will_do_but_no_mixture() -> None:
    calls = right(book=["Dune"], author=["Herbert"]), right(book=["Emma"], author=["Austen"])
    values = known(*calls)
    assert values.unknown(SHELF, {"book": "Emma", "author": "Austen"}, "q1") == {}
    assert values.unknown(SHELF, {"book": "Emma"}, "q1") == {}
    assert values.unknown(SHELF, {"book": "Emma", "author": "Herbert"}, "q1") != {}


@pytest.mark.slow
def test_a_sample_of_the_document_is_known_in_its_share() -> None:
    for values in (known(right(book=["Dune"])), known({})):
        assert share(values, SAMPLED, "q1", book="emma") == pytest.approx(KNOWN_SAMPLE, abs=0.03)
    assert share(known(), SAMPLED, "q1", book="Emma") == pytest.approx(KNOWN_SAMPLE, abs=0.03)
    assert share(known(), SAMPLED, "q1", book="Dune") == pytest.approx(KNOWN, abs=0.03)


@pytest.mark.slow
def test_other_tools_know_a_value_in_its_share() -> None:
    values = known(right(book=["Dune"]))
    assert share(values, MANY, "q2", book="Dune") == pytest.approx(KNOWN, abs=0.03)
    assert share(values, MANY, None, book="Dune") == pytest.approx(KNOWN, abs=0.03)


@pytest.mark.slow
def test_what_has_no_right_value_is_drawn() -> None:
    for call in ({}, right(author=["Herbert"])):
        assert share(known(call), MANY, "q1", book="Dune") == pytest.approx(KNOWN, abs=0.03)


@pytest.mark.slow
def test_a_draw_is_one_of_seed_tool_and_values_alone() -> None:
    drawn = [bool(known().unknown(each, {"book": "7"}, "q2")) for each in MANY]
    again: list[dict[str, JsonValue]] = [{"book": 7}, {"book": " 7.0"}, {"book": "7", "limit": 3}]
    for arguments in again:
        assert [bool(known().unknown(each, arguments, "q3")) for each in MANY] == drawn
    assert [bool(known(seed=8).unknown(each, {"book": "7"}, "q2")) for each in MANY] != drawn
    assert [bool(known().unknown(each, {"book": "8"}, "q2")) for each in MANY] != drawn


NEVER_ASKED: Mapping[str, tuple[Mapping[str, Any], JsonValue]] = {
    "kind": ({"type": "string", "enum": ["new", "old"]}, "new"),
    "kinds": ({"type": "array", "items": {"enum": ["new", "old"]}}, ["new"]),
    "state": ({"anyOf": [{"const": "on"}, {"type": "null"}]}, "on"),
    "exact": ({"type": "boolean"}, True),
    "city": ({"type": "string", "default": "Oslo"}, "Oslo"),
    **{
        name: ({"type": "string"}, "3")
        for name in (
            *("limit", "pageSize", "page", "per_page", "offset", "max_results", "sort_by"),
            *("order", "units", "temperature_unit", "lang", "source_language", "format", "count"),
        )
    },
}


@pytest.mark.parametrize("name", NEVER_ASKED)
def test_what_steers_an_answer_is_always_known(name: str) -> None:
    schema, value = NEVER_ASKED[name]
    made = tool("Kit.op", params=[param(name, dict(schema))])
    assert looked_up(made, {name: value}) == {}


@pytest.mark.parametrize(
    "name",
    ["id", "page_id", "order_id", "city", "date", "q", "max_price", "country_code", "unit_id"],
)
def test_what_names_or_searches_something_is_asked(name: str) -> None:
    made = tool("Kit.op", params=[param(name)])
    assert looked_up(made, {name: "7", "other": 1}) == {name: "7"}
    assert looked_up(made, {name: None}) == {}
    assert may_be_unknown(made)


def test_a_default_is_asked_for_where_another_value_is_sent() -> None:
    made = tool("Kit.op", params=[param("city", {"type": "string", "default": "Oslo"})])
    assert looked_up(made, {"city": "Rome"}) == {"city": "Rome"}


def test_a_call_without_arguments_is_always_known() -> None:
    bare = tool("Kit.op")
    assert not may_be_unknown(bare)
    assert known().unknown(bare, {}, None) == {}
    assert known(right(book=["Dune"])).unknown(SHELF, {}, "q1") == {}


@pytest.mark.parametrize(
    ("given", "wanted", "alike"),
    [
        ("oslo ", "Oslo", True),
        ("New  York", "new york", True),
        ("Oslo, Norway", "Oslo", False),
        (1, "1", True),
        ("1.50", 1.5, True),
        (123456789, 123456788, False),
        ("007", 7, False),
        (True, "true", True),
        (None, "", False),
        (["b", 1], ["1", "B"], True),
        ("a, b", ["b", "a"], True),
        (["a"], ["a", "b"], True),
        (["a", "c"], ["a", "b"], False),
        ([], ["a"], False),
        ("Shell Inc", "Shell Inc.", True),
        ("C#", "C", False),
        ("dGVzdA==", "dGVzdA", False),
        ("/etc/hosts", "etc/hosts", False),
        ({"x": "1", "y": 2}, {"x": 1}, True),
        ({"y": 2}, {"x": 1}, False),
        ("please say that we meet at noon", "Say that we meet at noon, please!", True),
        ("another text of quite as many words", "Say that we meet at noon, please!", False),
    ],
)
def test_values_are_compared_as_services_do(
    given: JsonValue, wanted: JsonValue, alike: bool
) -> None:
    assert same(given, wanted) is alike


def test_a_search_is_compared_by_its_words() -> None:
    values = KnownValues(
        {("q1", ToolId("Kit.op")): (right(query=["dune books"], title=["dune books"]),)}, 7
    )
    made = tool("Kit.op", params=[param("query"), param("title")])
    assert values.unknown(made, {"query": "Books: dune"}, "q1") == {}
    assert values.unknown(made, {"query": "recipes"}, "q1") == {"query": "recipes"}
    assert values.unknown(made, {"title": "books dune"}, "q1") == {"title": "books dune"}


def _manner(reply: Reply) -> str:
    if reply.status == 204 or not reply.text:
        return "nothing"
    words = reply.text.lower()
    if reply.status == 404 or any(w in words for w in ("no book", "unknown book", "not found")):
        return "not_found"
    if "nothing found for" in words:
        return "not_found"
    wrong = ("invalid", "validat", "bad request", "not known", "failed to convert")
    return "rejected" if any(w in words for w in wrong) else "nothing"


def test_the_manners_of_not_knowing_have_their_shares() -> None:
    arguments: dict[str, JsonValue] = {"book": "Emma"}
    replies = [unknown_reply(each, arguments, arguments, seed=7) for each in MANY]
    found = Counter(map(_manner, replies))
    for manner, expected in MANNERS.items():
        assert found[manner] / len(MANY) == pytest.approx(expected, abs=0.03)
    assert replies == [unknown_reply(each, arguments, arguments, seed=7) for each in MANY]


def api(mix: Mapping[FaultKind, float], values: KnownValues | None) -> MockApi:
    catalog = Catalog.from_tools([*MANY, SHELF])
    return MockApi(tuple(catalog), draw_faults(catalog, mix=mix, unit="tool", seed=7), 7, values)


@pytest.mark.slow
def test_no_reply_tells_the_right_value() -> None:
    served = api({}, known(right(book=["Dune"])))
    for each in MANY:
        reply = served.answer(each, {"book": "Emma"}, "q1")
        assert reply is not None
        assert "dune" not in json.dumps(reply._asdict(), default=str).lower()


def test_a_fault_comes_before_what_is_known() -> None:
    broken = api({"empty": 100}, known(right(book=["Dune"])))
    told = api({"empty": 100}, None)
    for each in MANY[:200]:
        assert broken.answer(each, {"book": "Emma"}, "q1") == told.answer(
            each, {"book": "Emma"}, "q1"
        )


@pytest.mark.slow
def test_known_values_are_answered_as_in_the_world_of_kinds() -> None:
    plain, served = api({}, None), api({}, known(right(book=["Dune"])))
    for each in MANY[:200]:
        whole = plain.answer(each, {"book": "Dune"}, "q1")
        assert served.answer(each, {"book": "Dune"}, "q1") == whole
        assert served.answer(each, {"book": "Emma"}, "q1") != plain.answer(
            each, {"book": "Emma"}, "q1"
        )


def test_a_broken_contract_is_rejected_before_values_are_looked_up() -> None:
    served = api({}, known(right(book=["Dune"])))
    reply = served.answer(SHELF, {"author": "Herbert"}, "q1")
    assert reply == api({}, None).answer(SHELF, {"author": "Herbert"}, "q1")
