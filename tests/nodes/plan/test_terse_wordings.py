"""Terse requests and joined names: long numbers, coordinates, switches by name, `playerid`."""

import pytest

from gretel.contracts.ranking import Request
from gretel.contracts.tool import Tool
from gretel.nodes.plan.filling.fillings import UsedTokens
from gretel.nodes.plan.filling.said import long_number
from gretel.nodes.plan.matching.profile import read_profile
from gretel.nodes.plan.matching.view import read_view
from gretel.nodes.plan.mentions.document import read_document
from gretel.nodes.plan.slots.slot import name_words
from service_tools import made, planned, values

BIN = {"type": "string", "description": "The first 6, 8 or 10 digits of a card number"}
BANK = made("Look up a bank by its BIN", **{"bin-number": BIN}, needs="bin-number")
CALLS = made("Rules of a call", "/calls/{id}", id="string")
NEAR = made("Groups", latitude="number", longitude="number", distance="number")
PEOPLE = made("People of a household", isChild="boolean", dry_run="boolean")
IDS = {"type": "array", "items": {"type": "string"}}
SPENT = made("Money for candidates", candidate_id=IDS)
FIGURES = made("Figures", needs="playerid", playerid="string", fromdate="string", todate="string")
EITHER = {"oneOf": [{"type": "integer"}, {"type": "string"}]}
TAGS = made("Tags of a product", "/products/{product_id}/tags", product_id=EITHER)


@pytest.mark.parametrize(
    ("text", "asked", "arguments"),
    [
        ("May I record if I call +13125550000?", CALLS, {"id": "+13125550000"}),
        (
            "groups near latitude 51.4545, longitude -2.5879",
            NEAR,
            {"latitude": 51.4545, "longitude": -2.5879},
        ),
        ("All the kids in our household (isChild true)", PEOPLE, {"isChild": True}),
        ("Everybody, dry_run=false", PEOPLE, {"dry_run": False}),
        ("What was spent against H8NY15148?", SPENT, {"candidate_id": ["H8NY15148"]}),
        (
            "50002016 from 2024-04-01 to 2024-04-30",
            FIGURES,
            {"playerid": "50002016", "fromdate": "2024-04-01", "todate": "2024-04-30"},
        ),
        ("tags of product pump-7x", TAGS, {"product_id": "pump-7x"}),
    ],
)
async def test_what_is_said_arrives(text: str, asked: Tool, arguments: dict[str, object]) -> None:
    assert values(await planned(text, asked)) == arguments


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("A card starts with 47192100. Which bank issued it?", ["47192100"]),
        ("May I call +13125550000?", ["+13125550000"]),
        ("A card starts with 4719. Which bank issued it?", []),  # may be a year
        ("Are 47192100 and 47192101 of one bank?", []),
    ],
)
def test_the_only_long_number_is_a_key(text: str, numbers: list[str]) -> None:
    view, cues = read_view(Request(text=text, today="2026-05-14")), read_profile(BANK).cues
    found = long_number(view, UsedTokens(), dict(enumerate(cues)))
    assert [span.mention.text for _, span in found] == numbers


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("dans l'espace 7", ["dans", "l'", "espace", "7"]),
        ("qu’est-ce", ["qu’", "est-ce"]),
        ("don't, aujourd'hui", ["don't", ",", "aujourd'hui"]),
    ],
)
def test_an_article_before_a_vowel_is_a_word(text: str, words: list[str]) -> None:
    document = read_document(Request(text=text, today="2026-05-14"))
    assert [token.text for token in document.tokens] == words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("playerid", ("player", "id")),
        ("deviceuuid", ("device", "uuid")),
        ("fromdate", ("from", "date")),
        ("is_valid", ("is", "valid")),
        ("grid", ("grid",)),
        ("update", ("update",)),
    ],
)
def test_words_that_nothing_parts(name: str, words: tuple[str, ...]) -> None:
    assert name_words(name) == words
