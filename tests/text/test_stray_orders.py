"""What follows an order to a terminal that is none, or a backspace, stays: names of secrets do."""

import random
import re

import pytest

from gretel.text import invisible
from gretel.text.foreign import EXCERPT_BYTES, both_ends, excerpt, foreign
from gretel.text.invisible import clean

SECRET = "hunter2x9"
STRAY = {
    "CSI": "\x1b[",
    "CSI, numbers": "\x1b[1;",
    "C1 CSI": "\x9b",
    "OSC": "\x1b]",
    "OSC, number": "\x1b]0;",
    "C1 OSC": "\x9d",
    "DCS": "\x90",
    "escape": "\x1b",
    "backspace": "\b",
}
WRITTEN = (
    '{{"password":{}"%s"}}',
    '{{"password"{}:"%s"}}',
    '{{"password{}":"%s"}}',
    '{{{}"password":"%s"}}',
    '{{"{}password":"%s"}}',
    '{{"note":"{}","password":"%s"}}',
    '{{"note{}":"","password":"%s","bell":"\x07"}}',
    "password{}: %s",
    "password{}= %s",
    "user,password\nbob{},%s",
    "user{},password\nbob,%s",
    "user,{}password\nbob,%s",
    "user,password{}\nbob,%s",
)


@pytest.mark.parametrize("stray", STRAY)
@pytest.mark.parametrize("written", WRITTEN)
def test_a_secret_beside_a_stray_order(written: str, stray: str) -> None:
    text = (written % SECRET).format(STRAY[stray])
    for shown in (excerpt(text), both_ends(text), foreign(text, 2_000)):
        assert SECRET not in shown


@pytest.mark.parametrize("stray", ["\x1b[", "\x1b", "\x9b"])
@pytest.mark.parametrize(
    "name", ["password", "secret", "token", "api_key", "Authorization", "clientSecret", "pwd"]
)
def test_a_name_that_may_end_an_order(name: str, stray: str) -> None:
    assert clean(f'{{"{stray}{name}":"{SECRET}"}}') == f'{{"{name}":"{SECRET}"}}'


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("\x1b[31;1mred\x1b[m \x1b[38:5:9mred\x1b[0K", "red red"),
        ("\x1b[2J\x1b[H\x1b[1;1Hhome\x1b[?25l\x1b[?2004h", "home"),
        ("\x1b[Kline\x1b[1A\x1b[2K\x1b[A\x1b[5 q\x1b[!p", "line"),
        ("\x1b(B\x1b[mok\x1b)0\x1b%G\x1b#8\x1b7\x1b8\x1bc", "ok"),
        ("\x1b[?1h\x1b=\x1b[4mon\x1b[?1l\x1b>", "on"),
        ("\x1b]0;a title\x07words\x1bP+q544e\x1b\\\x1b_Ga=T;AAAA\x1b\\", "words"),
        ("\x1b]0;it says\nno end", "it says\nno end"),
        ("bo\x08old b\x08bo\x08ol\x08ld\x08d", "bold bold"),
        ('"key"\x08: "x"\x08', '"key": "x"'),
    ],
)
def test_whole_orders_leave_nothing(text: str, seen: str) -> None:
    assert clean(text) == seen


ROWS = {
    "more cells": f"user,password\nbob,{SECRET},1",
    "more cells before it": f"user,password\nbob,ray,{SECRET}",
    "fewer cells": f"user,password,role\nbob,{SECRET}",
    "fewer cells before it": f"user,mail,password,role\nbob,{SECRET},admin",
    "one cell": f"user,password\n{SECRET}",
    "behind a short row": f"user,password\nbob\nann,{SECRET}",
    "behind a long row": f"user,password\na,b,c\nann,{SECRET}",
    "in JSON": rf'{{"csv":"user,password\nbob,{SECRET}","note":"a","list":[1,2]}}',
    "in JSON, behind others": rf'{{"id":1,"note":"a","csv":"user,password\nbob,{SECRET}\n"}}',
    "in JSON, quoted": rf'{{"a":1,"csv":"\"user\",\"password\"\n\"bob\",\"{SECRET}\""}}',
}


@pytest.mark.parametrize("rows", ROWS)
def test_rows_of_other_lengths_than_their_head(rows: str) -> None:
    assert SECRET not in excerpt(ROWS[rows])
    assert SECRET not in both_ends(ROWS[rows] + "\n\n" + "words " * EXCERPT_BYTES)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (ROWS["more cells"], "user,password\nbob,[redacted],1"),
        (
            rf'{{"csv":"user,password\nbob,{SECRET}","note":"Oslo","list":["Rome","Bonn"]}}',
            r'{"csv":"user,password\nbob,[redacted]","note":"Oslo","list":["Rome","Bonn"]}',
        ),
        ("user,password\nthe end of it\nof all", "user,password\nthe end of it\nof all"),
    ],
)
def test_what_is_no_secret_there_stays(text: str, shown: str) -> None:
    assert excerpt(text) == shown


ORDERS = ["\x1b", "\x1b[", "\x1b]0;", "\x1b\\", "\x1b=", "\x1bc", "\x9b", "\x9d", "\x90", "\x9c"]
PARTS = [*ORDERS, "\x07", "31;1", "m", "[", "a", " ", "\n", "\b", '"', "é"]


def test_a_long_text_is_cleaned_in_parts_as_a_short_one_is_whole(monkeypatch):
    draw = random.Random(0)
    texts = ["".join(draw.choices(PARTS, k=draw.randrange(60))) for _ in range(2_000)]
    whole = [clean(text) for text in texts]
    monkeypatch.setattr(invisible, "_PIECE", 7)
    assert [clean(text) for text in texts] == whole


def test_a_million_beginnings_of_orders_are_looked_through_in_parts(monkeypatch):
    """A search holds the interpreter, and the event loop with it, as long as it takes."""
    searched = []

    class Recording:
        def sub(self, word: str, text: str) -> str:
            searched.append(len(text))
            return order.sub(word, text)

    order: re.Pattern[str] = invisible._ORDER
    monkeypatch.setattr(invisible, "_ORDER", Recording())
    clean("\x1b" * 1_000_000)
    assert sum(searched) == 1_000_000
    assert max(searched) < 100_000
