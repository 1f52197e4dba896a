"""Answers cut from their middle, and passages: what of others' words a model and a person see."""

import base64
import json
import random
import re
import string
import time
from collections.abc import Callable

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


def html(text: str, *, digits: int = 0) -> str:
    return "".join(f"&#{ord(char):0{digits}d};" for char in text)


def braced(text: str) -> str:
    return "".join(f"\\u{{{ord(char):08x}}}" for char in text)


@pytest.mark.parametrize(
    ("size", "written"),
    [
        (1000, lambda text: html(text, digits=7)),
        (2000, html),
        (1000, braced),
        (2000, lambda text: "".join(f"\\u{ord(char):04x}" for char in text)),
        (3500, lambda text: "".join(f"%{ord(char):02x}" for char in text)),
        (2000, lambda text: "".join(f"%25{ord(char):02x}" for char in text)),
        (3500, lambda text: "".join(f"={ord(char):02X}" for char in text)),
        (5000, lambda text: text.encode().hex()),
        (5000, lambda text: text[::-1].encode().hex(":")),
        (8000, lambda text: base64.b64encode(text.encode()).decode()),
        (3500, lambda text: "  ".join(text)),
        (5000, lambda text: "\n".join(text)),
        (300, lambda text: html(braced(text), digits=7)),
        (9, lambda text: html(text, digits=1200)),
    ],
)
@pytest.mark.parametrize("lost", every(3, [0, 1, 2, 3, 5, 9, 13, 21]))
def test_an_echo_that_is_longer_than_what_is_read(
    size: int, written: Callable[[str], str], lost: int
) -> None:
    """Of what is read at the end all is one end of the secret, less half an escape."""
    drawn = random.Random(size)
    secret = "".join(drawn.choice(string.ascii_letters + string.digits) for _ in range(size))
    with Redactor().during([secret]):
        shown = both_ends("word " * 4_000 + written(secret) + "." * lost)
    ends = (written(secret[-6:]), written(secret[:6]), written(secret[-3:])[: -max(lost, 1)])
    squeezed = re.sub(r"\s", "", shown)
    assert not any(re.sub(r"\s", "", end) in squeezed for end in ends if len(end) > 12)
    assert len(set(shown.split("left out")[1]) - set(".… []\nredact")) == 0


def test_a_long_secret_before_what_is_masked_itself() -> None:
    secret = "".join(map(str, range(1_000, 2_700)))
    with Redactor().during([secret]):
        shown = both_ends("a " * 20_000 + secret + ' "password":"' + "Ab1x" * 985 + '"')
    assert not re.search(r"1[0-9]{4}", shown)


@pytest.mark.slow
def test_a_secret_of_one_sign_makes_no_end_dear() -> None:
    with Redactor().during(["a" * 8_192, "%61" * 2_700]):
        started = time.thread_time()
        for text in (
            "a" * 99_999,
            "b" * 200 + "ab" * 9_000,
            "b" * 30_000 + "a" * 8_000 + "b" * 999,
        ):
            assert len(both_ends(text).encode()) <= EXCERPT_BYTES
    assert time.thread_time() - started < 3


def test_what_looks_like_a_secret_is_masked_at_the_end_too() -> None:
    body = json.dumps({"rows": ["x" * 99] * 900, "api_key": "abcdefgh12345678"})
    assert MASK in both_ends(body) and "abcdefgh" not in both_ends(body)


def test_a_passage_keeps_its_lines_and_is_capped() -> None:
    assert passage(" one\ntwo\x1b[31m ") == "one\ntwo"
    assert len(passage("x" * 20_000)) == PASSAGE
