"""A whole training of tools that are several words each."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from gretel.contracts.errors import InputError
from gretel.nodes.retrieve.language.base import CausalModel
from gretel.nodes.retrieve.toolgen.artifact import read_artifact
from gretel.nodes.retrieve.toolgen.coded import CodedModel, opened
from gretel.nodes.retrieve.toolgen.slots import RESERVED
from gretel.training.masstool.data import Examples, read_examples
from gretel.training.masstool.first import Asked
from gretel.training.masstool.measures import ranking_measures
from gretel.training.toolgen.coded_loop import CodedLoop
from gretel.training.toolgen.samples import Sample, Samples
from gretel.training.toolgen.settings import Settings, Source
from gretel.training.toolgen.train import _begun, train
from masstool_data import Written
from toolgen_models import quietly, tiny

QUICK = Settings(
    codes="residual",
    memorize_epochs=1,
    epochs=2,
    batch=16,
    micro=8,
    rate=2e-3,
    keep=3,
    tuned=0.5,
)
SOURCE = Source(base=str(tiny()))


@pytest.fixture
def examples(written: Written) -> Examples:
    whole = read_examples(written.folder, no_tool=written.no_tool)
    few = Asked(whole.train.texts[:60], whole.train.gold[:60])
    dev = Asked(whole.dev.texts[:12], whole.dev.gold[:12])
    return replace(whole, train=few, dev=dev, no_tool=whole.no_tool[:10])


@pytest.fixture
def loop(examples: Examples, tmp_path: Path) -> CodedLoop:
    begun = _begun(CausalModel(SOURCE.base), examples, QUICK, SOURCE)
    samples = Samples(examples, QUICK)
    return CodedLoop(begun.model, samples, QUICK, lambda _: 0.0, tmp_path, "key")


@pytest.mark.slow
def test_the_loss_is_what_a_search_would_miss(loop: CodedLoop, examples: Examples) -> None:
    """Of a request the logarithm of its tool's share, among the tools that requests name."""
    model, samples = loop._model, loop._samples
    assert isinstance(model, CodedModel)
    for text, gold in list(zip(examples.train.texts, examples.train.gold, strict=True))[:5]:
        sample = Sample(samples.texts.index(text), (), (RESERVED + gold[0],), is_document=False)
        (shares,) = model.read(model.base.prompts([text]), samples.permitted(sample)).scores
        loss = float(loop._loss([sample]).detach())

        assert loss == pytest.approx(-float(shares[RESERVED + gold[0]]), abs=0.03)  # half precision


def test_each_sample_has_one_tool_and_another_in_another_epoch(loop: CodedLoop) -> None:
    def drawn(epoch: int) -> dict[int, tuple[int, ...]]:
        batches = loop._batches("retrieve", epoch)
        return {sample.text: sample.target for batch in batches for sample in batch}

    several = [drawn(epoch) for epoch in range(4)]

    assert all(len(target) == 1 for epoch in several for target in epoch.values())
    assert several[0] == drawn(0)
    assert any(epoch != several[0] for epoch in several[1:])


@pytest.mark.slow
def test_requests_are_learnt(written: Written, tmp_path: Path) -> None:
    examples = read_examples(written.folder)
    settings = QUICK.model_copy(update={"epochs": 12, "patience": 12, "tuned": 1.0})
    begun = _begun(CausalModel(SOURCE.base), examples, settings, SOURCE)
    before = begun.model.texts(examples.dev.texts).scores[:, RESERVED:]
    train(examples, settings, SOURCE, tmp_path / "art", quietly)
    after = opened(read_artifact(tmp_path / "art")).texts(examples.dev.texts).scores[:, RESERVED:]

    reached = [ranking_measures(each, examples.dev.gold)["nDCG@5"] for each in (before, after)]
    assert reached[1] > reached[0] + 0.2


def test_an_agent_acts_by_tools_of_one_token(examples: Examples, tmp_path: Path) -> None:
    from gretel.training.toolgen.records import Record

    settings = QUICK.model_copy(update={"stages": ("agent",)})
    with pytest.raises(InputError, match="codes atomic"):
        train(examples, settings, SOURCE, tmp_path / "a", quietly, [Record(source="x", script=())])


def test_words_that_are_the_bases_own_begin_as_these(examples: Examples) -> None:
    settings = QUICK.model_copy(update={"codes": "semantic"})
    base = CausalModel(SOURCE.base)
    head = base.model.get_output_embeddings().weight.detach().clone()
    begun = _begun(base, examples, settings, SOURCE)
    assert isinstance(begun.model, CodedModel)
    words = [int(word[1:]) for word in begun.model.book.words if word.startswith("t")]
    rows = begun.model.rows.out[
        [n for n, word in enumerate(begun.model.book.words, RESERVED) if word.startswith("t")]
    ]

    torch.testing.assert_close(rows, head[words])
