"""Small encoders of several kinds, with random weights, made without a network."""

from collections.abc import Mapping
from pathlib import Path

import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Pooling, StaticEmbedding, Transformer
from tokenizers import Tokenizer
from transformers import AutoConfig, AutoModel, AutoTokenizer

from gretel.nodes.retrieve.encoding.encoder import default_model_path

WIDTH, DEPTH = 32, 4
_SIZES = {
    "hidden_size": WIDTH,
    "intermediate_size": 64,
    "num_hidden_layers": DEPTH,
    "num_attention_heads": 2,
}
_SPECIAL = {"pad_token_id": 0, "cls_token_id": 101, "sep_token_id": 102}
KINDS: Mapping[str, Mapping[str, int]] = {
    "bert": _SIZES,
    "distilbert": {"dim": WIDTH, "hidden_dim": 64, "n_layers": DEPTH, "n_heads": 2},
    "modernbert": _SIZES | _SPECIAL | {"bos_token_id": 101, "eos_token_id": 102},
    "mpnet": _SIZES,
    "roberta": _SIZES | {"pad_token_id": 0, "max_position_embeddings": 200},
    "albert": _SIZES | {"embedding_size": WIDTH},
}
"""Settings of each; ALBERT has one layer, which is passed again and again."""


def write_backbone(kind: str, folder: Path) -> Path:
    """A model of `KINDS`, or `static`: a table of words, without any layers."""
    torch.manual_seed(7)
    if kind == "static":
        words = Tokenizer.from_file(str(default_model_path() / "tokenizer.json"))
        table = StaticEmbedding(words, embedding_dim=WIDTH)
        SentenceTransformer(modules=[table], device="cpu").save(str(folder / kind))
        return folder / kind
    tokenizer, bare = AutoTokenizer.from_pretrained(default_model_path()), folder / "bare"
    config = AutoConfig.for_model(kind, vocab_size=len(tokenizer), **KINDS[kind])
    AutoModel.from_config(config).save_pretrained(bare)  # type: ignore[no-untyped-call]
    tokenizer.save_pretrained(bare)
    modules = [Transformer(str(bare)), Pooling(WIDTH)]
    SentenceTransformer(modules=modules, device="cpu").save(str(folder / kind))
    return folder / kind
