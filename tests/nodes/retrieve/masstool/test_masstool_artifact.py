"""What is written is what is read, and nothing else is."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from fakes import tool
from gretel.catalog import Catalog
from gretel.contracts.errors import ConfigurationError, IndexCorrupt
from gretel.contracts.tool import Tool
from gretel.nodes.retrieve.artifact.store import grow
from gretel.nodes.retrieve.masstool.artifact import (
    FORMAT,
    Artifact,
    read_artifact,
    write_artifact,
)
from gretel.nodes.retrieve.masstool.model import MassTool
from gretel.nodes.retrieve.masstool.reader import Opened, Reader
from gretel.nodes.retrieve.masstool.retriever import MassToolRetriever
from masstool_data import forge
from masstool_models import bundled, by_text, untrained

PARTS = ("model.safetensors", "encoder.safetensors", "pool.npz", "tools.npz")


@pytest.fixture
def artifact(tools: list[Tool]) -> Artifact:
    return untrained(tools, [*by_text(tools), ("both at once", [tools[0].tool_id, "Bank.convert"])])


@pytest.fixture
def folder(artifact: Artifact, tmp_path: Path) -> Path:
    write_artifact(artifact, tmp_path / "art")
    return tmp_path / "art"


def scores(artifact: Artifact) -> torch.Tensor:
    model = MassTool(artifact.manifest.shape)
    model.load_state_dict(dict(artifact.model))
    read = Reader(model, artifact.pool, artifact.texts).read(bundled().encode(["rain in Oslo"]))
    return torch.cat([read.shares[0], read.vote[0], read.need, read.nearest])


def test_what_is_read_scores_as_what_was_written(artifact: Artifact, folder: Path) -> None:
    read = read_artifact(folder)

    assert torch.allclose(scores(read), scores(artifact), atol=1e-2)
    assert read.manifest.model_copy(update={"files": {}, "digest": ""}) == artifact.manifest
    assert read.pool.gold == artifact.pool.gold
    assert read.model.keys() == artifact.model.keys()
    assert all(torch.equal(read.model[name], artifact.model[name]) for name in read.model)


def test_an_artefact_written_again_scores_the_same_to_the_bit(folder: Path, tmp_path: Path) -> None:
    first = read_artifact(folder)
    write_artifact(first, tmp_path / "again")
    second = read_artifact(tmp_path / "again")

    assert torch.equal(scores(second), scores(first))
    assert second.manifest == first.manifest


@pytest.mark.slow
def test_tuned_weights_of_the_encoder_are_put_back(artifact: Artifact, tmp_path: Path) -> None:
    name, weight = next(iter(bundled().module.named_parameters()))
    tuned = replace(artifact, encoder={name: weight.detach() + 1})
    write_artifact(tuned, tmp_path / "art")
    opened = Opened.of(read_artifact(tmp_path / "art"))

    assert opened.backbone.weights.tuned().keys() == {name}
    assert torch.equal(opened.backbone.weights.tuned()[name], weight.detach() + 1)


def test_files_hold_no_code(folder: Path) -> None:
    assert {path.name for path in folder.iterdir()} == {*PARTS, "manifest.json"}
    assert json.loads((folder / "manifest.json").read_text())["format"] == FORMAT
    for name in ("pool.npz", "tools.npz"):
        with np.load(folder / name, allow_pickle=False) as stored:
            assert all(stored[key].dtype.kind in "fi" for key in stored)
    for name in ("model.safetensors", "encoder.safetensors"):
        raw = (folder / name).read_bytes()
        assert isinstance(json.loads(raw[8 : 8 + int.from_bytes(raw[:8], "little")]), dict)


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize("harm", [lambda p: p.unlink(), lambda p: p.write_bytes(b"other")])
def test_a_file_that_is_missing_or_changed_is_refused(
    folder: Path, name: str, harm: Callable[[Path], object]
) -> None:
    harm(folder / name)

    with pytest.raises(IndexCorrupt, match=name):
        read_artifact(folder)


@pytest.mark.parametrize("name", PARTS)
def test_a_manifest_that_leaves_a_file_out_is_refused(folder: Path, name: str) -> None:
    forge(folder, lambda manifest: manifest["files"].pop(name))

    with pytest.raises(IndexCorrupt, match=name):
        read_artifact(folder)


CHANGES = {
    "order": lambda said: said.update(tools=dict(reversed(said["tools"].items()))),
    "slope": lambda said: said["calibration"].update(slope=-1.0),
    "threshold": lambda said: said["shape"].update(threshold=0.9),
    "part": lambda said: said["shape"].update(without=["vote"]),
    "catalog": lambda said: said.update(catalog_digest="0" * 64),
    "history": lambda said: said.update(made={"seed": 8}),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_manifest_that_was_changed_is_refused(folder: Path, name: str) -> None:
    path = folder / "manifest.json"
    said = json.loads(path.read_text())
    CHANGES[name](said)
    path.write_text(json.dumps(said))

    with pytest.raises(IndexCorrupt, match="was changed"):
        read_artifact(folder)


def test_a_manifest_may_be_written_in_another_way(folder: Path) -> None:
    path = folder / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text())))

    assert read_artifact(folder).manifest.digest


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"format": 1}'])
def test_a_manifest_that_is_none_is_refused(folder: Path, text: str) -> None:
    (folder / "manifest.json").write_text(text)

    with pytest.raises((IndexCorrupt, ConfigurationError)):
        read_artifact(folder)


def test_another_format_is_refused(folder: Path) -> None:
    forge(folder, lambda manifest: manifest.update(format=1))

    with pytest.raises(ConfigurationError, match="has format 1, not 2"):
        read_artifact(folder)


def test_a_folder_without_manifest_is_no_artefact(folder: Path, tmp_path: Path) -> None:
    (folder / "manifest.json").unlink()

    for place in (folder, tmp_path / "nowhere"):
        with pytest.raises(ConfigurationError, match="is not an artefact"):
            read_artifact(place)


def test_tools_that_do_not_fit_their_vectors_are_refused(folder: Path) -> None:
    forge(folder, lambda manifest: manifest["tools"].popitem())

    with pytest.raises(IndexCorrupt):
        read_artifact(folder)


def test_a_shape_that_is_not_the_models_is_refused(folder: Path) -> None:
    forge(folder, lambda manifest: manifest["shape"].update(width=5))

    with pytest.raises(IndexCorrupt):
        Opened.of(read_artifact(folder))


@pytest.mark.slow
def test_other_weights_of_the_encoder_are_refused(folder: Path) -> None:
    forge(folder, lambda manifest: manifest.update(encoder_digest="0" * 64))

    with pytest.raises(ConfigurationError, match="has other weights"):
        Opened.of(read_artifact(folder))


@pytest.mark.slow
async def test_the_order_of_the_catalogue_says_nothing(folder: Path, tools: list[Tool]) -> None:
    await MassToolRetriever.open(folder, Catalog.from_tools(tools[::-1]))


async def test_another_catalogue_is_refused_by_what_differs(
    folder: Path, tools: list[Tool]
) -> None:
    changed = tools[0].model_copy(update={"description": "Tells how the sea is."})
    for other, said in (
        (
            [*tools, tool("Ferry.search", "Ferries.")],
            r"1 new \(as Ferry.search\).*gretel add-tools",
        ),
        (tools[1:], r"1 missing \(as Sky.get_forecast\).*train it again"),
        ([changed, *tools[1:]], r"1 changed \(as Sky.get_forecast\).*train it again"),
    ):
        with pytest.raises(ConfigurationError, match=said):
            await MassToolRetriever.open(folder, Catalog.from_tools(other))


@pytest.mark.slow
async def test_an_artefact_grows_by_tools_on_disk(folder: Path, tools: list[Tool]) -> None:
    before = read_artifact(folder)
    ferry = tool("Ferry.search", "Search ferries between two ports.")
    changed = tools[1].model_copy(update={"description": "Flights, and what they cost."})
    grow(folder, [ferry, changed])
    after = read_artifact(folder)

    assert list(after.manifest.tools) == [*before.manifest.tools, "Ferry.search"]
    assert after.pool.gold == before.pool.gold
    assert torch.equal(after.pool.vectors, before.pool.vectors)
    assert torch.equal(after.texts[2:6], before.texts[2:])
    assert not torch.equal(after.texts[1], before.texts[1])
    catalog = Catalog.from_tools([tools[0], changed, *tools[2:], ferry])
    await MassToolRetriever.open(folder, catalog)


def test_an_artefact_may_know_no_request(tmp_path: Path, tools: list[Tool]) -> None:
    write_artifact(untrained(tools, []), tmp_path / "art")

    assert read_artifact(tmp_path / "art").pool.gold == ()


def test_growing_by_nothing_changes_nothing(folder: Path) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    grow(folder, [])

    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_growing_that_fails_leaves_the_artefact_whole(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = read_artifact(folder)

    def full(*args: object, **named: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(np, "savez", full)
    with pytest.raises(OSError, match="no space"):
        grow(folder, [tool("Radio.play_station")])

    assert read_artifact(folder).manifest == before.manifest
    assert {path.name for path in folder.iterdir()} == {*PARTS, "manifest.json"}
