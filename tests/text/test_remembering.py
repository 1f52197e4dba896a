"""What is remembered of objects is of the very object, and within bounds."""

import gc
from collections.abc import Callable

import pytest

from gretel.text.remembering import remembered_by_identity


class Thing:
    """Equal to all others of its kind, and not to be hashed."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, word: str) -> None:
        self.word = word

    def __eq__(self, other: object) -> bool:
        return True


def reader(most: int) -> tuple[Callable[[Thing], str], list[str]]:
    """A function that remembers `most` things, and what it was run for."""
    read: list[str] = []

    @remembered_by_identity(most)
    def word_of(thing: Thing) -> str:
        read.append(thing.word)
        return thing.word

    return word_of, read


def test_an_object_is_read_once_and_its_equal_anew() -> None:
    word_of, read = reader(8)
    first, second = Thing("one"), Thing("two")
    assert [word_of(first), word_of(first), word_of(second)] == ["one", "one", "two"]
    assert read == ["one", "two"]


@pytest.mark.slow
def test_the_oldest_is_forgotten_and_none_is_kept_alive() -> None:
    word_of, read = reader(2)
    things = [Thing(str(number)) for number in range(3)]
    for thing in [*things, things[0]]:
        assert word_of(thing) == thing.word
    assert read == ["0", "1", "2", "0"]
    del things[:], thing
    gc.collect()
    assert all(isinstance(word_of(Thing(word)), str) for word in "abc")
    assert not [each for each in gc.get_objects() if isinstance(each, Thing)]


def test_an_objects_number_given_anew_is_no_other_object() -> None:
    word_of, _ = reader(8)
    assert [word_of(Thing(word)) for word in ("a", "b", "c")] == ["a", "b", "c"]
