"""How much of what is asked an answer speaks of."""

import json
from collections.abc import Mapping

import pytest

from gretel.catalog import Catalog
from gretel.contracts.ranking import Request
from gretel.contracts.tool import HttpBinding, Tool
from gretel.contracts.trial import Argument, CallPlan, Outcome, Trial
from gretel.nodes.rerank.coverage import READ, coverages
from gretel.nodes.rerank.evidence import EvidenceReranker

CATALOG = Catalog.from_tools(
    Tool(
        tool_id=f"Garden.{name}",
        toolkit="Garden",
        operation=name,
        description=description,
        binding=HttpBinding(servers=("https://garden.example",), method="GET", path=f"/{name}"),
    )
    for name, description in (
        ("list_beds", "What stands here"),
        ("list_sheds", "What lies here"),
        ("list_species", "What lives here"),
    )
)
"""Three tools whose documents say next to nothing."""
BEDS, SHEDS, SPECIES = (tool.tool_id for tool in CATALOG)
ASKED = "Which tomatoes ripen in the greenhouse?"


def tried(tool_id: str, answer: object, said: Mapping[str, str] | None = None) -> Trial:
    """A trial that was answered."""
    arguments = {
        name: Argument(value=value, source="request", span=(0, 1))
        for name, value in (said or {}).items()
    }
    return Trial(
        tool_id=tool_id,
        round=1,
        rank_before=1,
        retrieval_score=0.3,
        plan=CallPlan(tool_id=tool_id, arguments=arguments),
        executed=Outcome(status="succeeded", source="executed", excerpt=json.dumps(answer)),
    )


def test_an_answer_that_speaks_of_what_is_asked_covers_more_than_the_others() -> None:
    trials = [
        tried(BEDS, [{"plant": "tomato", "greenhouse": True}]),
        tried(SHEDS, [{"spade": 2, "rake": 1}]),
    ]
    found = coverages(ASKED, trials, CATALOG)
    assert found == {BEDS: pytest.approx(0.5), SHEDS: pytest.approx(-0.5)}
    assert coverages(ASKED, trials[::-1], CATALOG) == found


def test_what_only_one_answer_has_tells_more_than_what_all_have() -> None:
    trials = [
        tried(BEDS, ["tomatoes", "greenhouse"]),
        tried(SHEDS, ["greenhouse"]),
        tried(SPECIES, ["greenhouse"]),
    ]
    found = coverages(ASKED, trials, CATALOG)
    assert found[BEDS] - found[SHEDS] > 0.5  # of `tomatoes`, which is half of the words
    assert found[SHEDS] == found[SPECIES]


def test_a_server_that_repeats_what_it_was_called_with_covers_nothing() -> None:
    trials = [
        tried(BEDS, {"error": "no bed greenhouse"}, {"bed": "greenhouse"}),
        tried(SHEDS, {"sheds": []}),
    ]
    assert coverages(ASKED, trials, CATALOG) == {BEDS: 0, SHEDS: 0}


def test_words_of_the_tools_own_document_cover_nothing() -> None:
    trials = [tried(BEDS, ["stands beds"]), tried(SHEDS, ["rake"])]
    found = coverages("What stands in the beds?", trials, CATALOG)
    assert found == {BEDS: 0, SHEDS: 0}


def test_an_answer_of_a_thousand_words_is_read_in_its_beginning_alone() -> None:
    filler = [f"w{chr(97 + n % 26)}{chr(97 + n // 26)}x" for n in range(READ)]
    trials = [tried(BEDS, [*filler, "tomatoes"]), tried(SHEDS, ["rake"])]
    assert coverages(ASKED, trials, CATALOG) == {BEDS: 0, SHEDS: 0}


def test_what_could_not_show_an_answer_is_left_out() -> None:
    none = tried(SHEDS, [])
    none = none.model_copy(
        update={"executed": none.executed.model_copy(update={"says_none": True})}
    )
    down = tried(SPECIES, "")
    down = down.model_copy(update={"executed": Outcome(status="unavailable", source="none")})
    assert coverages(ASKED, [none, down], CATALOG) == {}
    assert coverages(ASKED, [tried(BEDS, ["tomatoes"]), none, down], CATALOG) == {BEDS: 0}


def test_a_request_in_another_language_is_covered_by_english_answers() -> None:
    trials = [tried(BEDS, ["invoices", "customers"]), tried(SHEDS, ["rake"])]
    found = coverages("Welche Rechnungen haben die Kunden noch nicht bezahlt?", trials, CATALOG)
    assert found[BEDS] > 0 > found[SHEDS]


async def test_of_two_answers_the_one_that_speaks_of_what_is_asked_is_first() -> None:
    trials = [tried(SHEDS, ["rake"]), tried(BEDS, ["tomatoes", "greenhouse"])]
    trials[1] = trials[1].model_copy(update={"rank_before": 2, "retrieval_score": 0.25})
    ranking = await EvidenceReranker(CATALOG).rerank(
        Request(text=ASKED, today="2026-01-01"), trials
    )
    assert [each.tool_id for each in ranking.tools] == [BEDS, SHEDS]
