"""A rewriter whose base is an encoder with a decoder (T5, BART), with random weights."""

from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
import torch

from fakes import tool
from gretel.contracts.errors import ConfigurationError
from gretel.nodes.retrieve.language.adapters import UP
from gretel.nodes.retrieve.language.base import CausalModel
from gretel.nodes.rewrite.generative.bases import Seq2SeqModel, open_base, scores
from gretel.nodes.rewrite.generative.writer import Writer
from gretel.training.generative.loop import SftLoop
from gretel.training.generative.settings import Settings
from gretel.training.language.lora import adapt, settle
from gretel.training.masstool.first import Asked
from lanes import every
from toolgen_models import WORDS, quietly, tiny, tiny_tokenizer

KINDS = ("t5", "bart")
TOOLS = [tool("Bike.rent", "Rent a bike."), tool("Sky.rain", "Tell when it rains.")]


def _config(kind: str) -> Any:
    import transformers as t

    own = {"vocab_size": WORDS, "d_model": 32, "decoder_start_token_id": 0}
    if kind == "t5":
        return t.T5Config(**own, d_kv=8, d_ff=48, num_layers=2, num_heads=4, eos_token_id=0)
    sizes: dict[str, Any] = {
        f"{half}_{what}": size
        for half in ("encoder", "decoder")
        for what, size in {"attention_heads": 4, "ffn_dim": 48}.items()
    }
    sizes |= {"encoder_layers": 2, "decoder_layers": 3, "max_position_embeddings": 256}
    sizes["init_std"] = 0.3  # far from each other, so that little says much
    marks = {"pad_token_id": 0, "bos_token_id": 0, "eos_token_id": 0}
    return t.BartConfig(**own, **sizes, **marks)


@cache
def pair(kind: str) -> str:
    """A folder with a model and a tokenizer that reads bytes."""
    from transformers import AutoModelForSeq2SeqLM

    folder = Path(mkdtemp(prefix=f"tiny-{kind}-"))
    with torch.random.fork_rng():
        torch.manual_seed(3)
        AutoModelForSeq2SeqLM.from_config(_config(kind)).save_pretrained(folder)
    tiny_tokenizer().save_pretrained(folder)
    return str(folder)


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model of random weights mostly runs on: it is stopped soon."""
    monkeypatch.setattr("gretel.nodes.rewrite.generative.writer.MOST", 24)


@pytest.mark.slow
def test_a_base_is_opened_by_what_it_says_of_itself() -> None:
    assert type(open_base(str(tiny()))) is CausalModel
    for kind in KINDS:
        assert type(open_base(pair(kind))) is Seq2SeqModel


@pytest.mark.parametrize("kind", KINDS)
def test_upper_layers_are_those_of_both_halves(kind: str) -> None:
    base = open_base(pair(kind))
    halves = [[*half.modules()] for half in (base.model.get_encoder(), base.model.get_decoder())]
    top = base.layers[-2:]

    assert len(base.layers) == {"t5": 4, "bart": 5}[kind]
    assert all(any(each is layer for each in half for layer in top) for half in halves)


@pytest.mark.parametrize("kind", every(2, KINDS))
def test_what_is_written_does_not_hang_on_what_stands_beside_it(kind: str) -> None:
    writer = Writer(open_base(pair(kind)))
    texts = ["a", "a much longer request for a hotel"]
    drawn = [writer.sample(texts, 2, seed=seed) for seed in (1, 1, 2)]

    assert writer.write(texts) == [writer.write([text])[0] for text in texts]
    assert drawn[0] == drawn[1] != drawn[2]


@pytest.mark.parametrize("kind", KINDS)
def test_a_token_is_judged_by_the_request_and_what_was_written_before_it(kind: str) -> None:
    base = open_base(pair(kind))
    together = scores(base, base.model, [[5, 6], [7, 8, 9]], [[11, 12], [13, 14, 15]])
    alone = scores(base, base.model, [[7, 8, 9]], [[13, 14, 15]])
    other = scores(base, base.model, [[7, 8, 9]], [[13, 14, 16]])

    torch.testing.assert_close(together[2:], alone, atol=0.05, rtol=0.05)
    torch.testing.assert_close(other, alone)
    assert not torch.allclose(scores(base, base.model, [[5]], [[13, 14, 15]]), alone)


@pytest.mark.parametrize("kind", every(2, KINDS))
def test_right_answers_are_learnt(kind: str, tmp_path: Path) -> None:
    settings = Settings(epochs=12, patience=12, batch=2, micro=2, rate=1e-2, lora=0, tuned=1.0)
    writer, two = Writer(open_base(pair(kind))), Asked(("a bike", "is it wet"), ((0,), (1,)))
    curve = SftLoop(writer, two, two, TOOLS, settings, tmp_path, "key").run(quietly).curve

    assert curve[-1] > 3 * curve[0]


@pytest.mark.parametrize("kind", KINDS)
def test_adapters_stand_in_both_halves(kind: str) -> None:
    base = open_base(pair(kind))
    adapt(base, Settings(lora=2, tuned=0.5))
    factors = [name for name in settle(base) if name.startswith(UP)]

    assert any("encoder" in name for name in factors)
    assert any("decoder" in name for name in factors)


def test_a_tokenizer_without_line_breaks_has_another_mark_between_tools() -> None:
    from tokenizers.normalizers import Replace

    base = open_base(pair("t5"))
    base.tokenizer.backend_tokenizer.normalizer = Replace("\n", " ")
    writer = Writer(base)
    tokens = writer.target(["ab; c", "d"])

    assert writer._read(tokens).queries == ["ab, c", "d"]


def test_a_decoder_without_a_beginning_is_refused(tmp_path: Path) -> None:
    config = _config("t5")
    config.decoder_start_token_id = None
    from transformers import AutoModelForSeq2SeqLM

    AutoModelForSeq2SeqLM.from_config(config).save_pretrained(tmp_path)
    tiny_tokenizer().save_pretrained(tmp_path)
    with pytest.raises(ConfigurationError, match="decoder_start_token_id"):
        open_base(str(tmp_path))


@pytest.mark.slow
def test_toolgen_takes_no_such_base() -> None:
    with pytest.raises(ConfigurationError, match="cannot be used"):
        CausalModel(pair("t5"))
