"""A flood of tools that read like what is asked does not push out those that were there before.

Through the retriever as `compose` makes it, over requests of two parts, so that toolkits vote. The
attacker knows other requests for the same tools, and has a third as many tools as the catalogue.
"""

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from statistics import mean

import pytest
from injection_world import Asked, requests, tools

from gretel.catalog import Catalog
from gretel.contracts.ranking import Candidate, RetrievalQuery
from gretel.contracts.tool import Tool, ToolId
from gretel.graph.compose import compose
from gretel.graph.selector import Selector
from gretel.nodes.retrieve.stage.pins import Pins

FLOOD = 20
POINTS = 0.02
"""What an attack may cost, of R@5."""
CLEARLY = 1.2
"""Scores nearer to each other by factor than this may change places."""

Wanted = tuple[str, set[ToolId]]


def asked() -> list[Wanted]:
    """60 requests, each for two tools of different toolkits."""
    every: Sequence[Asked] = requests()[::2]
    half = len(every) // 2
    return [
        (f"{one.text} {other.text}", {one.tool_id, other.tool_id})
        for one, other in zip(every[:half], every[half:], strict=True)
    ]


def flood(toolkits: int | None) -> list[Tool]:
    """Each reads like three requests on one topic; in so many toolkits, or the catalogue's own."""
    texts = [each.text for each in requests()[1::2]]
    own = sorted({each.toolkit for each in tools()})
    made = []
    for number in range(FLOOD):
        toolkit = own[number % len(own)] if toolkits is None else f"Flood{number % toolkits}"
        made.append(
            Tool(
                tool_id=ToolId(f"{toolkit}.helps{number}"),
                toolkit=toolkit,
                operation=f"helps{number}",
                description=" ".join(texts[6 * number : 6 * number + 6 : 2]),
            )
        )
    return made


async def found(
    index: Path, catalog: Sequence[Tool], *, pinned: Sequence[Tool]
) -> list[tuple[Candidate, ...]]:
    """The first ten candidates of every request, where `pinned` is what the user indexed."""
    Pins(index).renew(pinned)
    retriever = compose(Catalog.from_tools(catalog), index=index).retriever
    queries = [RetrievalQuery(text=text) for text, _ in asked()]
    return list((await retriever.retrieve(queries, k=10)).candidates)


def recall(lists: Sequence[Sequence[Candidate]]) -> float:
    """R@5."""
    return mean(
        len(wanted & {candidate.tool_id for candidate in each[:5]}) / len(wanted)
        for each, (_, wanted) in zip(lists, asked(), strict=True)
    )


def own(each: Sequence[Candidate]) -> list[ToolId]:
    return [candidate.tool_id for candidate in each if ".helps" not in candidate.tool_id]


def crossed(
    lists: Sequence[Sequence[Candidate]], before: Sequence[Sequence[Candidate]]
) -> list[tuple[ToolId, ToolId]]:
    """Pairs of a first four whose order is another now, though one scored `CLEARLY` more."""
    pairs = []
    for each, quiet in zip(lists, before, strict=True):
        place = {tool_id: number for number, tool_id in enumerate(own(each))}
        pairs += [
            (ahead.tool_id, behind.tool_id)
            for ahead, behind in combinations(quiet[:4], 2)
            if ahead.score > CLEARLY * behind.score
            and place.get(ahead.tool_id, 10) > place.get(behind.tool_id, 10)
        ]
    return pairs


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("index")


@pytest.fixture(scope="module")
async def quiet(index: Path) -> list[tuple[Candidate, ...]]:
    return await found(index, tools(), pinned=tools())


@pytest.mark.slow
async def test_undefended_the_attack_works(index: Path, quiet: list[tuple[Candidate, ...]]) -> None:
    """The flood was there when the user indexed, who trusts it so."""
    whole = [*tools(), *flood(5)]
    lists = await found(index, whole, pinned=whole)
    assert recall(lists) < recall(quiet) - POINTS
    assert crossed(lists, quiet)


@pytest.mark.slow
@pytest.mark.parametrize("toolkits", [1, 5, 20, None])
async def test_a_flood_costs_little(
    toolkits: int | None, index: Path, quiet: list[tuple[Candidate, ...]]
) -> None:
    lists = await found(index, [*tools(), *flood(toolkits)], pinned=tools())

    assert recall(lists) >= recall(quiet) - POINTS
    assert all(len(own(each[:5])) >= 4 for each in lists)
    assert any(len(own(each)) < len(each) for each in lists), "newcomers have a place, behind"
    # But for rare words, of which every text says which they are.
    assert not crossed(lists, quiet)


def weather(title: str, **descriptions: str) -> Catalog:
    city = {"name": "city", "in": "query", "schema": {"type": "string", "default": "Oslo"}}
    paths = {
        f"/{name}": {
            "get": {
                "operationId": name,
                "description": text,
                "parameters": [city],
                "responses": {"200": {"description": "ok"}},
            }
        }
        for name, text in descriptions.items()
    }
    info = {"title": title, "version": "1"}
    return Catalog.from_openapi({"openapi": "3.0.3", "info": info, "paths": paths})


async def test_trials_that_show_the_same_leave_a_flood_behind() -> None:
    selector = Selector(weather("Weather", current_weather="Current weather of a city."))
    await selector.aselect("What is the weather in Oslo?", abstain_below=0.0)
    text = "What is the weather in a city like Oslo? Number"
    added = weather("Flood", **{f"weather_of_city_{n}": f"{text} {n}." for n in range(60)})
    selector.catalog.add(added)
    await selector._parts.retriever.add(list(added))
    selection = await selector.aselect("What is the weather in Oslo?", depth=10, abstain_below=0.0)
    await selector.aclose()
    assert selection.ranking is not None
    ids = [each.tool_id for each in selection.ranking.tools]
    assert ids.index(ToolId("Weather.current_weather")) <= 1, ids
