"""Questions are not for operations that change something."""

from typing import Any

import pytest

from gretel.catalog import Catalog
from gretel.catalog.effects.asked import Wish, asks_change, wish_of
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
    "The stall's old wallet can go, get rid of it.",
    "Throw the note of last week away.",
    "I've called them, so tick it off.",
]
NOT_ASKED = [
    "When was the record last updated?",
    "What is the balance of the stall's wallet?",
    "Which books are out on loan, and who has them?",
    "How many orders were cancelled in the last week?",
    "Show me the changes of the latest release.",
    "Who wrote the report, and when was it sent?",
    "What did we set the price of coffee to?",
    "Before I delete it: is anything tied to this wallet?",
    "If I overwrite the first cell, what else will move?",
    "Where are the letters that were thrown out?",
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


@pytest.mark.parametrize(
    ("text", "wish"),
    [(text, "change") for text in ASKED]
    + [(text, "read") for text in NOT_ASKED]
    + [(text, "unread") for text in UNKNOWN]
    + [("A subscription of the monthly plan.", "unsaid")],
)
def test_a_request_wishes_to_read_where_it_asks(text: str, wish: Wish) -> None:
    assert wish_of(text) == wish


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


def order_of(wish: Wish, candidates: tuple[Candidate, ...]) -> list[str]:
    tools = catalog()
    ranked = by_effect(wish, candidates, lambda name: effect_of(tools[name]))
    assert [each.score for each in ranked if not each.parts["exact"]] == sorted(
        (each.score for each in ranked if not each.parts["exact"]), reverse=True
    )
    return [tools[each.tool_id].operation for each in ranked]


NEAR = {"heartbeat": 0.30, "deleteBeats": 0.29, "listBeats": 0.28}


def test_a_question_puts_what_reads_before_what_changes() -> None:
    assert order_of("read", found(NEAR)) == ["listBeats", "heartbeat", "deleteBeats"]


def test_what_asks_for_a_change_keeps_the_order_of_what_changes() -> None:
    assert order_of("change", found(NEAR)) == ["heartbeat", "deleteBeats", "listBeats"]


def test_in_a_language_that_is_not_read_what_reads_is_likelier() -> None:
    assert order_of("unread", found(NEAR)) == ["listBeats", "heartbeat", "deleteBeats"]


def test_a_tool_that_the_request_names_stays_first() -> None:
    assert order_of("read", found(NEAR, named="heartbeat"))[0] == "heartbeat"


def test_much_better_matches_keep_their_place() -> None:
    assert order_of("read", found({"heartbeat": 0.9, "listBeats": 0.1}))[0] == "heartbeat"


def test_all_weights_speak_against() -> None:
    assert all(weight < 0 for weight in mismatch_weights().values())


def test_a_hint_says_what_the_name_of_an_mcp_tool_does_not() -> None:
    hints = {"annotations": {"readOnlyHint": True}, "inputSchema": {"type": "object"}}
    listing = [{"name": "tides", **hints}, {"name": "moon", "inputSchema": {"type": "object"}}]

    effects = [effect_of(tool) for tool in Catalog.from_mcp(listing, server="harbour")]

    assert sorted(effects) == ["reads", "unknown"]
