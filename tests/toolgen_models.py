"""Tiny causal language models with random weights, and ToolGen over some tools."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import torch

from fakes import tool
from gretel.catalog import Catalog
from gretel.catalog.digest import tool_digest
from gretel.contracts.tool import Tool, ToolId
from gretel.nodes.retrieve.artifact.manifest import Calibration
from gretel.nodes.retrieve.encoding.encoder import Encoder
from gretel.nodes.retrieve.language.base import CausalModel
from gretel.nodes.retrieve.semantic.signals import dense_text
from gretel.nodes.retrieve.toolgen.artifact import Artifact, Manifest, Shape
from gretel.nodes.retrieve.toolgen.codes import Scheme, Words
from gretel.nodes.retrieve.toolgen.documents import directions, first_middle, hidden_of, rows_of
from gretel.nodes.retrieve.toolgen.model import ToolModel
from gretel.nodes.retrieve.toolgen.retriever import ToolGenRetriever
from gretel.nodes.retrieve.toolgen.rows import Rows
from gretel.nodes.retrieve.toolgen.slots import RESERVED, Slot, Slots
from gretel.training.masstool.data import Examples
from gretel.training.masstool.first import Asked
from gretel.training.toolgen.coding import fitted, started

WORDS = 300
"""Rows of a tiny model's own embedding: more than its tokenizer knows, as where it is padded."""
_SIZE: dict[str, Any] = {
    "vocab_size": WORDS,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "max_position_embeddings": 256,
}


def _config(kind: str) -> Any:
    import transformers as t

    grouped = {**_SIZE, "num_key_value_heads": 2}
    headed = {**grouped, "head_dim": 8}
    made: dict[str, Any] = {
        "llama": lambda: t.LlamaConfig(**grouped, tie_word_embeddings=False),
        "tied": lambda: t.LlamaConfig(**grouped, tie_word_embeddings=True),
        "qwen": lambda: t.Qwen3Config(**headed),
        "gemma": lambda: t.Gemma2Config(**headed, final_logit_softcapping=5.0),
        "gpt2": lambda: t.GPT2Config(
            vocab_size=WORDS, n_embd=32, n_layer=2, n_head=4, n_positions=256
        ),
        "bert": lambda: t.BertConfig(**_SIZE, is_decoder=True),
    }
    config = made[kind]()
    config.bos_token_id = config.eos_token_id = config.pad_token_id = 0
    return config


KINDS = ("llama", "tied", "qwen", "gemma", "gpt2", "bert")


@cache
def tiny(kind: str = "llama") -> Path:
    """A folder with a model and a tokenizer that reads bytes."""
    from transformers import AutoModelForCausalLM

    folder = Path(mkdtemp(prefix=f"tiny-{kind}-"))
    with torch.random.fork_rng():
        torch.manual_seed(3)
        model = AutoModelForCausalLM.from_config(_config(kind))
        for weight in model.parameters():  # far from each other, so that orders are plain
            weight.data.mul_(4) if weight.ndim > 1 else None
    model.save_pretrained(folder)
    tiny_tokenizer().save_pretrained(folder)
    return folder


def tiny_tokenizer() -> Any:
    """One that reads bytes."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    known = {"<s>": 0, **{letter: n for n, letter in enumerate(alphabet, 1)}}
    read = Tokenizer(models.BPE(vocab=known, merges=[]))
    read.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    read.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(
        tokenizer_object=read, bos_token="<s>", eos_token="<s>", pad_token="<s>"
    )


def random_rows(base: CausalModel, slots: int, seed: int = 5) -> Rows:
    """Rows that all differ."""
    drawn = torch.Generator().manual_seed(seed)
    shapes = [(slots, base.d_out), (slots,), (slots, base.d_in), (slots, base.d_out)]
    return Rows(*(torch.randn(shape, generator=drawn) for shape in shapes))


def random_model(kind: str = "llama", tools: int = 40) -> ToolModel:
    """A tiny model with as many tools, beside the reserved slots."""
    base = CausalModel(str(tiny(kind)))
    return ToolModel(base, random_rows(base, RESERVED + tools))


@cache
def _of_tools(*texts: str) -> torch.Tensor:
    return torch.from_numpy(Encoder().documents(texts))


def coded(tools: Sequence[Tool], scheme: Scheme) -> Artifact:
    """An artefact before its first step, whose tools are several words each."""
    atomic = untrained(tools)
    base = CausalModel(str(tiny()))
    vectors = atomic.texts if tools else _of_tools("Nothing.")
    book = fitted(scheme, vectors, seed=7)
    book, codes = book.coded(tools, atomic.texts, (), base.tokenizer)
    slots = atomic.manifest.shape.slots.recoded(dict(enumerate(codes, RESERVED)))
    rows = random_rows(base, RESERVED + len(book.words))
    if tools:
        nobody = Asked((), ())
        catalog = Catalog.from_tools(tools)
        examples = Examples(catalog, tuple(tools), nobody, nobody, (), (), "")
        rows = Rows(*started(base, examples, slots, book).rows.tensors.values())
    shape = atomic.manifest.shape.model_copy(
        update={"slots": slots, "codes": Words(scheme=scheme, words=book.words)}
    )
    manifest = atomic.manifest.model_copy(update={"shape": shape})
    return replace(atomic, manifest=manifest, rows=rows, centres=book.centres)


def untrained(tools: Sequence[Tool], new: Collection[ToolId] = ()) -> Artifact:
    """An artefact before its first step: rows are what documents say."""
    base = CausalModel(str(tiny()))
    reserved = Rows.empty(RESERVED, base.d_in, base.d_out)
    model = ToolModel(base, reserved)
    shown = list(tools) or [tool("Nobody.knows", "Nothing.")]
    hidden = hidden_of(model, shown)
    middle = first_middle(hidden)
    rows = rows_of(model, shown, directions(hidden, middle.documents), middle)
    slots = Slots(
        tools=tuple(
            Slot(
                tool_id=one.tool_id,
                digest=tool_digest(one),
                status="new" if one.tool_id in new else "trained",
            )
            for one in tools
        )
    )
    texts = _of_tools(*map(dense_text, shown))[: len(tools)]
    return Artifact(
        manifest=Manifest(
            encoder=None,
            encoder_digest="",
            shape=Shape(
                base=str(tiny()),
                base_digest=base.weights.digest,
                vocabulary=base.vocabulary,
                d_in=base.d_in,
                d_out=base.d_out,
                template=base.template,
                slots=slots,
            ),
            calibration=Calibration(slope=2.0, offset=1.0),
            catalog_digest=Catalog.from_tools(tools).digest,
            tools={one.tool_id: tool_digest(one) for one in tools},
            files={},
            made={},
        ),
        rows=reserved.appended(rows.at(range(len(tools)))),
        middle=middle,
        weights={},
        texts=texts,
    )


def retriever_of(tools: Sequence[Tool], new: Collection[ToolId] = ()) -> ToolGenRetriever:
    """Over `tools`, of which nothing was learnt for the `new`."""
    return ToolGenRetriever(untrained(tools, new), Catalog.from_tools(tools))


def quietly(done: int, total: int, what: str) -> None:
    """Nobody is told."""


def stopping_at(step: int) -> Callable[[int, int, str], None]:
    """Ends the training as a kill would, at one of the times that it tells of."""
    told: list[str] = []

    def tell(done: int, total: int, what: str) -> None:
        told.append(what)
        if len(told) == step:
            raise KeyboardInterrupt

    return tell
