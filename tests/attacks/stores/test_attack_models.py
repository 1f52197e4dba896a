"""Models of strangers, which artefacts name: they run nothing, ask nothing and take no memory."""

import builtins
import json
import pickle
import shutil
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fakes import tool
from gretel.catalog import Catalog
from gretel.contracts.errors import ConfigurationError
from gretel.graph.entry import entry_node_retriever
from gretel.graph.trained import trained_agent
from gretel.nodes.retrieve.encoding.encoder import Encoder, default_model_path
from gretel.nodes.retrieve.language.base import CausalModel
from toolgen_models import tiny

pytestmark = pytest.mark.slow

CODE = {"AutoConfig": "evil.C", "AutoModelForCausalLM": "evil.M", "AutoTokenizer": ["evil.T", None]}
ELSEWHERE = {name: f"evil/code--{at}" for name, at in CODE.items() if isinstance(at, str)}


def edited(name: str, **update: Any) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        content = json.loads((folder / name).read_text())
        (folder / name).write_text(json.dumps(content | update))

    return edit


def _shards(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    shards = {"metadata": {}, "weight_map": {"a": "../../../../etc/passwd"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(shards))


def _pickle(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    with (folder / "pytorch_model.bin").open("wb") as file:
        pickle.dump({"a": print}, file)


BASES: dict[str, Callable[[Path], Any]] = {
    "code of its own": edited("config.json", model_type="evil", auto_map=CODE),
    "code of another": edited("config.json", model_type="evil", auto_map=ELSEWHERE),
    "code of a tokenizer": edited("tokenizer_config.json", tokenizer_class="T", auto_map=CODE),
    "a vocabulary that fills the memory": edited("config.json", vocab_size=1 << 30),
    "a width that does": edited("config.json", hidden_size=1 << 22),
    "layers without end": edited("config.json", num_hidden_layers=1 << 20),
    "nothing to divide by": edited("config.json", num_attention_heads=0),
    "a template that breaks out": edited(
        "tokenizer_config.json", chat_template="{{ ''.__class__.__mro__ }}"
    ),
    "a template that raises": edited("tokenizer_config.json", chat_template="{{ 1 / 0 }}"),
    "a template that is none": edited("tokenizer_config.json", chat_template="{% for %}"),
    "shards elsewhere": _shards,
    "an adapter": lambda folder: (folder / "adapter_config.json").write_text(
        '{"base_model_name_or_path": "evil/base"}'
    ),
    "a pickle": _pickle,
}


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The questions that somebody at the terminal is asked; each is answered with a yes."""
    found: list[str] = []
    monkeypatch.setattr(builtins, "input", lambda *said: (found.append(str(said)), "y")[1])
    return found


@pytest.mark.parametrize("name", BASES)
def test_a_base_is_opened_or_one_clear_error(
    name: str, tmp_path: Path, silent: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    folder = Path(shutil.copytree(tiny(), tmp_path / "base"))
    (folder / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nC = M = T = None\n")
    BASES[name](folder)

    with pytest.raises(ConfigurationError, match="cannot be used"):
        CausalModel(str(folder))
    assert silent == [] and "y/N" not in "".join(capfd.readouterr())
    assert not (tmp_path / "ran").exists()


def _unsafe(name: str) -> Callable[[Path], None]:
    """A pickle, and that it may be read."""

    def edit(folder: Path) -> None:
        shutil.move(folder / "model.safetensors", folder / "spare.bin")
        with (folder / "pytorch_model.bin").open("wb") as file:
            pickle.dump(_Runs(folder.parent / "ran"), file)
        (folder / "sentence_bert_config.json").write_text(
            json.dumps({name: {"weights_only": False}})
        )

    return edit


class _Runs:
    """A pickle that runs code when it is read."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> Any:
        return Path.touch, (self.mark,)


def _part(folder: Path) -> None:
    listed = json.loads((folder / "modules.json").read_text())
    kind = "sentence_transformers.models.LSTM"
    (folder / "2_LSTM").mkdir()
    size = {"word_embedding_dimension": 384, "hidden_dim": 1 << 30}
    (folder / "2_LSTM" / "lstm_config.json").write_text(json.dumps(size))
    more = {"idx": 2, "name": "2", "path": "2_LSTM", "type": kind}
    (folder / "modules.json").write_text(json.dumps([*listed, more]))


def _behind_a_link(folder: Path) -> None:
    listed = json.loads((folder / "modules.json").read_text())
    elsewhere = folder.parent / "elsewhere"
    elsewhere.mkdir()
    size = {"in_features": 384, "out_features": 1 << 30, "bias": False}
    (elsewhere / "config.json").write_text(json.dumps(size))
    (folder / "3_Dense").symlink_to(elsewhere)
    kind = "sentence_transformers.models.Dense"
    more = {"idx": 3, "name": "3", "path": "3_Dense", "type": kind}
    (folder / "modules.json").write_text(json.dumps([*listed, more]))


def _many_files(folder: Path) -> None:
    for number in range(10_001):
        (folder / f"{number}.txt").touch()


ENCODERS = {
    "a part behind a link": _behind_a_link,
    "words without end before each text": edited(
        "config_sentence_transformers.json", prompts={"query": "word " * 100_000}
    ),
    "files without end": _many_files,
    "a pickle that says that it may be read": _unsafe("model_args"),
    "a pickle that says so otherwise": _unsafe("model_kwargs"),
    "a part of any size": _part,
    "another model": edited(
        "config.json", model_type="dpt", backbone="evil/x", use_pretrained_backbone=True
    ),
    "a vocabulary that fills the memory": edited("config.json", vocab_size=1 << 30),
    "layers without end": edited("config.json", num_hidden_layers=1 << 20),
    "a configuration without end": lambda folder: (folder / "config.json").write_text(
        '{"a":' * 100_000
    ),
    "a pickle": _pickle,
}


@pytest.mark.parametrize("name", ENCODERS)
def test_an_encoder_is_opened_or_one_clear_error(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It runs nothing, asks nobody, and takes no memory."""
    asked: list[Any] = []

    def no_names(*said: Any, **_: Any) -> Any:
        asked.append(said)
        raise socket.gaierror("no such name")

    monkeypatch.setattr(socket, "getaddrinfo", no_names)
    folder = Path(shutil.copytree(default_model_path(), tmp_path / "model"))
    ENCODERS[name](folder)

    with pytest.raises(ConfigurationError, match="cannot be loaded") as caught:
        Encoder(str(folder)).queries(["weather"])
    assert not (tmp_path / "ran").exists()
    assert "alloc" not in str(caught.value) and asked == []


MANIFESTS = {
    "brackets": "[" * 1_000_000,
    "deep": '{"made":' * 100_000,
    "many": f"[{'{},' * 1_000_000}{{}}]",
    "another form": '{"made": {"settings": {"stages": 5}}}',
}


@pytest.mark.parametrize("name", MANIFESTS)
def test_a_manifest_that_is_none_is_no_agents(name: str, tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(MANIFESTS[name])
    catalog = Catalog.from_tools([tool("Air.search")])
    lazy = entry_node_retriever(catalog, {"retriever": "toolgen", "artifact": tmp_path})

    assert trained_agent(lazy, tmp_path, catalog) is None


def _read_by(**update: Any) -> Callable[[Path], None]:
    """The tokenizer's own file, taken as it is."""

    def edit(folder: Path) -> None:
        edited("tokenizer.json", **update)(folder)
        edited("tokenizer_config.json", tokenizer_class="PreTrainedTokenizerFast")(folder)

    return edit


def _word_without_a_row(folder: Path) -> None:
    content = json.loads((folder / "tokenizer.json").read_text())
    content["model"]["vocab"] |= {"weather": 1 << 20, "w": 1 << 20}
    (folder / "tokenizer.json").write_text(json.dumps(content))


TOKENIZERS: dict[str, Callable[[Path], Any]] = {
    "a pattern that goes back for ever": _read_by(
        pre_tokenizer={
            "type": "Split",
            "pattern": {"Regex": r"(?:a+)+$|([a-z ]+)+\d\d\d$"},
            "behavior": "Isolated",
            "invert": False,
        }
    ),
    "a table that is none": _read_by(
        normalizer={"type": "Precompiled", "precompiled_charsmap": "CAAAAP//////////AAAA"}
    ),
    "a word without a row": _word_without_a_row,
}


@pytest.mark.parametrize("name", TOKENIZERS)
def test_a_tokenizer_that_breaks_on_a_text_is_one_clear_error(name: str, tmp_path: Path) -> None:
    """What is written in Rust panics, which is none of Python's exceptions."""
    asked = ["weather of tomorrow, aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"]
    encoder = Path(shutil.copytree(default_model_path(), tmp_path / "encoder"))
    base = Path(shutil.copytree(tiny(), tmp_path / "base"))
    for folder in (encoder, base):
        TOKENIZERS[name](folder)

    with pytest.raises(ConfigurationError, match="cannot be loaded|gives no vectors"):
        Encoder(str(encoder)).queries(asked)
    with pytest.raises(ConfigurationError, match="cannot be used"):
        CausalModel(str(base)).prompts(asked)
