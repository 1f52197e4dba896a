"""What lies on disk: whole, of this catalogue and base, or refused."""

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from fakes import tool
from gretel.catalog import Catalog
from gretel.contracts.errors import ConfigurationError, IndexCorrupt
from gretel.contracts.tool import Tool, ToolId
from gretel.graph.entry import add_to_artifact
from gretel.nodes.retrieve.artifact.store import read_manifest
from gretel.nodes.retrieve.toolgen.artifact import Manifest, read_artifact, write_artifact
from gretel.nodes.retrieve.toolgen.coded import opened
from gretel.nodes.retrieve.toolgen.retriever import ToolGenRetriever
from gretel.nodes.retrieve.toolgen.slots import RESERVED
from toolgen_models import tiny, untrained

TOOLS = [tool("Air.search", "Search flights."), tool("Hotels.find", "Find a hotel in a city.")]
TEXTS = ["a flight to Oslo", "where to sleep"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_artifact(untrained(TOOLS), tmp_path / "art")
    return tmp_path / "art"


def test_what_is_read_scores_as_what_was_written(folder: Path) -> None:
    before = opened(untrained(TOOLS)).texts(TEXTS).scores

    assert torch.equal(opened(read_artifact(folder)).texts(TEXTS).scores, before)


def changed(folder: Path, **update: object) -> None:
    """The manifest with another shape, and a digest that fits."""
    manifest = read_manifest(folder, Manifest)
    shape = manifest.shape.model_copy(update=update)
    manifest = manifest.model_copy(update={"shape": shape})
    manifest = manifest.model_copy(update={"digest": manifest.content_digest})
    (folder / "manifest.json").write_text(manifest.model_dump_json())


@pytest.mark.parametrize(
    "update", [{"base_digest": "0" * 64}, {"base": str(tiny("qwen"))}], ids=["weights", "model"]
)
async def test_another_base_is_one_clear_error(folder: Path, update: dict[str, str]) -> None:
    changed(folder, **update)
    with pytest.raises(ConfigurationError, match=r"base .* has other weights"):
        await ToolGenRetriever.open(folder, Catalog.from_tools(TOOLS))


async def test_a_base_that_is_gone_is_one_clear_error(folder: Path) -> None:
    changed(folder, base="/nowhere/at/all")
    with pytest.raises(ConfigurationError, match="cannot be used"):
        await ToolGenRetriever.open(folder, Catalog.from_tools(TOOLS))


async def test_another_catalogue_is_one_clear_error(folder: Path) -> None:
    other = Catalog.from_tools([*TOOLS, tool("Rail.find", "Trains.")])
    with pytest.raises(ConfigurationError, match="another catalogue"):
        await ToolGenRetriever.open(folder, other)


@pytest.mark.parametrize("name", ["rows.safetensors", "base.safetensors", "tools.npz"])
def test_a_damaged_file_is_one_clear_error(folder: Path, name: str) -> None:
    content = bytearray((folder / name).read_bytes())
    content[-1] ^= 1
    (folder / name).write_bytes(bytes(content))
    with pytest.raises(IndexCorrupt, match=name):
        read_artifact(folder)


@pytest.mark.parametrize("change", ["fewer", "nan", "missing"])
def test_rows_of_another_form_are_refused(folder: Path, change: str) -> None:
    path = folder / "rows.safetensors"
    tensors = load_file(path)
    if change == "missing":
        del tensors["bias"]
    else:
        tensors["out"] = tensors["out"][1:] if change == "fewer" else tensors["out"] * torch.nan
    save_file(tensors, path)
    manifest = json.loads((folder / "manifest.json").read_text())
    from gretel.nodes.retrieve.artifact.arrays import digest_of

    manifest["files"]["rows.safetensors"] = digest_of(path)
    found = Manifest.model_validate(manifest)
    found = found.model_copy(update={"digest": found.content_digest})
    (folder / "manifest.json").write_text(found.model_dump_json())
    with pytest.raises(IndexCorrupt):
        read_artifact(folder)


async def test_tools_are_added_on_disk_as_they_are_in_memory(folder: Path) -> None:
    more: list[Tool] = [tool("Ferry.search", "Search ferries."), tool("Hotels.find", "Rooms.")]
    whole = Catalog.from_tools([TOOLS[0], *more])
    in_memory = await ToolGenRetriever.open(folder, Catalog.from_tools(TOOLS))
    await in_memory.add(more)
    manifest = add_to_artifact(folder, more)
    on_disk = await ToolGenRetriever.open(folder, whole)

    assert manifest.catalog_digest == whole.digest
    assert on_disk._seen == in_memory._seen
    assert on_disk._seen.new == {ToolId("Ferry.search"): RESERVED + 2}
    torch.testing.assert_close(
        on_disk._model.texts(TEXTS).scores, in_memory._model.texts(TEXTS).scores
    )
