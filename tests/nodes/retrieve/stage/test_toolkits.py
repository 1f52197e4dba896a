"""What toolkits speak of."""

import pytest

from gretel.catalog.ownership import owner_of
from gretel.contracts.tool import Tool, ToolId
from gretel.nodes.retrieve.stage.toolkits import ToolkitWords


def tool(toolkit: str, operation: str, description: str = "", about: str = "") -> Tool:
    return Tool(
        tool_id=ToolId(f"{toolkit}.{operation}"),
        toolkit=toolkit,
        operation=operation,
        description=description,
        toolkit_description=about,
    )


HARBOUR = [
    tool("harbour", "list_buckets", about="Boats and berths."),
    tool("harbour", "list_records"),
]
CLINIC = [tool("clinic", "list_patients", "Patients of a ward."), tool("clinic", "list_wards")]
ALONE = tool("clock", "now", "The time of a ward.")
WORDS = ToolkitWords([*HARBOUR, *CLINIC, ALONE])


def said(asked: list[str], *tools: Tool) -> list[float]:
    return WORDS.speak_of(asked, [owner_of(each) for each in tools])


def test_a_toolkit_speaks_of_what_any_of_its_tools_and_its_own_words_name() -> None:
    harbour, clinic = said(["berth", "ward"], HARBOUR[0], CLINIC[0])

    assert harbour == pytest.approx(0.5)
    assert clinic == pytest.approx(0.5)


def test_tools_of_one_toolkit_are_told_apart_by_nothing() -> None:
    first, second = said(["bucket"], *HARBOUR)

    assert first == second > 0


def test_a_word_of_few_tools_counts_a_little_less() -> None:
    (few,) = said(["bucket"], HARBOUR[0])
    (all_,) = said(["berth"], HARBOUR[0])

    assert 0.8 < few < all_ == pytest.approx(1.0)


def test_words_of_all_toolkits_count_less_than_those_of_one() -> None:
    harbour, clinic = said(["list", "ward"], HARBOUR[0], CLINIC[0])

    assert harbour < 0.5 < clinic


def test_a_tool_that_is_alone_or_speaks_of_nothing_is_as_good_as_the_others() -> None:
    harbour, clinic, alone = said(["berth"], HARBOUR[0], CLINIC[0], ALONE)

    assert harbour == clinic == alone == pytest.approx(1.0)
    assert WORDS.speak_of(["berth"], [owner_of(HARBOUR[0]), None]) == [harbour, harbour]


def test_where_no_word_is_known_nothing_is_said() -> None:
    assert said(["submarine"], HARBOUR[0], CLINIC[0]) == [0.0, 0.0]
    assert said([], HARBOUR[0]) == [0.0]
    assert ToolkitWords([]).speak_of(["berth"], [owner_of(ALONE)]) == [0.0]
