"""An artefact whose digests are right and whose files are none of ours: refused, and not run."""

import hashlib
import io
import os
import pickle
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from gretel.contracts.errors import ConfigurationError, IndexCorrupt
from gretel.nodes.retrieve.artifact.manifest import Calibration
from gretel.nodes.retrieve.masstool.artifact import (
    Artifact,
    Manifest,
    read_artifact,
    write_artifact,
)
from gretel.nodes.retrieve.masstool.backbone import Vectors
from gretel.nodes.retrieve.masstool.config import Shape
from gretel.nodes.retrieve.masstool.model import MassTool
from gretel.nodes.retrieve.masstool.pool import Pool
from gretel.nodes.retrieve.masstool.reader import Reader, opened_model
from masstool_data import forge

MARK = "gretel-was-here"
WEIGHTS = ("model.safetensors", "encoder.safetensors")
ARRAYS = ("pool.npz", "tools.npz")


class Runs:
    """Unpickled, it leaves a mark."""

    def __reduce__(self) -> Any:
        return os.system, (f"touch {MARK}",)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A small artefact: two tools, three requests, vectors of length 4."""
    monkeypatch.chdir(tmp_path)
    manifest = Manifest(
        encoder=None,
        encoder_digest="0",
        shape=Shape(width=4),
        calibration=Calibration(),
        catalog_digest="0",
        tools={"Sky.now": "a", "Sky.then": "b"},
        files={},
        made={},
    )
    weights = {"layer": torch.ones(2)}
    pool = Pool(torch.eye(4)[:3], ((0,), (), (0, 1)))
    write_artifact(Artifact(manifest, weights, weights, pool, torch.eye(4)[:2]), tmp_path / "art")
    yield tmp_path / "art"
    assert not (tmp_path / MARK).exists()


def put(path: Path, content: bytes | dict[str, Any]) -> None:
    """Put something else in a file's place, and its digest into the manifest."""
    if isinstance(content, dict):
        np.savez(path, **content)
    else:
        path.write_bytes(content)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    forge(path.parent, lambda manifest: manifest["files"].update({path.name: digest}))


def arrays(path: Path, **other: Any) -> dict[str, Any]:
    """What a file holds, with `other` in its place; without what is None."""
    with np.load(path, allow_pickle=False) as stored:
        kept = {**stored, **other}
    return {name: value for name, value in kept.items() if value is not None}


def refused(folder: Path, name: str) -> None:
    with pytest.raises(IndexCorrupt, match=f"{name} cannot be read. Train the artefact again"):
        read_artifact(folder)


def test_a_file_written_again_is_read(folder: Path) -> None:
    """What the other tests do to a file is no reason to refuse it."""
    for name in ARRAYS:
        put(folder / name, arrays(folder / name))
    for name in WEIGHTS:
        put(folder / name, (folder / name).read_bytes())

    assert read_artifact(folder).pool.gold == ((0,), (), (0, 1))


def saved(save: Callable[..., object], *given: Any, **named: Any) -> Callable[[bytes], bytes]:
    """What a library writes instead."""

    def bytes_of(_: bytes) -> bytes:
        memory = io.BytesIO()
        save(memory, *given, **named)
        return memory.getvalue()

    return bytes_of


FOREIGN: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda ours: b"",
    "text": lambda ours: b"{}",
    "junk": lambda ours: b"\xff" * 100,
    "pickle": lambda ours: pickle.dumps(Runs()),
    "torch": saved(lambda memory: torch.save({"layer": Runs()}, memory)),
    "cut": lambda ours: ours[:-30],
    "cut-early": lambda ours: ours[:12],
    "deep-header": lambda ours: (90_000).to_bytes(8, "little") + b'{"a":' + b"[" * 89_995,
    "npy": saved(np.save, np.ones(3)),
    "npy-of-objects": saved(np.save, np.array([Runs()])),
    "archive-of-text": saved(np.savez, vectors=np.array(["a", "b"])),
    "archive-of-objects": saved(np.savez, vectors=np.array([Runs()])),
}


@pytest.mark.parametrize("name", [*WEIGHTS, *ARRAYS])
@pytest.mark.parametrize("way", FOREIGN)
def test_a_foreign_file_is_corrupt(folder: Path, name: str, way: str) -> None:
    put(folder / name, FOREIGN[way]((folder / name).read_bytes()))

    refused(folder, name)


@pytest.mark.parametrize("name", ARRAYS)
def test_weights_in_the_place_of_arrays_are_corrupt(folder: Path, name: str) -> None:
    save_file({"vectors": torch.ones(2, 4)}, folder / name)
    put(folder / name, (folder / name).read_bytes())

    refused(folder, name)


HALF, INT = np.float16, np.int64
ODD: dict[str, dict[str, Any]] = {
    "no-vectors": {"vectors": None},
    "no-ends": {"ends": None},
    "no-tools": {"tools": None},
    "objects": {"tools": np.array([0, Runs(), 1], dtype=object)},
    "object-vectors": {"vectors": np.array([[Runs()] * 4] * 3, dtype=object)},
    "text-ends": {"ends": np.array(["1", "1", "3"])},
    "float-ends": {"ends": np.array([1.0, 1.0, 3.0])},
    "float-tools": {"tools": np.array([0.0, 0.5, 1.0])},
    "nested-tools": {"tools": np.zeros((3, 1), INT)},
    "nested-ends": {"ends": np.array([[1], [1], [3]], INT)},
    "scalar-ends": {"ends": np.array(3, INT)},
    "ends-fall": {"ends": np.array([1, 0, 3], INT)},
    "ends-below-none": {"ends": np.array([-1, 1, 3], INT)},
    "ends-wrap": {"ends": np.array([3, 3, -(2**63)], INT)},
    "ends-too-early": {"ends": np.array([1, 1, 2], INT)},
    "ends-too-late": {"ends": np.array([1, 1, 4], INT)},
    "too-few-ends": {"ends": np.array([1, 3], INT)},
    "tools-too-high": {"tools": np.array([0, 2, 1], INT)},
    "tools-below-none": {"tools": np.array([0, -1, 1], INT)},
    "narrow-vectors": {"vectors": np.ones((3, 3), HALF)},
    "flat-vectors": {"vectors": np.ones(12, HALF)},
    "too-few-vectors": {"vectors": np.ones((2, 4), HALF)},
    "text-vectors": {"vectors": np.full((3, 4), "a")},
    "complex-vectors": {"vectors": np.ones((3, 4), np.complex64)},
    "foreign-vectors": {"vectors": np.ones((3, 4), ">f4")},
}


@pytest.mark.parametrize("way", ODD)
def test_a_pool_of_odd_arrays_is_corrupt(folder: Path, way: str) -> None:
    put(folder / "pool.npz", arrays(folder / "pool.npz", **ODD[way]))

    refused(folder, "pool.npz")


@pytest.mark.parametrize("shape", [(1, 4), (3, 4), (2, 5), (2, 4, 1), (8,), (2, 0), ()])
def test_vectors_of_other_tools_are_corrupt(folder: Path, shape: tuple[int, ...]) -> None:
    put(folder / "tools.npz", {"vectors": np.ones(shape, HALF)})

    refused(folder, "tools.npz")


@pytest.mark.parametrize("name", ARRAYS)
def test_what_unpacks_to_more_than_lies_there_is_corrupt(folder: Path, name: str) -> None:
    """Nothing of it is unpacked: all of it but the packing is as it has to be."""
    kept = arrays(folder / name)
    np.savez_compressed(folder / name, **kept)
    put(folder / name, (folder / name).read_bytes())

    refused(folder, name)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"format": 1, "made": ' + '{"a":' * 5_000 + "1" + "}" * 5_000 + "}",
        '{"format": ' + "[" * 100_000,
        "\x00",
        '{"format": 1, "made": ' + "9" * 5_000 + "}",
    ],
    ids=["list", "made", "format", "nul", "digits"],
)
def test_a_manifest_that_is_too_deep_is_corrupt(folder: Path, text: str) -> None:
    (folder / "manifest.json").write_text(text)

    refused(folder, "manifest.json")


CLAIMED = {
    "flat": "(1000000000000,)",
    "wide": "(2, 99999999999)",
    "wraps": "(9999999999, 9999999999)",
}


@pytest.mark.parametrize("name", ARRAYS)
@pytest.mark.parametrize("way", CLAIMED)
def test_an_array_that_says_it_is_large_takes_no_memory(
    way: str, name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = arrays(folder / name)
    read, real = [], np.lib.format.read_array
    monkeypatch.setattr(
        np.lib.format, "read_array", lambda *a, **k: read.append(1) or real(*a, **k)
    )
    np.savez(folder / name, **kept)
    shape = str(kept["vectors"].shape).encode()
    claimed = CLAIMED[way].encode()
    content = (folder / name).read_bytes()
    padded = shape + b", }" + b" " * (len(claimed) - len(shape))
    assert padded in content
    put(folder / name, content.replace(padded, claimed + b", }"))

    refused(folder, name)
    assert len(read) == (0 if name == "pool.npz" else 3)  # those of the pool, which is whole


@pytest.mark.parametrize("name", [*WEIGHTS, *ARRAYS])
def test_a_file_of_a_terabyte_is_not_read_through(name: str, folder: Path) -> None:
    with (folder / name).open("r+b") as file:
        file.truncate(1 << 40)

    refused(folder, name)


@pytest.mark.parametrize("name", WEIGHTS)
def test_a_header_that_is_too_long_is_corrupt(name: str, folder: Path) -> None:
    entry = '"%d":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}'
    header = ("{" + ",".join(entry % number for number in range(40_000)) + "}").encode()
    put(folder / name, len(header).to_bytes(8, "little") + header)

    refused(folder, name)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
@pytest.mark.parametrize("name", [*WEIGHTS, *ARRAYS])
def test_what_is_no_number_is_corrupt(name: str, value: float, folder: Path) -> None:
    if name in WEIGHTS:
        save_file({"layer": torch.tensor([1.0, value])}, folder / name)
        put(folder / name, (folder / name).read_bytes())
    else:
        vectors = arrays(folder / name)["vectors"]
        vectors[0, 0] = value
        put(folder / name, arrays(folder / name, vectors=vectors))

    refused(folder, name)


def test_requests_with_many_tools_in_one_place_are_corrupt(folder: Path) -> None:
    """A model fills a table as wide as the request that has most."""
    ends = np.full(60_000, 60_000, INT)
    tools, vectors = np.zeros(60_000, INT), np.ones((60_000, 4), HALF)
    put(folder / "pool.npz", {"ends": ends, "tools": tools, "vectors": vectors})

    refused(folder, "pool.npz")


@pytest.mark.parametrize("width", [10**6, 10**12, 2**62])
def test_a_model_that_says_it_is_large_takes_no_memory(width: int, folder: Path) -> None:
    artifact = read_artifact(folder)
    shape = artifact.manifest.shape.model_copy(update={"width": width})
    large = replace(artifact, manifest=artifact.manifest.model_copy(update={"shape": shape}))

    with pytest.raises(IndexCorrupt, match="do not fit"):
        opened_model(large)


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")])
def test_a_manifest_that_is_no_file_is_no_artefact(
    make: Callable[[Path], None], folder: Path
) -> None:
    (folder / "manifest.json").unlink()
    make(folder / "manifest.json")

    with pytest.raises(ConfigurationError, match="is not an artefact"):
        read_artifact(folder)


def test_a_manifest_that_fills_the_memory_is_corrupt(folder: Path) -> None:
    (folder / "manifest.json").write_text('{"format": 2, "made": [' + "[]," * 2_000_000 + "0]}")

    refused(folder, "manifest.json")


def test_weights_that_are_numbers_and_give_none() -> None:
    model = MassTool(Shape(width=4))
    with torch.no_grad():
        for weight in model.parameters():
            weight.fill_(3e38)
    reader = Reader(model, Pool(torch.eye(4)[:3], ((0,), (), (0, 1))), torch.eye(4)[:2])
    with pytest.raises(IndexCorrupt, match="give no numbers"):
        reader.read(Vectors(torch.eye(4)[:1], torch.eye(4)[:1]))
