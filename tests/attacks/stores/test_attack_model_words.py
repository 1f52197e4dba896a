"""What the files of a stranger's model say gives the terminal no order when it is opened."""

import json
import os
import shutil
from pathlib import Path

import pytest

from gretel.contracts.errors import ConfigurationError
from gretel.nodes.retrieve.encoding.claims import check_claims
from gretel.nodes.retrieve.encoding.encoder import Encoder, default_model_path
from gretel.nodes.retrieve.language.base import CausalModel
from toolgen_models import tiny

ORDER = "\x1b]0;pwned\x07"
ORDERS = [
    r"\u001b[31m",
    r"\u001B[31m",
    r"\u009b31m",
    "\u009b31m",
    r"\u0008",
    r"\u007f",
    r"\\\u001b",
]
HARMLESS = [r"\n\t\r", r"\\u001b is an escape", r"\u00e9 é 北京", r"\u2581the", r"\ud83d\ude00"]
FILES = ["special_tokens_map.json", "tokenizer_config.json", "generation_config.json", "a/b.json"]


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("order", ORDERS)
def test_orders_are_found_however_they_are_written(order: str, file: str, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / file).write_text(f'{{"pad_token": {{"x{order}": 1}}}}')
    with pytest.raises(ValueError, match="gives a terminal orders"):
        check_claims(tmp_path)


@pytest.mark.parametrize("said", HARMLESS)
def test_what_tokenizers_honestly_say_is_none(said: str, tmp_path: Path) -> None:
    (tmp_path / "added_tokens.json").write_text(f'{{"{said}": 1}}')
    (tmp_path / "tokenizer.json").write_text(json.dumps({"model": {"vocab": {"\x1b": 1}}}))
    check_claims(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["base", "encoder"])
def test_a_model_that_is_opened_prints_no_order(
    kind: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Its tokenizer's library prints the options of a token that it does not know."""
    folder = tmp_path / "model"
    shutil.copytree(tiny() if kind == "base" else default_model_path(), folder)
    for path in (folder, *folder.iterdir()):
        os.chmod(path, 0o755)
    token = {"__type": "AddedToken", "content": "[PAD]", ORDER: 1}
    config = json.loads((folder / "tokenizer_config.json").read_text())
    (folder / "tokenizer_config.json").write_text(json.dumps(config | {"pad_token": token}))
    (folder / "special_tokens_map.json").write_text(json.dumps({"pad_token": token}))
    with pytest.raises(ConfigurationError, match="gives a terminal orders"):
        CausalModel(str(folder)) if kind == "base" else Encoder(str(folder)).open()
    assert "\x1b" not in "".join(capfd.readouterr())
