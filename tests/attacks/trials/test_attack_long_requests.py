"""A request as long as one may be: no rule of the planner reads it in one go while others wait."""

import pytest

from fakes import param, request, tool
from gretel.contracts.record import JsonObject
from gretel.contracts.trial import CallPlan
from gretel.nodes.plan.deterministic import DeterministicPlanner
from gretel.nodes.plan.mentions.document import read_document
from gretel.nodes.plan.mentions.literals import literal_mentions
from growth import LINEAR, growth

TURN = "Show the second page of it. "
MANY = "more words " * 5_000


@pytest.mark.parametrize(("text", "values"), [(TURN + MANY, {"page": 2}), (MANY + TURN, {})])
def test_turns_of_words_are_looked_for_in_the_beginning_of_a_long_request(
    text: str, values: JsonObject
) -> None:
    pages = (param("page", {"type": "integer"}),)
    asked = tool("Kit.look", "look it up").model_copy(update={"parameters": pages})
    plan = DeterministicPlanner().planned(request(text), asked)
    assert isinstance(plan, CallPlan)
    assert plan.values() == values


@pytest.mark.parametrize("unit", ['"', "|", "a-", "A-", "-"])
def test_a_run_without_blanks_costs_no_more_than_its_length(unit: str) -> None:
    def read(size: int) -> None:
        text = (unit * size)[:size]
        read_document(request(text))
        list(literal_mentions(text, 0))

    assert growth(read, 8_000) < LINEAR
