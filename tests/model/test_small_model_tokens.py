"""SmolLM2 as the base of ToolGen: `make model` runs this; nothing else does."""

import os
from pathlib import Path

import pytest
import torch
from small_model import convert

from gretel.nodes.retrieve.language.base import CausalModel
from gretel.nodes.retrieve.toolgen.decoding import Decoding
from gretel.nodes.retrieve.toolgen.model import ToolModel
from gretel.nodes.retrieve.toolgen.slots import RESERVED
from toolgen_models import random_rows

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not os.environ.get("GRETEL_SMALL_MODEL"), reason="make model"),
]
TOOLS = 199


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> CausalModel:
    folder = Path(tmp_path_factory.mktemp("smollm2"))
    convert(folder)
    return CausalModel(str(folder))


def test_one_pass_says_what_all_of_its_vocabulary_says(base: CausalModel) -> None:
    model = ToolModel(base, random_rows(base, RESERVED + TOOLS))
    model.rows.bias.zero_()
    permitted = list(range(RESERVED, RESERVED + TOOLS))
    (found,) = model.decode(["a table for four in Oslo"], permitted, 5, Decoding())
    batch = base.batch(base.prompts(["a table for four in Oslo"]))
    with model.extension.scoring("all"), torch.inference_mode():
        every = base.forward(batch)[0, -1, base.vocabulary + RESERVED :]

    best = every.double().softmax(0).topk(5)
    assert [each.slot - RESERVED for each in found] == best.indices.tolist()
    assert [each.share for each in found] == pytest.approx(best.values.tolist(), abs=1e-5)


def test_a_request_is_read_without_the_preamble_of_a_chat(base: CausalModel) -> None:
    (prompt,) = base.prompts(["a table for four"])
    said = base.tokenizer.decode(prompt)

    assert "helpful" not in said
    assert said.startswith("<|im_start|>user")
    assert said.endswith("<|im_start|>assistant\n")
