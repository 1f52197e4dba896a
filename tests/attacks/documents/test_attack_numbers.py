"""Manifests that no text can say again, and weights that are numbers and give none."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from fakes import tool
from gretel.contracts.errors import ConfigurationError, IndexCorrupt
from gretel.nodes.retrieve.artifact.manifest import Manifest
from gretel.nodes.retrieve.artifact.store import read_manifest
from gretel.nodes.retrieve.encoding import encoder as encoders
from gretel.nodes.retrieve.encoding.encoder import Encoder
from gretel.nodes.retrieve.rewriting.artifact import Manifest as Rewriter
from gretel.nodes.retrieve.rewriting.vector import TrainedVector
from gretel.nodes.retrieve.semantic.signals import dense_text
from rewriter_models import taught

SAID: dict[str, Any] = {
    "format": "vector 1",
    "encoder": None,
    "encoder_digest": "",
    "shape": {"width": 8},
    "calibration": {},
    "catalog_digest": "",
    "tools": {},
    "files": {},
    "made": {},
    "digest": "0",
}


def nested(depth: int) -> Any:
    value: Any = {}
    for _ in range(depth):
        value = {"a": value}
    return value


UNSAYABLE = {
    "half a character": {"made": {"a": "\ud800"}},
    "half a name": {"encoder": "\udfff"},
    "a half of a shape": {"shape": {"a": "\ud800"}},
    "a deep shape": {"shape": nested(300)},
    "a deep calibration": {"calibration": nested(900)},
}


@pytest.mark.parametrize("kind", [Manifest, Rewriter])
@pytest.mark.parametrize("name", UNSAYABLE)
def test_a_manifest_that_no_text_can_say_again(
    name: str, kind: type[Manifest], tmp_path: Path
) -> None:
    (tmp_path / "manifest.json").write_text(json.dumps(SAID | UNSAYABLE[name]))

    with pytest.raises(IndexCorrupt, match="Train the artefact again"):
        read_manifest(tmp_path, kind)


def test_weights_that_are_numbers_and_give_none() -> None:
    """Products of these are infinite, and their difference is no number."""
    tools = [tool("Bank.convert", "Convert an amount of money."), tool("Sky.find", "Find rain.")]
    trained = taught(tools, {"dollars in euros": tools[0]})
    with torch.no_grad():
        trained.head.linear.weight.fill_(3e38)
    known = TrainedVector(trained).over(tools, Encoder().documents([*map(dense_text, tools)]))

    assert known is not None
    with pytest.raises(IndexCorrupt, match="give no numbers"):
        known.change(Encoder().queries(["dollars in euros"]))


def test_an_encoder_whose_vectors_are_no_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    class Endless:
        def encode_query(self, texts: list[str], **_: Any) -> Any:
            return np.full((len(texts), 4), np.nan)

    monkeypatch.setitem(encoders._LOADED, "endless", Endless())

    with pytest.raises(ConfigurationError, match="no numbers"):
        Encoder("endless").queries(["weather"])
