"""Requests in other languages, word for word, as far as the table reaches."""

import time
from importlib.resources import files

import pytest

from gretel.text.gloss import LANGUAGES, glossed


@pytest.mark.parametrize(
    ("text", "language", "gloss"),
    [
        ("Zeig mir die Dateien", "de", "show mir die file"),
        ("Projektmitglieder", "de", "project member"),
        ("Montre les utilisateurs", "fr", "show les user"),
        ("¿Cuáles son los últimos pagos?", "es", "¿which son los last payment?"),
        ("服务器的版本", "zh", " server 的 version "),
        ("Dimmi che tempo fa", "it", "Dimmi che tempo fa"),
    ],
)
def test_known_words_become_english_and_the_others_stay(
    text: str, language: str, gloss: str
) -> None:
    assert glossed(text, language) == gloss


@pytest.mark.parametrize(
    "value", ["datei-7.csv", "/srv/datei/konto", "fehler@example.org", "konto_3", "team-42"]
)
def test_ids_paths_and_addresses_stay_as_they_are(value: str) -> None:
    assert value in glossed(f"Öffne {value} bitte", "de")


def test_a_long_word_is_read_in_little_time() -> None:
    start = time.perf_counter()
    glossed("projekt" * 3_000, "de")
    assert time.perf_counter() - start < 1


def test_every_line_has_every_language() -> None:
    lines = files("gretel.text").joinpath("lexicon.txt").read_text("utf-8").splitlines()
    assert lines == sorted(set(lines))
    assert all(all(line.split("|")) and line.count("|") == len(LANGUAGES) for line in lines)
