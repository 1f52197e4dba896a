"""What the configuration of a model says, held against its files before it is built.

A model may come with an artefact, and so from a stranger: transformers makes what a configuration
says, and finds only then that the weights are of another size. An adapter names another model,
which the hub is asked about.
"""

import re
from collections.abc import Iterator
from itertools import chain
from math import prod
from pathlib import Path
from typing import Any

from gretel.contracts.record import JsonValue
from gretel.files import read_json

_WIDTH = re.compile(r"hidden_size|n_embd|d_model|dim|d_in|in_features")
_NO_SIZE = re.compile(r"\w*(?:theta|freq|base|_id|_index|seed)")
"""Numbers that may be large, and of which nothing is made."""
_REPEATED = re.compile(r"(?:num_)?\w*(?:layers?|blocks|heads?|experts)")
_MOST_REPEATED = 1_024
_MOST_MODULES = 1 << 16
"""Layers times experts: each is made, however small."""
_FREE = 1 << 24
"""Numbers that may be missing: heads and marks that a checkpoint does not keep."""


def check_claims(folder: Path) -> None:
    """See that the model in `folder`, and its parts, claim no more numbers than bytes lie there.

    Raises:
        OSError: a configuration cannot be read.
        Exception: they claim more, or are an adapter, or a model that transformers does not know.
    """
    if next(folder.rglob("adapter_config.json"), None):
        raise ValueError("it is an adapter of another model: merge it into that one")
    files = [path for path in folder.rglob("*") if path.suffix in (".safetensors", ".bin")]
    most = _FREE + sum(path.stat().st_size for path in files if path.is_file())
    for path in folder.rglob("config.json"):
        content = read_json(path)
        numbers = [*_numbers(content)]
        width = max([1, *(value for name, value in numbers if _WIDTH.fullmatch(name))])
        sizes = [value for name, value in numbers if not _NO_SIZE.fullmatch(name)]
        repeated = [value for name, value in numbers if _REPEATED.fullmatch(name)]
        modules = prod(sorted(value for value in repeated if value > 0)[-2:])
        if max([0, *repeated]) > _MOST_REPEATED or modules > _MOST_MODULES:
            raise ValueError("its configuration says more than its files hold")
        claimed = width * max([width, *sizes])
        if isinstance(content, dict) and "model_type" in content and claimed <= most:
            claimed = _numbers_of_model(path.parent)
        if claimed > most:
            raise ValueError("its configuration says more than its files hold")


def _numbers_of_model(folder: Path) -> int:
    """How many numbers the model has, by its configuration; none of them is made."""
    import torch
    from transformers import AutoConfig, AutoModel

    config = AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    with torch.device("meta"):
        build: Any = AutoModel.from_config
        model = build(config, trust_remote_code=False)
    return sum(each.numel() for each in chain(model.parameters(), model.buffers()))


def _numbers(content: JsonValue) -> Iterator[tuple[str, int]]:
    """Each whole number, with its name."""
    stack = [content]
    while stack:
        each = stack.pop()
        if isinstance(each, list):
            stack += each
        elif isinstance(each, dict):
            stack += each.values()
            yield from ((name, value) for name, value in each.items() if type(value) is int)
