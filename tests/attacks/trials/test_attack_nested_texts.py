"""Texts within a value, each in another, that are read in several ways at every level."""

import html

import pytest

from gretel.catalog.effects.values.argument_verbs import verb_of_value
from gretel.catalog.effects.values.named_values import named_values

DEEP = 5


def nested(levels: int, wide: int, inner: str = "x=1&y=2") -> str:
    """Markup in markup; a comment and a quoted sign have each level read in three ways."""
    for level in range(levels):
        once = f'<a>{html.escape(f"<!-- -->{inner}")}</a><b c="d>e"/>'
        inner = once * (1 if level else wide)
    return inner


@pytest.mark.parametrize("wide", [1, 8])
def test_a_text_that_several_readings_hold_is_taken_apart_once(wide: int) -> None:
    text = nested(DEEP, wide)
    assert len([*named_values("q", text)]) < 50 * DEEP * wide


def test_what_stands_deepest_is_judged() -> None:
    assert verb_of_value("q", nested(DEEP, 1)) is None
    assert verb_of_value("q", nested(DEEP, 1, "action=delete")) == "delete"
