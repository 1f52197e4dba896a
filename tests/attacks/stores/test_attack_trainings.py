"""Half-finished trainings that somebody else wrote to: one clear error, and nothing without end."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from fakes import tool
from gretel.contracts.errors import ConfigurationError, IndexCorrupt
from gretel.nodes.retrieve.encoding.encoder import Encoder
from gretel.training.data.judged import VectorCache
from gretel.training.generative import train
from gretel.training.generative.settings import Source
from gretel.training.loop import Group, Loop, LoopSettings
from gretel.training.resume import read_state, write_state

Kept = tuple[dict[str, Tensor], dict[str, str]]


class Line(Loop[float]):
    """Learns one weight."""

    weight: nn.Parameter

    @classmethod
    def of(cls, folder: Path) -> "Line":
        weight = nn.Parameter(torch.zeros(3))
        made = cls([Group({"w": weight})], ["one"] * 2, LoopSettings(), lambda: 0.5, folder, "key")
        made.weight = weight
        return made

    def _loss(self, part: Any) -> Tensor:
        return (self.weight - 1).square().sum()

    def _batches(self, stage: str, epoch: int) -> Iterator[list[float]]:
        yield [0.0]


def notes(**other: str) -> Callable[[Kept], Kept]:
    return lambda kept: (kept[0], kept[1] | other)


def tensors(**other: Tensor) -> Callable[[Kept], Kept]:
    named = {name.replace("_of_", "/"): value for name, value in other.items()}
    return lambda kept: (kept[0] | named, kept[1])


TAMPERED: dict[str, Callable[[Kept], Kept]] = {
    "no epoch": lambda kept: (kept[0], {"key": kept[1]["key"]}),
    "an epoch that is none": notes(epoch='"x"'),
    "epochs without end": notes(epoch="-1"),
    "patience without end": notes(since="-1000000000"),
    "a best that is none": notes(best="[]"),
    "notes that are no JSON": notes(step="{"),
    "notes that are too deep": notes(curve="[" * 100_000),
    "no weight": lambda kept: ({"w/step": kept[0]["w/step"]}, kept[1]),
    "a weight that spreads": tensors(w=torch.ones(1)),
    "a weight of another size": tensors(w=torch.ones(4)),
    "half of what the optimizer knows": lambda kept: (
        {name: value for name, value in kept[0].items() if name != "w/exp_avg"},
        kept[1],
    ),
    "an optimizer of another size": tensors(w_of_exp_avg=torch.ones(9)),
    "moments that are whole": tensors(w_of_exp_avg=torch.ones(3, dtype=torch.int64)),
    "moments that are true": tensors(w_of_exp_avg_sq=torch.ones(3, dtype=torch.bool)),
    "moments that are no numbers": tensors(w_of_exp_avg=torch.full((3,), torch.nan)),
    "weights without end": tensors(w=torch.full((3,), torch.inf)),
    "many steps of an optimizer": tensors(w_of_step=torch.ones(9)),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_a_state_that_was_changed_is_one_clear_error(name: str, tmp_path: Path) -> None:
    state = run_to_its_end(tmp_path)
    content, said = TAMPERED[name](state)
    write_state(tmp_path / "state.safetensors", content, said.pop("key"), **said)

    with pytest.raises(IndexCorrupt, match="state.safetensors was changed. Delete it"):
        Line.of(tmp_path).run(lambda *_: None)


def test_best_weights_that_were_changed_are_one_clear_error(tmp_path: Path) -> None:
    _, said = run_to_its_end(tmp_path)
    write_state(tmp_path / "best.safetensors", {"w": torch.ones(1)}, said["key"])

    with pytest.raises(IndexCorrupt, match="best.safetensors was changed. Delete it"):
        Line.of(tmp_path).run(lambda *_: None)


def run_to_its_end(folder: Path) -> Kept:
    """Train, and see that what was kept is taken up as it is."""
    first, again = Line.of(folder), Line.of(folder)
    reached = first.run(lambda *_: None)
    assert again.run(lambda *_: None) == reached
    assert torch.equal(first.weight, again.weight)
    kept = read_state(folder / "state.safetensors", first._key)
    assert kept is not None
    return kept


@pytest.mark.parametrize("kept", ["junk", "pipe", "hole", "other"])
def test_kept_vectors_that_somebody_else_wrote_are_one_clear_error(
    kept: str, tmp_path: Path
) -> None:
    path = tmp_path / "tools-documents.npz"
    if kept == "pipe":
        os.mkfifo(path)
    elif kept == "other":
        np.savez(path, keys=np.array(["a"]), vectors=np.array([1, 2]))
    else:
        path.write_bytes(b"PK junk")
        os.truncate(path, 7 if kept == "junk" else 1 << 38)

    with pytest.raises(IndexCorrupt, match="tools-documents"):
        VectorCache(tmp_path, Encoder()).documents("tools", ["one"])


@pytest.mark.parametrize("name", ["training", "training/index", "training/vectors"])
def test_what_a_training_keeps_is_kept_in_its_folder(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere, out = tmp_path / "elsewhere", tmp_path / "out"
    elsewhere.mkdir()
    (out / name).parent.mkdir(parents=True)
    (out / name).symlink_to(elsewhere)
    for each in ("split_of", "Writer", "open_base", "_taught", "take_threads"):
        monkeypatch.setattr(train, each, Mock())
    monkeypatch.setattr(train, "lasting", Mock(return_value=None))
    monkeypatch.setattr(train, "_made", Mock(return_value={"key": "k"}))
    examples = Mock(tools=[tool("A.b", "Find things.")], catalog=Mock(digest="d"))

    with pytest.raises(ConfigurationError, match="is a link"):
        train.train(examples, Mock(), Source("base"), out, Mock())
    assert list(elsewhere.iterdir()) == []
