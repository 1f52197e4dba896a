"""Where a model's value comes from."""

import pytest

from fakes import param
from gretel.contracts.ranking import Message, Request
from gretel.contracts.record import JsonValue
from gretel.contracts.tool import Parameter
from gretel.nodes.plan.provenance import traced
from gretel.nodes.plan.standing import find

ASK = Request(
    text="Book 2 rooms in Новый Уренгой, at most 1,200 euro, for Ann and Bob; 我要去北京明天",
    messages=(
        Message(role="user", content="My code is K7. Bob pays."),
        Message(role="user", content="I like the sea, code K9."),
    ),
    context={"origin": "SFO", "card": {"last": 4711}},
    today="2026-11-20",
)
PLAIN = param("x", {})


@pytest.mark.parametrize(
    ("value", "quote", "parameter", "source", "words"),
    [
        ("ann", "", PLAIN, "request", "Ann"),
        ("новый уренгой", "", PLAIN, "request", "Новый Уренгой"),
        ("北京", "", PLAIN, "request", "北京"),
        (2, "", PLAIN, "request", "2"),
        (1200, "", PLAIN, "request", "1,200"),
        (1200.0, "", PLAIN, "request", "1,200"),
        (["Bob", "Ann"], "", PLAIN, "request", "Ann and Bob"),
        (
            {"who": "Ann", "n": 2},
            "",
            PLAIN,
            "request",
            "2 rooms in Новый Уренгой, at most 1,200 euro, for Ann",
        ),
        (["Ann", "Eve"], "", PLAIN, "invented", None),
        (20, "", PLAIN, "invented", None),
        ("room", "", PLAIN, "invented", None),
        ("K9", "", PLAIN, "message", "K9"),
        ("K7", "", PLAIN, "message", "K7"),
        ("SFO", "", PLAIN, "context", None),
        (4711, "", PLAIN, "context", None),
        ({"last": 4711}, "", PLAIN, "context", None),
        ("2026-11-20", "", PLAIN, "context", None),
        ("2026-11-21", "明天", PLAIN, "request", "明天"),
        ("coast", "the SEA", PLAIN, "message", "the sea"),
        ("coast", "the mountains", PLAIN, "invented", None),
        ("coast", ASK.text + "x" * 60, PLAIN, "invented", None),
        (True, "rooms", PLAIN, "request", "rooms"),
        (True, "", PLAIN, "invented", None),
        ("", "", PLAIN, "invented", None),
        ([], "", PLAIN, "invented", None),
        ("eur", "", param("x", {"enum": ["eur"]}), "enum", None),
        ("eur", "", param("x", {"const": "eur"}), "enum", None),
        ("eur", "", param("x", {"enum": ["eur", "usd"]}), "invented", None),
        ("eur", "euro", param("x", {"default": "eur"}), "request", "euro"),
        ("eur", "", param("x", {"default": "eur"}), "default", None),
        (True, "", param("x", {"default": 1}), "invented", None),
        (None, "", param("x", {"default": None}), "default", None),
        ("eur", "", param("x", {}, examples=("usd", "eur")), "example", None),
    ],
)
def test_source_and_span(
    value: JsonValue,
    quote: str,
    parameter: Parameter,
    source: str,
    words: str | None,
) -> None:
    found = traced(value, quote, parameter, ASK)

    assert (found.value, found.source) == (value, source)
    texts = [ASK.text, *(message.content for message in ASK.messages)]
    spanned = [text[slice(*found.span)] for text in texts] if found.span else [None]
    assert words in spanned


def test_confidence_falls_with_the_support() -> None:
    values = [("Ann", ""), ("x", "Ann"), ("y", "")]
    sources = [traced(value, quote, PLAIN, ASK).confidence for value, quote in values]

    assert sources == [1.0, 0.8, 0.3]


@pytest.mark.parametrize(
    ("words", "text", "span"),
    [
        ("a.b", "axb a.b", (4, 7)),
        ("SF", "SFO to SF", (7, 9)),
        ("-5", "at -5 degrees", (3, 5)),
        ("(x", "f(x)", (1, 3)),
        (" ", "a b", None),
    ],
)
def test_find(words: str, text: str, span: tuple[int, int] | None) -> None:
    assert find(words, text) == span
