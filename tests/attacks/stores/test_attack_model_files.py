"""Files of a model's folder that are none, or lie elsewhere: reading one may wait for ever."""

import json
import os
from pathlib import Path

import pytest

from gretel.nodes.retrieve.encoding.claims import check_claims


@pytest.mark.parametrize("name", ["model-00001-of-00001.safetensors", "vocab.txt", "a/b.jinja"])
def test_a_pipe_in_a_models_folder_is_not_waited_for(name: str, tmp_path: Path) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    os.mkfifo(tmp_path / name)
    with pytest.raises(ValueError, match="no plain file"):
        check_claims(tmp_path)


def test_a_device_behind_a_link_is_none_either(tmp_path: Path) -> None:
    (tmp_path / "chat_template.jinja").symlink_to("/dev/zero")
    with pytest.raises(ValueError, match="no plain file"):
        check_claims(tmp_path)


@pytest.mark.parametrize("name", ["../other.safetensors", "/tmp/other.safetensors", "a/b.bin", 5])
def test_weights_that_lie_elsewhere_are_not_read(name: object, tmp_path: Path) -> None:
    index = {"metadata": {}, "weight_map": {"a": "model.safetensors", "b": name}}
    (tmp_path / "model.safetensors.index.json").write_text(json.dumps(index))
    with pytest.raises(ValueError, match="lie elsewhere"):
        check_claims(tmp_path)


def test_parts_that_lie_there_pass(tmp_path: Path) -> None:
    for at, content in enumerate(({"weight_map": {"a": "model-1.safetensors"}}, {}, [])):
        (tmp_path / f"{at}.index.json").write_text(json.dumps(content))
    check_claims(tmp_path)
