"""What the configuration of a model says, held against its files before it is built.

A model may come with an artefact, and so from a stranger: transformers makes what a configuration
says, and finds only then that the weights are of another size. An adapter names another model,
which the hub is asked about.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from gretel.contracts.record import JsonValue
from gretel.files import read_json

_WIDTH = re.compile(r"hidden_size|n_embd|d_model|dim|d_in|in_features")
_TABLE = re.compile(
    r"vocab_size|type_vocab_size|max_position_embeddings|n_positions|intermediate_size|n_inner|d_ff"
    r"|ffn_dim|\w*experts\w*|out_features|d_out"
)
"""Each has at least a row of that width."""
_DEPTH = re.compile(r"(?:num_)?\w*(?:layers?|blocks|heads?)")
_DEEPEST = 1_024
_FREE = 1 << 24
"""Numbers that may be missing: heads and marks that a checkpoint does not keep."""


def check_claims(folder: Path) -> None:
    """See that the model in `folder`, and its parts, claim no more numbers than bytes lie there.

    Raises:
        OSError: a configuration cannot be read.
        ValueError: they claim more, or are the adapter of another model.
    """
    if next(folder.rglob("adapter_config.json"), None):
        raise ValueError("it is an adapter of another model: merge it into that one")
    files = [path for path in folder.rglob("*") if path.suffix in (".safetensors", ".bin")]
    stored = sum(path.stat().st_size for path in files if path.is_file())
    for path in folder.rglob("config.json"):
        _check([*_numbers(read_json(path))], stored)


def _check(numbers: list[tuple[str, int]], stored: int) -> None:
    """Raise ValueError where one table of a configuration is larger than what is stored."""
    width = max([1, *(value for name, value in numbers if _WIDTH.fullmatch(name))])
    tables = [value for name, value in numbers if _TABLE.fullmatch(name)]
    deepest = max([0, *(value for name, value in numbers if _DEPTH.fullmatch(name))])
    if deepest > _DEEPEST or width * max([width, *tables]) > stored + _FREE:
        raise ValueError("its configuration says more than its files hold")


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
