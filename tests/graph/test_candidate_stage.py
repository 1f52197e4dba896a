"""The switches of the candidate stage, where they are set and what they reach."""

import pytest

from fakes import FakeRetriever, tool
from gretel.catalog import Catalog
from gretel.contracts.errors import ConfigurationError
from gretel.evaluation.runs.settings import Manifest, RunDigests, RunSettings
from gretel.graph.compose import compose
from gretel.graph.settings import read_settings
from gretel.nodes.retrieve.stage.coherent import CoherentRetriever
from gretel.nodes.retrieve.stage.stage import CandidateStage

TOOLS = [tool("bus.find"), tool("cab.find")]


def test_coherence_stands_before_any_retriever_unless_it_is_off() -> None:
    catalog, given = Catalog.from_tools(TOOLS), FakeRetriever(TOOLS)

    on = compose(catalog, retriever=given)
    assert isinstance(on.retriever, CoherentRetriever)
    for stage in (CandidateStage(coherence="none"), CandidateStage(split=False)):
        assert compose(catalog, retriever=given, candidates=stage).retriever is given


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
