"""Answers that are turned into text, and cleaned, by calls that would stop everybody else."""

from itertools import count

import pytest
from held import holds

from gretel.catalog.field_names import answer_names
from gretel.sandbox.answers.answer import read_answer
from gretel.sandbox.network.body import Body, body_text, parse_json
from gretel.text.foreign import both_ends, excerpt
from lanes import every

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


@pytest.mark.parametrize("unit", every(4, ORDERS))
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
