"""Answers that are turned into text, and cleaned, by calls that would stop everybody else."""

import threading
from itertools import count
from typing import Any

import httpx
import pytest
from arena import called
from held import holds

from fakes import param, tool
from gretel.catalog.field_names import answer_names
from gretel.contracts.tool import SecurityScheme
from gretel.sandbox.answers.answer import read_answer
from gretel.sandbox.http import call
from gretel.sandbox.network.body import Body, body_text, parse_json
from gretel.text.foreign import both_ends, excerpt
from gretel.text.secrecy import names

SIZE = 2_000_000
MOST_S = 0.25
UNDECODABLE = {
    "utf-16-le": b"\x00\xd8",
    "utf-16": b"\x00\xd8",
    "utf-32-le": b"\xff\xff\xff\x7f",
    "cp1255": b"\xff",
    "euc_jp": b"\x81\xff",
}
ORDERS = ["\x9b", "\x1b]", "\x1bP", "\x1b0"]


@pytest.mark.parametrize("charset", UNDECODABLE)
def test_broken_characters_are_replaced_in_pieces(charset: str) -> None:
    unit = UNDECODABLE[charset]
    body = Body(unit * (SIZE // len(unit)), 1)
    assert not holds(lambda: body_text(body, f"text/plain; charset={charset}"), MOST_S)


@pytest.mark.parametrize("unit", ORDERS)
@pytest.mark.slow
def test_orders_to_a_terminal_are_taken_out_in_turns(unit: str) -> None:
    text = unit * (SIZE // len(unit))
    numbers = count()

    def shown() -> None:
        new = f"{text}{next(numbers)}"
        excerpt(new)
        both_ends(new)

    assert not holds(shown, MOST_S)


def test_halves_of_characters_in_json_are_replaced_in_pieces() -> None:
    text = '{"a": "' + "\\ud800" * (SIZE // 6) + '"}'
    assert not holds(lambda: parse_json(text), MOST_S)


@pytest.mark.parametrize("start", [b"\xfe\xff", b"\xff\xfe", b""])
def test_a_text_of_two_bytes_a_character_is_read_whole(start: bytes) -> None:
    said = "ж😀x" * 50_001
    written = said.encode("utf-16-be" if start == b"\xfe\xff" else "utf-16-le")
    assert body_text(Body(start + written, 1), "text/plain; charset=utf-16") == said


def test_a_character_that_two_halves_make_is_one() -> None:
    halves = "x" * 65_535 + "\ud83d\ude00"
    assert parse_json(
        '{"a": "' + halves.replace("\ud83d\ude00", "\\ud83d\\ude00") + '"}'
    ).value == {"a": "x" * 65_535 + "😀"}
    assert read_answer("GET", 200, "", '"\\ud83d"').value == "\ufffd"


def test_a_text_of_very_many_lists_is_read_as_one_that_was_cut() -> None:
    text = '[{"city": "Oslo"},' + "{}," * 1_300_000 + "{}]"
    assert answer_names(text).fields == ("city",)
    assert not holds(lambda: answer_names(text), MOST_S)
    assert answer_names('{"a":' * 150 + "1" + "}" * 150).fields == ("a",)


@pytest.mark.slow
def test_names_in_a_text_are_looked_for_no_further_than_needed() -> None:
    assert not holds(lambda: answer_names('["' + 'a":"' * 900_000), MOST_S)


async def test_a_call_that_is_refused_is_judged_again_beside_the_event_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """To be sent with another word before its token, it has to be one that may be sent twice."""
    judged: list[threading.Thread] = []

    def judging(*asked: Any) -> None:
        judged.append(threading.current_thread())

    monkeypatch.setattr(call, "may_change", judging)
    refusal = httpx.Response(401, headers={"WWW-Authenticate": "Token"})
    scheme = SecurityScheme(name="k", kind="http", scheme="bearer")
    result = await called(lambda _: refusal, lambda *_: "Zx9KqvTr8Lm5", ((scheme,),))
    assert result.outcome.http_status == 401
    assert judged and threading.current_thread() not in judged


def test_names_that_are_longer_than_a_keys_are_asked_about_at_no_cost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A tool may require a thousand headers, and is asked for its keys with each call."""
    asked: list[str] = []
    monkeypatch.setattr(names, "secrecy", lambda name: asked.append(name) or names.Secrecy.SECRET)
    long = [
        param(f"X-{number}-{'Api-Key-' * 100}", location="header", required=True)
        for number in range(900)
    ]
    made = tool(
        "K.look",
        server="https://a.example",
        params=[*long, param("X-Api-Key", location="header", required=True)],
    )
    assert [each.name for each in made.implied_keys] == ["X-Api-Key"]
    assert asked == ["X-Api-Key"]
