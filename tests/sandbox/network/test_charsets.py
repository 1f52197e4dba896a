"""A character set that an answer names: known ones are believed, others are not even looked up."""

import codecs
import encodings
from encodings.aliases import aliases

import pytest

from gretel.sandbox.network.charsets import text_of


@pytest.mark.parametrize(
    ("charset", "content", "text"),
    [
        ("ISO-8859-1", b"\xe4", "ä"),
        ("latin1", b"\xe4", "ä"),
        ('"windows-1252"', b"\x80", "€"),
        ("Shift-JIS", "日本".encode("shift_jis"), "日本"),
        ("koi8-u", "є".encode("koi8-u"), "є"),
        ("cp720", "ع".encode("cp720"), "ع"),
        ("ansi_x3.4-1968", b"a", "a"),
        ("UTF 8", "ä".encode(), "ä"),
        ("UTF-16", "ä".encode("utf-16"), "ä"),
        ("none-such", "ä".encode(), "ä"),
        ("utf\u00e4-16", "ä".encode(), "ä"),
        ("hex", b"61", "61"),
        ("zlib", b"61", "61"),
        ("aliases", b"61", "61"),
        ("", "ä".encode(), "ä"),
    ],
)
def test_charsets_that_are_believed(charset: str, content: bytes, text: str) -> None:
    assert text_of(content, f"text/plain; charset={charset}") == text


def test_names_that_strangers_make_up_are_not_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up: set[str] = set()
    find = codecs.lookup

    def noted(name: str) -> codecs.CodecInfo:
        looked_up.add(name)
        return find(name)

    monkeypatch.setattr(codecs, "lookup", noted)
    sizes = []
    for run in range(2):  # what there is is remembered by the first
        for number in range(run * 99, run * 99 + 99):
            between = "-_."[number % 3] + "-_."[number // 3 % 3] + "_" * (number // 9 % 11)
            for name in (f"x-{number}", f"utf{between}8", f"cp{number + 90_000}", f"utf_{run}_16"):
                text_of(b"a", f"text/plain; charset={name}")
        sizes.append(len(encodings._cache))

    assert {name.replace("-", "_") for name in looked_up} <= {*aliases.values(), *aliases}
    assert sizes[0] == sizes[1]
