"""The fine-tuned layers of the bundled encoder, beside the general ones."""

import numpy as np
import pytest
import torch

from gretel.nodes.retrieve.encoding.bundled import BundledModel, changed
from gretel.nodes.retrieve.encoding.encoder import (
    MAX_TOKENS,
    Encoder,
    default_model_path,
    halves,
)
from gretel.training.data.token_states import read_layer
from gretel.training.encoder import compressed

TEXTS = ["Who may open the vault?", "list vault members", "delete a forecast"]


@pytest.fixture(scope="module")
def model() -> BundledModel:
    return BundledModel(default_model_path(), max_tokens=MAX_TOKENS)


def test_the_general_half_is_what_the_encoder_gives_without(encoder: Encoder) -> None:
    both = Encoder(tuned=True).queries(TEXTS)
    general, tuned = halves(both)

    assert np.allclose(general, encoder.queries(TEXTS), atol=1e-5)
    assert np.linalg.norm(both, axis=1) == pytest.approx([1] * 3)
    assert np.linalg.norm(tuned, axis=1) == pytest.approx([1] * 3)
    assert not np.allclose(general, tuned, atol=0.01)


def test_other_models_have_no_fine_tuned_half() -> None:
    assert not Encoder(str(default_model_path()), tuned=True).tuned


@pytest.mark.slow
def test_a_change_of_low_rank_is_kept_whole_and_one_of_a_vector_too(model: BundledModel) -> None:
    before, after = model.plain(), model.plain()
    with torch.no_grad():
        weight = after[1].linear1.weight
        weight += torch.outer(torch.linspace(0, 1, len(weight)), torch.linspace(1, 2, 384)) / 10
        after[0].norm1.bias += 0.25

    made = changed(before, compressed(before, after))

    for layer, wanted in zip(made, after, strict=True):
        for name, value in wanted.state_dict().items():
            assert torch.allclose(layer.state_dict()[name], value, atol=2e-3), name


def test_a_layer_that_learns_gives_what_torchs_own_gives(model: BundledModel) -> None:
    states, mask = model.embedded(TEXTS)
    unread = torch.zeros(mask.shape).masked_fill(mask == 0, -1e4)
    for layer in model.plain():
        wanted = layer(states, src_key_padding_mask=mask == 0)
        given = read_layer(layer, states, unread)
        assert torch.allclose(given[mask > 0], wanted[mask > 0], atol=1e-5)
        states = wanted


def test_changes_of_other_layers_are_refused(model: BundledModel) -> None:
    with pytest.raises(RuntimeError, match="nothing_here"):
        changed(model.plain(), {"0.nothing_here": np.zeros(3, dtype=np.float16)})
