"""What a request asks for beside what an operation is made of."""

import numpy as np
import pytest

from gretel.catalog import Catalog
from gretel.contracts.ranking import Candidate
from gretel.contracts.tool import HttpBinding, Response, Tool, ToolId
from gretel.nodes.retrieve.stage.shape import (
    FEATURES,
    Asked,
    Shape,
    Shapes,
    by_shape,
    features,
    shape_weights,
)


def operation(path: str, *fields: str, method: str = "GET", toolkit: str = "Harbour") -> Tool:
    schema = {"type": "object", "properties": {name: {"type": "string"} for name in fields}}
    return Tool(
        tool_id=ToolId(f"{toolkit}.{method} {path}"),
        toolkit=toolkit,
        operation=f"{method} {path}",
        response=Response(json_schema=schema),
        binding=HttpBinding(method=method, path=path, servers=("http://127.0.0.1:1",)),
    )


MANY, ONE = operation("/berths", "results"), operation("/berths/{id}", "owner_name", "price")
ITSELF = operation("/berths", method="OPTIONS")


def candidates(*tools: Tool, exact: int | None = None) -> tuple[Candidate, ...]:
    """In that order, each hardly better than the next."""
    return tuple(
        Candidate(
            tool_id=tool.tool_id,
            score=0.3 - place / 1_000,
            rank=place + 1,
            parts={"exact": float(place == exact)},
        )
        for place, tool in enumerate(tools)
    )


def order_of(text: str, *tools: Tool) -> list[str]:
    found = Shapes(Catalog.from_tools(tools)).weighed(text, candidates(*tools))
    return [each.tool_id for each in found]


@pytest.mark.parametrize(
    ("text", "value", "asks_for_all"),
    [
        ("Which berths are there?", False, True),
        ("Show me all of them", False, True),
        ("Who owns berth a2?", True, False),
        ("Read /tmp/diary.md", True, False),
        ('The berth "north"', True, False),
        ("Who owns it?", False, False),
        ("Zeige mir alle Projekte", False, True),
    ],
)
def test_a_request_says_a_value_or_asks_for_all(text: str, value: bool, asks_for_all: bool) -> None:
    asked = Asked.of(text)

    assert (asked.value, asked.all) == (value, asks_for_all)


def test_a_path_that_ends_in_a_key_gives_one_thing() -> None:
    assert [Shape.of(tool).one for tool in (MANY, ONE, operation("/berths/{id}/"))] == [
        False,
        True,
        True,
    ]
    assert Shape.of(ONE).noun == "berths"
    assert Shape.of(operation("/{anything}")).noun == ""


def test_a_tool_without_a_path_is_read_by_its_name() -> None:
    tool = Tool(tool_id=ToolId("git.list_branches"), toolkit="git", operation="list_branches")

    assert Shape.of(tool) == Shape("branches", frozenset(), one=False, itself=False)


def test_all_of_a_noun_is_for_what_gives_many() -> None:
    assert order_of("Which berths does the harbour have?", ONE, MANY) == [
        MANY.tool_id,
        ONE.tool_id,
    ]


def test_what_is_asked_stands_in_the_answer() -> None:
    other = operation("/berths/{id}/lamps", "colour")

    assert order_of("Who is the owner of it?", other, ONE)[0] == ONE.tool_id
    assert order_of("What colour is it?", ONE, other)[0] == other.tool_id


def test_what_tells_of_an_operation_is_no_answer() -> None:
    assert order_of("Which berths are there?", ITSELF, ONE, MANY)[-1] == ITSELF.tool_id


def test_words_that_all_answers_have_say_nothing() -> None:
    asked = Asked.of("Who is the owner, and what is the price?")
    values = features(asked, [Shape.of(ONE), Shape.of(MANY)], [0.0, 0.0])

    assert values.shape == (2, len(FEATURES))
    assert values[:, FEATURES.index("answer")].tolist() == [1.0, 0.0]


def test_the_best_score_stays_and_scores_fall() -> None:
    found = candidates(ONE, ITSELF, MANY)
    values = np.zeros((3, len(FEATURES)))
    values[1, FEATURES.index("about itself")] = 1.0
    values[2, FEATURES.index("answer")] = 1.0
    ranked = by_shape(found, values)

    assert [each.tool_id for each in ranked] == [MANY.tool_id, ONE.tool_id, ITSELF.tool_id]
    assert ranked[0].score == pytest.approx(found[0].score)
    assert ranked[2].score < found[1].score


def test_what_tells_no_candidates_apart_changes_none() -> None:
    found = candidates(ONE, MANY)

    assert by_shape(found, np.ones((2, len(FEATURES)))) == found
    assert by_shape((), np.zeros((0, len(FEATURES)))) == ()


def test_a_tool_that_the_request_names_stays_first_with_its_score() -> None:
    found = candidates(ITSELF, MANY, exact=0)
    values = np.zeros((2, len(FEATURES)))
    values[0, FEATURES.index("about itself")] = 1.0

    assert by_shape(found, values) == found


def test_a_tool_that_the_catalogue_lacks_is_ranked_too() -> None:
    gone = operation("/gone")
    found = Shapes(Catalog.from_tools([MANY])).weighed("Which berths?", candidates(gone, MANY))

    assert {each.tool_id for each in found} == {gone.tool_id, MANY.tool_id}


def test_the_shipped_weights_say_what_they_are_there_for() -> None:
    weights = dict(zip(FEATURES, shape_weights().tolist(), strict=True))

    assert weights["toolkit"] > 0 < weights["answer"]
    assert weights["one, of many"] < 0 < weights["many, of many"]
    assert weights["one"] < 0 < weights["one, of a value"]
    assert weights["about itself"] < -1
