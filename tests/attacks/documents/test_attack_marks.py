"""Texts of many marks, signs or levels cost no more than their length, and names stay apart."""

import ast
import codecs
import json
from collections.abc import Callable
from typing import Any

import pytest

from fakes import param, tool
from gretel.catalog.effects.asked import wish_of
from gretel.catalog.effects.changes import may_change
from gretel.catalog.effects.values.statements import verb_of_statement
from gretel.catalog.identity import clean_name
from gretel.contracts.tool import HttpBinding
from gretel.nodes.plan.mentions.patterns import pattern_mentions
from gretel.sandbox.answers import content, emptiness
from gretel.sandbox.answers.complaints import is_complaint
from gretel.sandbox.answers.content import complaint
from gretel.sandbox.answers.emptiness import is_empty
from gretel.sandbox.answers.words.keys import plain_key
from gretel.sandbox.answers.words.phrases import leading
from gretel.sandbox.answers.words.statuses import status_line
from gretel.sandbox.http.stabletoolbench import read_relayed
from gretel.sandbox.network import body, charsets
from gretel.sandbox.network.body import Body, body_text, parse_json
from gretel.text.confusables import skeleton
from gretel.text.foreign import foreign
from gretel.text.invisible import clean
from growth import LINEAR, SQUARE, growth
from lanes import every

MARKS = "\u0315\u0300"
"""Two accents whose order is to be turned."""


def _many_names(size: int) -> None:
    text = "(select a " * 20 + "a_" * size
    inner = {"b[" * 200: {"c[" * 200: {"d[" * 200: text}}}
    asked = [param("a[" * 100 + str(number), {"default": inner}) for number in range(10)]
    binding = HttpBinding(method="GET", path="/x", servers=("https://api.example.com",))
    may_change(tool("a.b", params=asked, binding=binding))


COSTS: dict[str, tuple[int, Callable[[int], Any]]] = {
    "orders that begin": (60_000, lambda size: clean("\x9d" * size)),
    "orders that begin otherwise": (30_000, lambda size: clean("\x90\x98" * size)),
    "an answer of them": (60_000, lambda size: foreign("\x9d" * size, 2_000)),
    "accents on a name": (30_000, lambda size: clean_name("a" + MARKS * size)),
    "accents on a value": (20_000, lambda size: skeleton("a" + MARKS * size)),
    "one value under many names": (9_000, _many_names),
    "signs before a complaint": (2_000_000, lambda size: is_complaint("." * size)),
    "signs before a sentence": (2_000_000, lambda size: leading("." * size)),
    "words before a status": (900_000, lambda size: status_line("error " * size)),
    "a name without end": (400_000, lambda size: is_empty({"aB" * size: 1, "b": 0})),
    "a key without end": (1_000_000, lambda size: plain_key("a_" * size)),
    "a wish behind empty lines": (4_000, lambda size: wish_of("Oslo" + "\n" * size + "x")),
    "numbers that may begin a range": (2_000, lambda size: pattern_mentions("1," * size, 0)),
    "brackets of SQL that never end": (19_000, lambda size: verb_of_statement("[" * size)),
}


@pytest.mark.parametrize("name", every(3, COSTS))
def test_a_text_costs_no_more_than_its_length(name: str) -> None:
    size, work = COSTS[name]
    assert growth(work, size) < (SQUARE if name == "numbers that may begin a range" else LINEAR)


def test_orders_to_a_terminal_are_taken_out_all_the_same() -> None:
    assert clean("a\x9dtitle\x07b\x1b]0;title\x1b\\c\x90x\x9cd") == "abcd"
    assert "\x9d" not in clean("a\x9dtitle\x9dtitle\x07b")


def test_long_names_that_begin_alike_are_two() -> None:
    for start in ("a" * 10_000, "a" + MARKS * 10_000, "\u200b" * 10_000, "a" + "\u200b" * 10_000):
        assert clean_name(f"{start}1") != clean_name(f"{start}2")


def test_a_look_alike_is_what_it_looks_like() -> None:
    assert skeleton("\u0440\u0430y\u0301\u0315\u200b\uff50\ufb01") == "paypfi"


def test_json_of_too_many_parts_is_refused_before_it_takes_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(body.json, "loads", lambda *_, **__: pytest.fail("it was read"))
    assert parse_json("[" + "{}," * 300_000 + "{}]").error is not None


def test_no_name_of_a_character_set_is_remembered_for_good(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []
    look = codecs.lookup
    monkeypatch.setattr(charsets.codecs, "lookup", lambda name: (asked.append(name), look(name))[1])
    kind = "text/plain; charset="
    assert body_text(Body(b"a", 1), kind + "x" * 60_000) == "a"
    assert body_text(Body(b"\xe9", 1), kind + "iso-8859-1") == "\u00e9"
    assert max(map(len, asked)) < 20


@pytest.mark.parametrize("read", [is_empty, complaint])
def test_an_object_of_more_fields_than_an_envelope_has_is_data(
    read: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A quarter of a million of them took five seconds, and ten such answers a run."""
    looked: list[str] = []
    for room in (content, emptiness):
        monkeypatch.setattr(room, "plain_key", lambda key: (looked.append(key), plain_key(key))[1])
    many: dict[str, Any] = {"error": "boom"} | {f"q{number}": None for number in range(5_000)}
    assert not read(many)
    assert len(looked) < 100


@pytest.mark.slow
def test_a_literal_that_is_dear_to_parse_stays_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[int] = []
    read = ast.literal_eval
    monkeypatch.setattr(ast, "literal_eval", lambda text: (parsed.append(len(text)), read(text))[1])
    for size in (20_000, 75_000):
        inner = "['a'," + "[]," * (size // 3 * 2) + "]"
        read_relayed("POST", 200, "application/json", json.dumps({"error": "", "response": inner}))
    assert len(parsed) == 1
