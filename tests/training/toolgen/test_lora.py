"""Low-rank adapters: what they change while they learn, and what is left of them."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from gretel.contracts.errors import ConfigurationError, IndexCorrupt
from gretel.nodes.retrieve.language.adapters import DOWN, UP, changed, whole
from gretel.nodes.retrieve.language.base import CausalModel
from gretel.nodes.retrieve.toolgen.artifact import Artifact, read_artifact, write_artifact
from gretel.nodes.retrieve.toolgen.coded import opened
from gretel.nodes.retrieve.toolgen.slots import RESERVED
from gretel.training.language.lora import adapt, adapters, settle
from gretel.training.masstool.data import Examples, read_examples
from gretel.training.masstool.first import Asked
from gretel.training.toolgen.settings import Settings, Source
from gretel.training.toolgen.train import train
from masstool_data import Written
from toolgen_models import quietly, random_model, tiny

QUICK = Settings(
    memorize_epochs=1, epochs=1, batch=16, micro=8, rate=2e-3, keep=3, tuned=0.5, lora=4
)
SOURCE = Source(base=str(tiny()))


@pytest.fixture(scope="module")
def examples(written: Written) -> Examples:
    whole = read_examples(written.folder, no_tool=written.no_tool)
    few = Asked(whole.train.texts[:40], whole.train.gold[:40])
    return replace(whole, train=few, no_tool=whole.no_tool[:10])


@pytest.fixture(scope="module")
def trained(examples: Examples, tmp_path_factory: pytest.TempPathFactory) -> Artifact:
    out = tmp_path_factory.mktemp("trained") / "art"
    train(examples, QUICK, SOURCE, out, quietly)
    return read_artifact(out)


@pytest.mark.parametrize("kind", ["llama", "gpt2", "bert"])
def test_what_adapters_learnt_stands_in_the_weights_behind_them(kind: str) -> None:
    model = random_model(kind)
    texts = ["a flight to Oslo", "a hotel"]
    before = model.texts(texts).scores
    adapt(model.base, QUICK)
    torch.testing.assert_close(model.texts(texts).scores, before)
    learnt = adapters(model.base)
    for weight in learnt.values():
        weight.data += 0.1 * torch.randn(weight.shape, generator=torch.Generator().manual_seed(1))
    after = model.texts(texts).scores
    factors = settle(model.base)

    assert learnt
    assert all(".1." in name for name in learnt)  # the upper one of two layers
    assert not torch.allclose(after, before, atol=1e-2)
    assert not adapters(model.base)
    torch.testing.assert_close(model.texts(texts).scores, after, atol=1e-3, rtol=1e-3)
    assert set(model.base.weights.tuned()) == set(changed(factors))


@pytest.mark.slow
def test_an_artefact_has_the_factors_alone_and_scores_as_the_trained_model(
    examples: Examples, trained: Artifact
) -> None:
    base = CausalModel(SOURCE.base)
    made = whole(trained.weights, base.weights.known)

    assert all(key.startswith((UP, DOWN)) for key in trained.weights)
    assert len(trained.weights) == 2 * len(made) > 0
    changes = [value - base.weights.known[name] for name, value in made.items()]
    assert all(int(torch.linalg.matrix_rank(change, rtol=1e-3)) <= 4 for change in changes)
    assert len(opened(trained).texts(["a flight"]).scores[0]) == RESERVED + len(examples.tools)


@pytest.mark.slow
def test_without_peft_the_remedy_is_named(
    examples: Examples, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "peft", None)
    with pytest.raises(ConfigurationError, match=r"gretel\[lora\]"):
        train(examples, QUICK, SOURCE, tmp_path / "art", quietly)


def test_a_base_without_layers_is_an_error() -> None:
    base = CausalModel(str(tiny()))
    base.layers = []
    with pytest.raises(ConfigurationError, match="told apart"):
        adapt(base, QUICK)


@pytest.mark.slow
def test_a_factor_without_its_other_one_is_a_damaged_file(
    trained: Artifact, tmp_path: Path
) -> None:
    weights = dict(trained.weights)
    weights.pop(next(key for key in weights if key.startswith(DOWN)))
    write_artifact(replace(trained, weights=weights), tmp_path)
    with pytest.raises(IndexCorrupt):
        read_artifact(tmp_path)


def test_a_change_of_a_weight_that_is_not_there_is_refused() -> None:
    base = CausalModel(str(tiny()))
    strange = {f"{UP}no.such": torch.ones(2, 1), f"{DOWN}no.such": torch.ones(1, 2)}
    with pytest.raises(ConfigurationError, match=r"no\.such"):
        base.weights.tune(whole(strange, base.weights.known))
