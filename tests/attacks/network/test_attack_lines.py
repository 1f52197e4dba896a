"""What an answer's bytes and lines cost beside what they say."""

import tracemalloc
from collections.abc import Callable

import pytest

from gretel.sandbox.answers.answer import read_answer
from gretel.sandbox.network.charsets import text_of


def _taken(work: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("line", ["ab\n", '{"a": 1}\n', " \n", "\n"])
def test_of_a_stream_the_first_lines_are_read(line: str) -> None:
    answer = read_answer("GET", 200, "application/json", line * 100_000)

    assert _taken(lambda: answer.is_json_lines) < len(answer.text)


def test_lines_of_json_are_a_stream() -> None:
    for text, stream in (
        ('{"a": 1}\r\n\n \n[2]\n', True),
        ('{"a": 1}\nx', False),
        ("[1]\n", False),
    ):
        assert read_answer("GET", 200, "application/json", text).is_json_lines is stream


def test_what_is_read_anew_with_each_piece_is_no_charset() -> None:
    begun = b"+" + b"AGEA" * 10  # and never ended: each piece would be read with all before it

    assert text_of(begun, "text/plain; charset=utf-7") == begun.decode()
