"""Questions are not for operations that change something."""

from typing import Any

import pytest

from gretel.catalog import Catalog
from gretel.catalog.effects.asked import asks_change
from gretel.catalog.effects.changes import effect_of
from gretel.contracts.ranking import Candidate
from gretel.nodes.retrieve.stage.effects import by_effect, mismatch_weights

ASKED = [
    "Please remove event 9 from the bucket of the laptop.",
    "Can you cancel my appointment?",
    "I'd like to rename the wallet of the stall.",
    "Mute the issue for 3 days, accounting knows about it.",
    "I need your assistance in creating a sales campaign.",
    "Get my insurance details and book an appointment on Friday.",
    "Look it up, then delete the older one.",
    "Creates a registration and sends the link to the user.",
]
NOT_ASKED = [
    "When was the record last updated?",
    "What is the balance of the stall's wallet?",
    "Which books are out on loan, and who has them?",
    "How many orders were cancelled in the last week?",
    "Show me the changes of the latest release.",
    "Who wrote the report, and when was it sent?",
]
UNKNOWN = ["Wie viele Einträge hat das Konto insgesamt?", "这个项目有哪些问题?"]


@pytest.mark.parametrize(
    ("text", "asked"),
    [(text, True) for text in ASKED]
    + [(text, False) for text in NOT_ASKED]
    + [(text, None) for text in UNKNOWN],
)
def test_a_request_asks_for_a_change_where_its_verb_is_told_or_wished(
    text: str, asked: bool | None
) -> None:
    assert asks_change(text) is asked


def catalog() -> Catalog:
    def operation(name: str) -> dict[str, Any]:
        return {"operationId": name, "responses": {"200": {"description": "OK"}}}

    document = {
        "openapi": "3.0.0",
        "info": {"title": "Beats", "version": "1"},
        "servers": [{"url": "https://beats.example"}],
        "paths": {
            "/beats": {"get": operation("listBeats"), "post": operation("heartbeat")},
            "/beats/delete": {"get": operation("deleteBeats")},
        },
    }
    return Catalog.from_openapi(document)


def found(scores: dict[str, float], named: str = "") -> tuple[Candidate, ...]:
    by_name = {tool.operation: tool.tool_id for tool in catalog()}
    order = sorted(scores, key=lambda name: -scores[name])
    return tuple(
        Candidate(
            tool_id=by_name[name],
            score=scores[name],
            rank=rank,
            parts={"exact": float(name == named)},
        )
        for rank, name in enumerate(order, 1)
    )


def order_of(asked: bool | None, candidates: tuple[Candidate, ...]) -> list[str]:
    tools = catalog()
    ranked = by_effect(asked, candidates, lambda name: effect_of(tools[name]))
    assert [each.score for each in ranked if not each.parts["exact"]] == sorted(
        (each.score for each in ranked if not each.parts["exact"]), reverse=True
    )
    return [tools[each.tool_id].operation for each in ranked]


NEAR = {"heartbeat": 0.30, "deleteBeats": 0.29, "listBeats": 0.28}


def test_a_question_puts_what_reads_before_what_changes() -> None:
    assert order_of(False, found(NEAR)) == ["listBeats", "heartbeat", "deleteBeats"]


def test_what_asks_for_a_change_keeps_the_order_of_what_changes() -> None:
    assert order_of(True, found(NEAR)) == ["heartbeat", "deleteBeats", "listBeats"]


def test_of_a_language_that_is_not_read_nothing_is_said() -> None:
    assert order_of(None, found(NEAR)) == ["heartbeat", "deleteBeats", "listBeats"]


def test_a_tool_that_the_request_names_stays_first() -> None:
    assert order_of(False, found(NEAR, named="heartbeat"))[0] == "heartbeat"


def test_much_better_matches_keep_their_place() -> None:
    assert order_of(False, found({"heartbeat": 0.9, "listBeats": 0.1}))[0] == "heartbeat"


def test_both_weights_speak_against() -> None:
    assert all(weight < 0 for weight in mismatch_weights().values())
