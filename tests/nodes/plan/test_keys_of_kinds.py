"""Codes that say by their form what they are of, keys of services, and what is left over."""

import pytest

from gretel.contracts.tool import Tool
from gretel.contracts.trial import CallPlan, Refusal
from gretel.nodes.plan.matching.steps import kinship, prefix_of
from service_tools import made, planned, values

STAY = made("End a stay", "/users/{user_id}/stays/{stay_id}", user_id="string", stay_id="string")
BUILD = made(
    "A build",
    "/build/{account}/{project}/{number}",
    account="string",
    project="string",
    number="integer",
)
FEED = made("A feed", "/spaces/{space}/feeds/{feed}", space="string", feed="string")
HOST = made("Shares of a host", "/hosts/{id}", id="string")
LISTS = made("Lists", needs="X-Feed-Key", **{"X-Feed-Key": "string"}, page="integer")
GOODS = made("Goods", barcode="string", page="integer")
PRICE = made(
    "Price of a coin",
    needs="symbol",
    symbol={"type": "string", "description": "Cryptocurrency symbol (e.g., BTC, ETH)"},
)
TILE = made(
    "A tile",
    "/tiles/{zoom}/{x}/{y}",
    zoom="integer",
    x="integer",
    y="integer",
)
DISHES = made("Dishes", page_size="integer")
TRADES = made("Trades", max_trades="integer")


@pytest.mark.parametrize(
    ("code", "words", "wanted"),
    [
        ("inv-4402", ("invoice",), 1.0),
        ("tpl_9lp27tq", ("template",), 0.6),
        ("rg-telemetry", ("resource", "group"), 1.0),
        ("u-2087", ("user",), 0.4),
        ("host:::4b1e", ("host",), 1.0),
        ("inv-4402", ("customer",), 0.0),
        ("2026-11-26", ("date",), 0.0),
        ("inv of 4402", ("invoice",), 0.0),
    ],
)
def test_a_code_begins_with_what_it_is_of(code: str, words: tuple[str, ...], wanted: float) -> None:
    assert kinship(prefix_of(code), words) == wanted


@pytest.mark.parametrize(
    ("text", "asked", "arguments"),
    [
        ("Check stay-51f0 out, usr-8812 left early.", STAY, ("usr-8812", "stay-51f0")),
        ("Check usr-8812 out of stay-51f0, please.", STAY, ("usr-8812", "stay-51f0")),
        ("What went wrong in fernfold/storefront 1877?", BUILD, ("fernfold", "storefront", 1877)),
        ("Show the feed of lumen-tea/autumn-2", FEED, ("lumen-tea", "autumn-2")),
        ("What does Host:::4b1e77c0 share?", HOST, ("Host:::4b1e77c0",)),
        ("What does nginx:alpine share?", HOST, ("nginx:alpine",)),
        ("I scanned 5701234567890, what is it?", GOODS, ("5701234567890",)),
        ("Show me the price of XRP", PRICE, ("XRP",)),
        ("the tile 10, 526, 296 as it is now", TILE, (10, 526, 296)),
        ("level 10, x 526, y 296", TILE, (10, 526, 296)),
        ("Show me the dishes, 20 at a time.", DISHES, (20,)),
        ("Dishes with cream? 10 will do.", DISHES, (10,)),
        ("15 trades of the board", TRADES, (15,)),
    ],
)
async def test_what_is_said_arrives(text: str, asked: Tool, arguments: tuple[object, ...]) -> None:
    found = await planned(text, asked)
    assert isinstance(found, CallPlan), found
    names = (each.name for each in asked.parameters)
    assert found.values() == dict(zip(names, arguments, strict=False))


async def test_nothing_passes_for_a_key_that_was_not_said_to_be_one() -> None:
    found = await planned("Which lists of flights have magazines published? page 2", LISTS)
    assert isinstance(found, Refusal)
    assert [each.name for each in found.missing] == ["X-Feed-Key"]
    assert (
        values(await planned("Which lists are there? X-Feed-Key is 99f0e7aa, page 2", LISTS))[
            "X-Feed-Key"
        ]
        == "99f0e7aa"
    )


async def test_a_name_is_taken_whole() -> None:
    asked = made("A member", needs="name", name="string")
    assert values(await planned("Open the record of Tomas Lind please", asked)) == {
        "name": "Tomas Lind"
    }
