"""A trained rewriter behind the semantic retriever: what it changes, and what it leaves alone."""

import asyncio
from pathlib import Path

import numpy as np
import pytest

from fakes import tool
from gretel.catalog import Catalog
from gretel.contracts.errors import ConfigurationError, IndexCorrupt
from gretel.contracts.ranking import RetrievalQuery
from gretel.contracts.tool import Tool
from gretel.graph.compose import compose
from gretel.nodes.retrieve.artifact.store import grow
from gretel.nodes.retrieve.encoding.encoder import Encoder
from gretel.nodes.retrieve.masstool.artifact import read_artifact as read_masstool
from gretel.nodes.retrieve.rewriting.artifact import Calibration, read_artifact, write_artifact
from gretel.nodes.retrieve.rewriting.vector import TrainedVector
from gretel.nodes.retrieve.semantic.signals import dense_text
from rewriter_models import taught

BANK = tool("Bank.convert", "Convert an amount of money between currencies.")
SKY = tool("Sky.get_forecast", "Weather forecast of a city.")
FERRY = tool("Ferry.search", "Search ferries between two ports.")
TOOLS = [BANK, SKY, FERRY]
JARGON = "is cable above parity this morning"
FORECAST = "weather forecast of Oslo"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_artifact(taught(TOOLS, {JARGON: BANK, FORECAST: SKY}), tmp_path / "art")
    return tmp_path / "art"


def found(request: str, rewriter: Path | None, tools: list[Tool] = TOOLS) -> dict[str, float]:
    """Scores by tool, best first."""
    parts = compose(Catalog.from_tools(tools), rewriter=rewriter)
    retrieval = asyncio.run(parts.retriever.retrieve([RetrievalQuery(text=request)], k=3))
    return {each.tool_id: each.score for each in retrieval.candidates[0]}


def test_what_was_learnt_comes_first_and_tools_that_no_request_named_keep_their_score(
    folder: Path,
) -> None:
    before, after = found(JARGON, None), found(JARGON, folder)

    assert next(iter(before)) != BANK.tool_id
    assert next(iter(after)) == BANK.tool_id
    assert after[FERRY.tool_id] == pytest.approx(before[FERRY.tool_id])


def test_no_strength_changes_nothing(tmp_path: Path) -> None:
    off = taught(TOOLS, {JARGON: BANK}, calibration=Calibration(strength=0.0, offset=5.0))
    write_artifact(off, tmp_path / "art")
    vectors = Encoder().documents([dense_text(each) for each in TOOLS])

    assert found(JARGON, tmp_path / "art") == found(JARGON, None)
    assert TrainedVector(off).over(TOOLS, vectors) is None


def test_the_request_is_encoded_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    passes: list[int] = []
    encode = Encoder.embeddings
    monkeypatch.setattr(
        Encoder, "embeddings", lambda self, texts: passes.append(1) or encode(self, texts)
    )
    found(f"{JARGON}. {FORECAST}.", folder)

    assert len(passes) == 1


def test_a_tool_that_says_something_else_by_now_is_not_known(folder: Path) -> None:
    other = tool("Bank.convert", "Books a table on a llama farm.")
    vectors = Encoder().documents([dense_text(each) for each in (other, SKY, FERRY)])
    learnt = TrainedVector(read_artifact(folder)).over([other, SKY, FERRY], vectors)

    assert learnt is not None
    change = learnt.change(Encoder().queries([FORECAST]))[0]
    assert change[1] == pytest.approx(10, abs=0.1)
    assert change[[0, 2]].tolist() == [0.0, 0.0]


def test_a_tool_that_is_added_on_disk_is_not_known_and_the_rest_stays_so(folder: Path) -> None:
    train = tool("Rail.search", "Trains between two stations.")
    grow(folder, [train])

    assert next(iter(found(JARGON, folder, [*TOOLS, train]))) == BANK.tool_id
    with pytest.raises(ConfigurationError, match="another catalogue"):
        found(JARGON, folder)


def test_vectors_of_another_encoder_are_refused(folder: Path) -> None:
    width = Encoder().documents(["a"]).shape[1]
    vectors = np.linalg.qr(np.random.default_rng(7).normal(size=(width, width)))[0][:3]
    with pytest.raises(ConfigurationError, match="other vectors"):
        TrainedVector(read_artifact(folder)).over(TOOLS, vectors.astype(np.float32))


def test_it_is_no_other_kind_of_artefact(folder: Path) -> None:
    with pytest.raises(ConfigurationError, match="vector 1"):
        read_masstool(folder)


@pytest.mark.parametrize("name", ["head.safetensors", "known.npz", "tools.npz"])
def test_a_file_that_was_changed_is_refused(folder: Path, name: str) -> None:
    content = bytearray((folder / name).read_bytes())
    content[-1] ^= 1
    (folder / name).write_bytes(bytes(content))
    with pytest.raises(IndexCorrupt):
        read_artifact(folder)


def test_it_goes_with_the_semantic_retriever_alone(folder: Path) -> None:
    with pytest.raises(ConfigurationError, match="semantic"):
        compose(Catalog.from_tools(TOOLS), retriever="masstool", artifact=folder, rewriter=folder)


def test_what_the_encoder_cannot_read_changes_nothing(folder: Path) -> None:
    assert found("валюта", folder) == found("валюта", None)
