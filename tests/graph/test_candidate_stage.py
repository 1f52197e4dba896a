"""The switches of the candidate stage, where they are set and what they reach."""

import pytest

from fakes import FakeRetriever, tool
from gretel.catalog import Catalog
from gretel.contracts.errors import ConfigurationError
from gretel.contracts.ranking import RetrievalQuery
from gretel.evaluation.runs.settings import Manifest, RunDigests, RunSettings
from gretel.graph.compose import compose
from gretel.graph.settings import read_settings
from gretel.nodes.retrieve.stage.retriever import StagedRetriever
from gretel.nodes.retrieve.stage.switches import CandidateStage

TOOLS = [tool("bus.find"), tool("cab.find")]


TEXT = "Find a bus to Oslo. Find a cab there."


@pytest.mark.parametrize(
    ("stage", "asked", "parts"),
    [
        (CandidateStage(), 3, 2),
        (CandidateStage(coherence="parts"), 3, 2),
        (CandidateStage(coherence="none"), 1, 2),
        (CandidateStage(split=False), 1, 0),
    ],
)
async def test_a_request_is_split_once_for_any_retriever_as_the_switches_say(
    stage: CandidateStage, asked: int, parts: int
) -> None:
    given = FakeRetriever(TOOLS)
    built = compose(Catalog.from_tools(TOOLS), retriever=given, candidates=stage).retriever
    await built.retrieve([RetrievalQuery(text=TEXT)], k=2)

    assert isinstance(built, StagedRetriever)
    (call,) = given.calls
    queries = call.arguments["queries"]
    assert len(queries) == asked
    assert len(queries[0].parts) == parts


def test_halves_belong_to_the_semantic_retriever() -> None:
    stage = CandidateStage(fusion="dense")
    with pytest.raises(ConfigurationError, match="fusion"):
        compose(Catalog.from_tools(TOOLS), retriever=FakeRetriever(TOOLS), candidates=stage)


def test_the_environment_may_set_the_switches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRETEL_CANDIDATES", '{"coherence": "parts", "split": false}')

    assert read_settings().candidates == CandidateStage(coherence="parts", split=False)


@pytest.mark.parametrize("value", ["{", '{"coherence": "much"}', '{"magic": 1}'])
def test_switches_that_mean_nothing_are_refused(
    monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("GRETEL_CANDIDATES", value)

    with pytest.raises(ConfigurationError, match="GRETEL_CANDIDATES"):
        read_settings()


@pytest.mark.parametrize(
    "stage",
    [
        CandidateStage(split=False),
        CandidateStage(fusion="sparse"),
        CandidateStage(coherence="parts"),
    ],
)
def test_every_switch_makes_another_run(stage: CandidateStage) -> None:
    assert _run(stage).key != _run(CandidateStage()).key


def _run(stage: CandidateStage) -> Manifest:
    return Manifest(
        data="demo",
        qrels="test",
        settings=RunSettings(pipelines=("retrieval",), candidates=stage),
        digests=RunDigests(data="d", catalog="c", faults="f", code="k"),
        total=1,
    )
