"""Turns of requests, and the words of APIs that they ask for."""

from importlib.resources import files

import pytest

from gretel.text.wording import meant


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Who works on project 2?", "member"),
        ("what release is running", "version"),
        ("Which releases do we run?", "version"),
        ("What's new in it?", "changelog"),
        ("Is it still up?", "health"),
    ],
)
def test_a_turn_of_a_request_means_a_word_of_apis(text: str, word: str) -> None:
    assert word in meant(text)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Who? Works on weekdays.", "member"),
        ("Whosoever works ontology", "member"),
        ("who/works/on", "member"),
        ("the state of costar", "price"),
    ],
)
def test_words_that_are_no_turn_do_not_mean_it(text: str, word: str) -> None:
    assert word not in meant(text)


def test_nothing_is_meant_by_nothing() -> None:
    assert not meant("")


def test_every_line_has_a_word_and_its_turns() -> None:
    lines = files("gretel.text").joinpath("wording.txt").read_text("utf-8").splitlines()
    assert lines == sorted(lines)
    assert len({line.split("|")[0] for line in lines}) == len(lines)
    assert all(all(line.split("|")) and line.count("|") == 1 for line in lines)
