"""A base's `generation_config.json`, which no digest holds, changes nothing of what is written."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from gretel.nodes.retrieve.language.base import CausalModel
from gretel.nodes.rewrite.generative.writer import Writer, Written
from lanes import every
from toolgen_models import tiny

SAYS: dict[str, Any] = {
    "another form of result": {"return_dict_in_generate": True},
    "where to stop": {"stop_strings": ["a"]},
    "no time": {"max_time": 1e-9},
    "a bias": {"sequence_bias": [[[5], 1e9]]},
    "another end": {"forced_eos_token_id": 7},
    "twice the work": {"guidance_scale": 1e9},
    "words that are not written": {"suppress_tokens": list(range(0, 40))},
}


@pytest.fixture(scope="module")
def plain() -> list[Written]:
    return Writer(CausalModel(str(tiny()))).write(["Book a bike", "Find the way"])


@pytest.mark.parametrize("name", every(6, SAYS))
def test_how_a_base_says_that_it_writes_is_not_taken(
    name: str, plain: list[Written], tmp_path: Path
) -> None:
    folder = tmp_path / "base"
    shutil.copytree(tiny(), folder)
    (folder / "generation_config.json").write_text(json.dumps(SAYS[name]))
    assert Writer(CausalModel(str(folder))).write(["Book a bike", "Find the way"]) == plain
