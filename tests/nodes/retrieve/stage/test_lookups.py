"""Trials for a code that was said are spread over the kinds of things that it may be the id of."""

import pytest

from fakes import candidate, param, request, tool
from gretel.catalog import Catalog
from gretel.contracts.record import JsonValue
from gretel.contracts.tool import HttpBinding, Tool, ToolId
from gretel.contracts.trial import Argument, ArgumentSource, CallPlan
from gretel.nodes.retrieve.stage.lookups import ALIKE, KEPT, MOVED, lookup_of, spread
from gretel.nodes.retrieve.stage.planned import PlannedOrder

SHOT = "8d17009b-3e92"


def at(path: str, name: str) -> Tool:
    """A tool with one parameter `key`."""
    binding = HttpBinding(method="GET", path=path, servers=("https://a.example",))
    return tool(f"A.{name}", params=[param("key", required=True)], binding=binding)


def taking(asked: Tool, value: JsonValue, source: ArgumentSource = "request") -> CallPlan:
    given = Argument(value=value, source=source, span=(0, 4) if source == "request" else None)
    return CallPlan(tool_id=asked.tool_id, arguments={"key": given})


def test_operations_on_one_kind_of_thing_look_a_code_up_alike() -> None:
    one, other = at("/shots/{key}", "one"), at("/shots/{key}/versions", "versions")
    assert lookup_of(taking(one, SHOT), one) == lookup_of(taking(other, SHOT), other)


@pytest.mark.parametrize("path", ["/scenes/{key}", "/search"])
def test_other_paths_and_parameters_look_it_up_as_something_else(path: str) -> None:
    one, other = at("/shots/{key}", "one"), at(path, "other")
    found = lookup_of(taking(other, SHOT), other)
    assert found is not None
    assert found != lookup_of(taking(one, SHOT), one)


@pytest.mark.parametrize(
    "value", ["2026-10-12T08:00Z", "Ada Lin", "shots", "123456", 123456, "a-1"]
)
def test_a_date_a_word_and_a_number_are_no_codes(value: JsonValue) -> None:
    one = at("/shots/{key}", "one")
    assert lookup_of(taking(one, value), one) is None


def test_what_nobody_said_is_not_looked_up() -> None:
    one = at("/shots/{key}", "one")
    assert lookup_of(taking(one, SHOT, "default"), one) is None


def test_behind_the_first_places_other_kinds_go_ahead() -> None:
    owner = lookup_of(taking(at("/a/{key}", "a"), SHOT), at("/a/{key}", "a"))
    assert owner is not None
    names = ["shots"] * (KEPT - 1) + ["", "shots", "", "scenes", "scenes", "scenes", "props"]

    def kind(place: int) -> tuple[object, str] | None:
        return (owner[0], names[place]) if names[place] else None

    order = spread(range(len(names)), kind)  # type: ignore[arg-type]
    assert order[:KEPT] == list(range(KEPT))
    assert [names[place] for place in order[KEPT:]] == [
        *(["scenes"] * ALIKE),
        "props",
        *("shots", "", "scenes"),
    ]


def test_few_go_ahead() -> None:
    owner = lookup_of(taking(at("/a/{key}", "a"), SHOT), at("/a/{key}", "a"))
    assert owner is not None
    count = KEPT + 4 * MOVED
    order = spread(
        range(count), lambda place: (owner[0], str(place)) if place >= KEPT + MOVED else None
    )
    assert order[KEPT : KEPT + MOVED] == list(range(KEPT + MOVED, KEPT + 2 * MOVED))
    assert order[KEPT + MOVED] == KEPT
    assert sorted(order) == list(range(count))


async def test_an_id_that_five_tools_take_alike_is_tried_as_something_else() -> None:
    shots = [at(f"/shots/{{key}}/{part}", f"s{part}") for part in range(8)]
    sequence = at("/sequences/{key}/shots", "sequence")
    found = [
        candidate(each.tool_id, rank).model_copy(update={"score": 0.5 - rank / 1_000})
        for rank, each in enumerate([*shots, sequence], 1)
    ]

    def plan(_: object, asked: Tool) -> CallPlan:
        return taking(asked, SHOT)

    order = PlannedOrder(plan, Catalog.from_tools([*shots, sequence]))
    after = await order.ordered(request(f"{SHOT} shots of it?"), found)
    assert [each.tool_id for each in after][KEPT] == ToolId("A.sequence")
