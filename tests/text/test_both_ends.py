"""Answers cut from their middle, and passages: what of others' words a model and a person see."""

import json

import pytest

from gretel.text.foreign import EXCERPT_BYTES, PASSAGE, both_ends, passage
from gretel.text.redact import Redactor
from gretel.text.secret_shapes import MASK
from lanes import every

SECRET = "canary-5f2a91-77"


@pytest.mark.parametrize("size", [0, 100, 2_000, 2_100, 17_000, 30_000, 400_000])
@pytest.mark.parametrize("char", ["x", "é", "語"])
def test_both_ends_are_there_and_it_fits(size: int, char: str) -> None:
    shown = both_ends(f"begin {char * size} end")
    assert shown.startswith("begin") and shown.endswith("end")
    assert len(shown.encode()) <= EXCERPT_BYTES
    assert ("left out" in shown) == (len(f"begin {char * size} end".encode()) > EXCERPT_BYTES)


@pytest.mark.parametrize(
    "before", every(3, [0, 900, 9_150, 9_210, 9_216, 9_220, 18_425, 18_440, 90_000])
)
@pytest.mark.parametrize("after", every(3, [0, 900, 9_150, 9_210, 9_216, 9_220, 90_000]))
def test_a_known_secret_is_shown_nowhere(before: int, after: int) -> None:
    with Redactor().during([SECRET]):
        shown = both_ends("a" * before + SECRET + "b" * after)
    assert "canary" not in shown and "91-77" not in shown


def test_what_looks_like_a_secret_is_masked_at_the_end_too() -> None:
    body = json.dumps({"rows": ["x" * 99] * 900, "api_key": "abcdefgh12345678"})
    assert MASK in both_ends(body) and "abcdefgh" not in both_ends(body)


def test_a_passage_keeps_its_lines_and_is_capped() -> None:
    assert passage(" one\ntwo\x1b[31m ") == "one\ntwo"
    assert len(passage("x" * 20_000)) == PASSAGE
