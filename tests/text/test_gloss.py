"""Requests in other languages, word for word, as far as the table reaches."""

from collections import Counter
from importlib.resources import files

import pytest

from gretel.text.gloss import LANGUAGES, glossed
from gretel.text.phrases import folded
from growth import LINEAR, growth


@pytest.mark.parametrize(
    ("text", "language", "gloss"),
    [
        ("Zeig mir die Dateien", "de", "show me the file"),
        ("Projektmitglieder", "de", "project member"),
        ("Mitglieder-Liste von Zwölfuhrtee", "de", "member-list of Zwölfuhrtee"),
        ("Montre les utilisateurs", "fr", "show the user"),
        ("¿Cuáles son los últimos pagos?", "es", "¿which are the last payment?"),
        ("服务器的版本", "zh", " server  the  version "),
        ("Dimmi che tempo fa", "it", "Dimmi che tempo fa"),
    ],
)
def test_known_words_become_english_and_the_others_stay(
    text: str, language: str, gloss: str
) -> None:
    assert glossed(text, language) == gloss


@pytest.mark.parametrize(
    ("text", "language", "gloss"),
    [
        ("les mots de passe", "fr", "the password"),
        ("le tableau, la base", "fr", "the board, the base"),
        ("la base de données", "fr", "the database"),
        ("aujourd'hui", "fr", "today"),
        ("la base, de données", "fr", "the base, of data"),
        ("Wie viele Knoten", "de", "how many node"),
        ("la heure de Montréal", "fr", "the time of Montréal"),
    ],
)
def test_a_phrase_is_read_as_a_whole_and_its_words_mean_nothing_of_it(
    text: str, language: str, gloss: str
) -> None:
    assert glossed(text, language) == gloss


@pytest.mark.parametrize(
    "value",
    ["datei-7.csv", "/srv/datei/konto", "fehler@example.org", "konto_3", "team-42", "team-neu-42"],
)
def test_ids_paths_and_addresses_stay_as_they_are(value: str) -> None:
    assert value in glossed(f"Öffne {value} bitte", "de")


def test_a_long_word_is_read_in_little_time() -> None:
    assert growth(lambda size: glossed("projekt" * size, "de"), 3_000) < LINEAR


def lines() -> list[str]:
    return files("gretel.text").joinpath("lexicon.txt").read_text("utf-8").splitlines()


def test_every_line_has_a_column_for_every_language() -> None:
    assert lines() == sorted(set(lines()))
    assert all(line.count("|") == len(LANGUAGES) for line in lines())
    assert all(any(line.split("|")[1:]) for line in lines())


@pytest.mark.parametrize("column", range(1, len(LANGUAGES) + 1), ids=LANGUAGES)
def test_a_beginning_stands_in_one_line_alone(column: int) -> None:
    found = Counter(folded(each) for line in lines() for each in line.split("|")[column].split())
    assert [each for each, count in found.items() if count > 1] == []
