"""Artefacts, bases and runs of strangers that say they are larger than what lies there."""

import json
import resource
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from zipfile import ZipFile, ZipInfo

import numpy as np
import pytest
import torch
from safetensors import SafetensorError

from gretel.contracts.errors import InputError
from gretel.evaluation.runs.folder import read_shard
from gretel.evaluation.runs.journal import Journal
from gretel.evaluation.runs.rows import read_rows
from gretel.nodes.retrieve.artifact.arrays import (
    checked_digest,
    digest_of,
    read_weights,
    write_part,
)
from gretel.nodes.retrieve.encoding.claims import check_claims
from gretel.nodes.retrieve.language.adapters import DOWN, UP, whole
from gretel.nodes.retrieve.language.template import Template
from gretel.nodes.retrieve.toolgen.artifact import Manifest, Shape, _rows
from gretel.nodes.retrieve.toolgen.codes import Words
from gretel.nodes.retrieve.toolgen.documents import Middle
from gretel.nodes.retrieve.toolgen.rows import Rows
from gretel.nodes.retrieve.toolgen.slots import Slots
from gretel.training.resume import read_state
from growth import LINEAR, growth

LLAMA: dict[str, Any] = {
    "model_type": "llama",
    "hidden_size": 64,
    "intermediate_size": 64,
    "num_hidden_layers": 1,
    "num_attention_heads": 4,
    "num_key_value_heads": 4,
    "vocab_size": 64,
}
BART: dict[str, Any] = {"model_type": "bart", "d_model": 64, "vocab_size": 64}
CLAIMS: dict[str, dict[str, Any]] = {
    "wide heads": LLAMA | {"head_dim": 100_000_000},
    "wide heads, and many": LLAMA | {"head_dim": 250_000, "num_attention_heads": 64},
    "layers that are one by one small": LLAMA
    | {"intermediate_size": 200_000, "num_hidden_layers": 100},
    "a decoder's own width": BART | {"decoder_ffn_dim": 1 << 30},
    "a projection": {"model_type": "opt", "hidden_size": 64, "word_embed_proj_dim": 1 << 30},
    "a state": {"model_type": "mamba", "hidden_size": 64, "state_size": 1 << 28},
    "experts without end": LLAMA | {"num_local_experts": 1 << 20},
    "experts in each layer": LLAMA | {"num_local_experts": 1_000, "num_hidden_layers": 1_000},
}


@pytest.mark.parametrize("name", CLAIMS)
def test_a_configuration_that_claims_more_than_its_files_hold(name: str, tmp_path: Path) -> None:
    """Whatever its numbers are called: what it builds is counted, and nothing of it made."""
    (tmp_path / "config.json").write_text(json.dumps(CLAIMS[name]))
    with pytest.raises(ValueError, match="more than its files hold"):
        check_claims(tmp_path)


def test_a_hole_is_no_weights(tmp_path: Path) -> None:
    """A file of a terabyte that takes no room on the disk would allow a model of a terabyte."""
    (tmp_path / "config.json").write_text(json.dumps(LLAMA | {"vocab_size": 1 << 26}))
    with (tmp_path / "model.bin").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(ValueError, match="more than its files hold"):
        check_claims(tmp_path)


PARTS: dict[str, tuple[str, Any]] = {
    "sizes beside the configuration": (
        "sentence_bert_config.json",
        {"config_args": {"intermediate_size": 1 << 30}},
    ),
    "a dense layer": ("2_Dense/config.json", {"in_features": 1 << 20, "out_features": 1 << 20}),
    "a part of another kind": ("modules.json", [{"type": "sentence_transformers.models.CNN"}]),
    "code of its own": ("modules.json", [{"type": "evil.Dense.Evil"}]),
}


@pytest.mark.parametrize("name", PARTS)
def test_a_part_of_an_encoder_is_held_to_the_same(name: str, tmp_path: Path) -> None:
    place, content = PARTS[name]
    (tmp_path / "config.json").write_text(json.dumps(LLAMA))
    check_claims(tmp_path)
    (tmp_path / place).parent.mkdir(exist_ok=True)
    (tmp_path / place).write_text(json.dumps(content))
    with pytest.raises(ValueError, match="it says|its configuration|it has parts"):
        check_claims(tmp_path)


def test_a_configuration_that_claims_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(LLAMA | {"rope_theta": 100_000_000}))
    check_claims(tmp_path)


def test_factors_whose_product_fills_the_memory_are_not_multiplied() -> None:
    rows = 10_000
    known = {"w": torch.zeros(4, 4), "v": torch.ones(2, 2)}
    factors = {
        f"{UP}w": torch.ones(rows, 1),
        f"{DOWN}w": torch.ones(1, rows),
        f"{UP}v": torch.ones(2, 1),
        f"{DOWN}v": torch.ones(1, 2),
    }
    made = whole(factors, known)
    assert made["w"].numel() == 0
    assert made["v"].tolist() == [[2.0, 2.0], [2.0, 2.0]]


READERS: dict[str, Callable[[Path], Any]] = {
    "rankings": read_shard,
    "rows": read_rows,
    "a journal": Journal,
}


@pytest.mark.parametrize("name", READERS)
def test_a_file_that_is_a_hole_is_none(name: str, tmp_path: Path) -> None:
    path = tmp_path / "x"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(InputError):
        READERS[name](path)


@pytest.mark.parametrize("large", [False, True])
def test_an_archive_of_very_many_names_is_not_opened(large: bool, tmp_path: Path) -> None:
    path = tmp_path / "tools.npz"
    np.savez(path, vectors=np.ones((2, 8), np.float16))
    assert checked_digest(path)
    with ZipFile(path, "a") as packed:
        for number in range(70_000 if large else 2_000):
            packed.writestr(ZipInfo(str(number)), b"")
    if large:  # its last bytes name no length that is true
        content = bytearray(path.read_bytes())
        content[-10:-6] = bytes(4)
        path.write_bytes(content)

    with pytest.raises(ValueError, match="too many names"):
        checked_digest(path)


def test_rows_that_a_manifest_speaks_of_are_not_made() -> None:
    shape = Shape(
        base=None,
        base_digest="",
        vocabulary=9,
        d_in=1 << 14,
        d_out=1 << 14,
        template=Template(after=(1,)),
        slots=Slots(),
        codes=Words(scheme="numeric", words=tuple(map(str, range(5_000)))),
    )
    own = Rows.empty(4, 2, 2).tensors | {
        f"middle/{name}": value for name, value in Middle.of(2).tensors.items()
    }
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(ValueError, match="not those of the manifest"):
        _rows(own, Manifest.model_construct(shape=shape, tools={}), 2)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000


def test_weights_that_are_a_hole_are_not_read(tmp_path: Path) -> None:
    """A file of gigabytes that takes a block of the disk: its zeros, summed up, fill the memory."""
    size = 1 << 34
    place = {"w": {"dtype": "F32", "shape": [size // 4], "data_offsets": [0, size]}}
    head = json.dumps(place).encode()
    path = tmp_path / "base.safetensors"
    with path.open("wb") as file:
        file.write(len(head).to_bytes(8, "little") + head)
        file.truncate(8 + len(head) + size)
    with pytest.raises(ValueError, match="most of it is a hole"):
        checked_digest(path)
    write_part(path, {"w": torch.zeros(1 << 10, 1 << 10)})
    assert checked_digest(path) == digest_of(path)


@pytest.mark.parametrize(
    "reader", [checked_digest, read_weights, lambda path: read_state(path, "k")]
)
def test_a_tensor_of_very_many_dimensions_holds_nobody_up(
    reader: Callable[[Path], Any], tmp_path: Path
) -> None:
    """What its library takes to refuse one grows with their square: 100 KB took minutes."""
    path = tmp_path / "base.safetensors"

    def read(dimensions: int) -> None:
        place = {"w": {"dtype": "F32", "shape": [1] * dimensions, "data_offsets": [0, 4]}}
        head = json.dumps(place | {"__metadata__": {"key": "k"}}).encode()
        path.write_bytes(len(head).to_bytes(8, "little") + head + bytes(4))
        with suppress(ValueError, RuntimeError):
            assert reader(path) is None

    assert growth(read, 20_000) < LINEAR


@pytest.mark.parametrize("head", [b"[]", b"[" * 99_999, b'{"w": 5}', b'{"w": {"shape": 5}}', b"{"])
def test_a_header_of_tensors_that_is_none(head: bytes, tmp_path: Path) -> None:
    path = tmp_path / "base.safetensors"
    path.write_bytes(len(head).to_bytes(8, "little") + head)
    for reader in (checked_digest, read_weights):
        with pytest.raises((ValueError, SafetensorError)):
            reader(path)
    assert read_state(path, "k") is None
