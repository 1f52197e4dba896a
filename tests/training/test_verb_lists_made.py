"""The list of verbs comes out of WordNet's index again, sorted by how surely each word is one."""

import json
from importlib.resources import files
from pathlib import Path

import pytest

from gretel.training.lexicon import verbs

INDEX = """\
abolish%2:41:00:: 00000001 1 3
send%2:38:00:: 00000002 1 30
send%1:04:00:: 00000003 1 0
run%2:38:00:: 00000004 1 5
run%1:04:00:: 00000005 1 3
list%1:10:00:: 00000006 1 9
list%2:32:00:: 00000007 1 2
rate%2:31:00:: 00000008 1 9
resend%1:04:00:: 00000009 1 0
ice_cream%1:13:00:: 00000010 1 7
"""
"""Lines as WordNet has them: meaning with its kind of word, place, number, count."""
VERBS = """\
  1 This software and database is being provided to you
00000001 30 v 02 erase 0 rub_out 0 002 @ 00000009 v 0000 + 00000003 n 0101 01 + 08 00 | remove
00000002 31 v 01 count 0 001 + 00000004 n 0101 01 + 08 00 | number
"""
NOUNS = """\
00000003 04 n 01 erasure 0 002 @ 00000008 n 0000 + 00000001 v 0101 | the act of erasing
00000004 18 n 01 counter 0 001 + 00000002 v 0101 | a person who counts
00000005 04 n 01 count 0 001 + 00000002 v 0101 | the act of counting
"""
"""The same of meanings: words, and pointers to what is made of one root."""


def shipped() -> dict[str, str]:
    found: dict[str, str] = json.loads(
        files("gretel.catalog.effects").joinpath("verbs.json").read_text("utf-8")
    )
    return found


def run(monkeypatch: pytest.MonkeyPatch, wordnet: Path, out: Path) -> dict[str, str]:
    words = ["verbs", "--wordnet", str(wordnet), "--out", str(out)]
    monkeypatch.setattr("sys.argv", words)
    verbs.main()
    found: dict[str, str] = json.loads((out / "verbs.json").read_text("utf-8"))
    return found


def test_words_are_sorted_by_how_surely_they_are_verbs() -> None:
    found = verbs.sorted_words(INDEX, {"rate": 0.5})

    assert found == {
        "verbs alone": {"abolish"},
        "verbs first": {"send"},
        "verbs before nouns": {"run"},
        "nouns first": {"list", "rate"},
        "no verbs": {"resend"},
    }


def test_nouns_of_acts_are_found_with_their_verbs() -> None:
    assert verbs.deeds(NOUNS, VERBS) == {"erasure:erase"}


def test_the_file_has_the_form_of_the_shipped_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in zip(verbs.FILES, (INDEX, NOUNS, VERBS), strict=True):
        (tmp_path / name).write_text(text, encoding="ascii")

    made, known = run(monkeypatch, tmp_path, tmp_path), shipped()

    assert made.keys() == known.keys()
    assert (made["command"], made["source"]) == (known["command"], known["source"])


@pytest.mark.slow
def test_the_shipped_list_is_written_again(
    data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wordnet = data_dir / "wordnet"
    if not (wordnet / "index.sense").is_file():
        pytest.skip(f"no index.sense of WordNet 3.1 in {wordnet}")

    assert run(monkeypatch, wordnet, tmp_path) == shipped()
