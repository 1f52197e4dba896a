"""Encoders that a stranger names: what is not on the machine is asked of nobody."""

import json
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gretel.contracts.errors import ConfigurationError
from gretel.nodes.retrieve.encoding.encoder import Encoder, default_model_path
from gretel.nodes.retrieve.masstool.backbone import Backbone

pytestmark = pytest.mark.slow


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Every name that somebody wants to resolve, and every address to reach, is written down."""
    found: list[str] = []

    def refuse(host: Any, *rest: Any, **more: Any) -> Any:
        found.append(str(host))
        raise socket.gaierror(socket.EAI_NONAME, "nothing is asked in tests")

    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.delenv("TRANSFORMERS_OFFLINE", raising=False)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    yield found


NAMES = [
    "evil/model",
    "evil",
    "../evil",
    "https://evil.example/model",
    "evil/model/deeper",
    "",
    " ",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_model_that_is_not_here_is_asked_of_nobody(asked: list[str], name: str) -> None:
    with pytest.raises(ConfigurationError, match="hf download"):
        Encoder(name).queries(["weather"])

    assert asked == []


def test_the_encoder_of_an_artefact_is_asked_of_nobody(asked: list[str]) -> None:
    with pytest.raises(ConfigurationError, match="not on this machine"):
        Backbone("evil/model")

    assert asked == []


@pytest.mark.parametrize("broken", ["weights", "adapter", "modules"])
def test_a_folder_that_names_others_asks_nobody(
    asked: list[str], tmp_path: Path, broken: str
) -> None:
    """Weights that are not there, and parts that are said to lie elsewhere."""
    folder = Path(shutil.copytree(default_model_path(), tmp_path / "model"))
    if broken == "weights":
        (folder / "model.safetensors").unlink()
    elif broken == "adapter":
        (folder / "adapter_config.json").write_text('{"base_model_name_or_path": "evil/base"}')
    else:
        part = {"idx": 0, "name": "0", "path": "evil/part", "type": "evil.module.Class"}
        (folder / "modules.json").write_text(json.dumps([part]))

    with pytest.raises(ConfigurationError):
        Encoder(str(folder)).queries(["weather"])

    assert asked == []


def test_a_model_in_the_cache_is_found_by_its_name(
    asked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cached, commit = tmp_path / "models--some--model", "a" * 40
    shutil.copytree(default_model_path(), cached / "snapshots" / commit)
    (cached / "refs").mkdir()
    (cached / "refs" / "main").write_text(commit)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))

    found = Encoder("some/model").queries(["weather"])

    assert found.shape == (1, 384)
    assert asked == []
