"""What an encoder's folder says is done with a text: it is read, and nothing else."""

import json
from pathlib import Path

import pytest

from gretel.nodes.retrieve.encoding.claims import check_claims

READ = {"method": "forward", "method_output_name": "last_hidden_state"}


def folder(path: Path, **said: object) -> Path:
    (path / "sentence_bert_config.json").write_text(json.dumps(said))
    return path


@pytest.mark.parametrize("method", ["generate", "save_pretrained", "forward.x", "", None])
def test_a_method_that_does_more_than_to_read_is_not_called(
    method: str | None, tmp_path: Path
) -> None:
    called = {"text": READ, "message": READ | {"method": method}}
    with pytest.raises(ValueError, match="something else is done"):
        check_claims(folder(tmp_path, modality_config=called))


@pytest.mark.parametrize("method", ["forward", "get_text_features"])
def test_a_method_that_reads_is(method: str, tmp_path: Path) -> None:
    check_claims(folder(tmp_path, modality_config={"text": READ | {"method": method}}))
    check_claims(folder(tmp_path, max_seq_length=128, modality_config=None))
