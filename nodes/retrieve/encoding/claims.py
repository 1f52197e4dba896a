"""What the configuration of a model says, held against its files before it is built.

A model may come with an artefact, and so from a stranger: transformers makes what a configuration
says, and finds only then that the weights are of another size. An adapter names another model,
which the hub is asked about.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from math import inf, prod
from pathlib import Path
from typing import Any

from gretel.catalog.document import as_object
from gretel.contracts.record import JsonValue
from gretel.files import open_plain, read_json
from gretel.text.words import word_set

_WIDTH = re.compile(r"hidden_size|n_embd|d_model|dim|d_in|in_features")
_NO_SIZE = re.compile(r"\w*(?:theta|freq|base|_id|_index|seed)")
"""Numbers that may be large, and of which nothing is made."""
_PARTS = word_set("Dense Dropout LayerNorm Normalize Pooling StaticEmbedding Transformer")
_OPENED_WITH = word_set(
    "config_args config_kwargs model_args model_kwargs processor_kwargs tokenizer_args"
)
"""What sentence-transformers takes from a folder: sizes, and that a pickle may be read."""
_READS = re.compile(r"forward|get_\w+_features")
"""Methods of a model that read a text; sentence-transformers calls any that a folder names."""
_OTHER = re.compile(r"\w*(?:backbone|pretrained)\w*")
"""Models that are fetched from the hub when this one is made, whatever we say."""
_ORDER = re.compile(
    rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x9f]"
    rb"|(?<!\\)(?:\\\\)*\\u00(?:0[0-8bcef]|1[\da-f]|7f|[89][\da-f])",
    re.I,
)
"""What a terminal may take for an order, as it is or as JSON writes it: libraries print names that
they do not know, unasked and past every log."""
_WORDS = word_set("tokenizer.json vocab.json")
"""Files of all that a model can say, of which nobody prints a name."""
_MOST_SAID = 32 << 20
_MOST_ASKED = 20_000
"""Characters of the words that a model puts before texts, which are read with each."""
_MOST_FILES = 10_000
"""In the folder of a model; an artefact may name any, the root of the disk too."""
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
        Exception: they claim more, are or name another model, have parts of a kind that is not
            used or elsewhere, or what is no plain file, say with what they are to be opened, or
            hold orders to a terminal; or transformers does not know them.
    """
    inside = [*islice(folder.rglob("*"), _MOST_FILES + 1)]
    if len(inside) > _MOST_FILES:
        raise ValueError("it holds too much for a model")
    if any(path.is_symlink() and path.is_dir() for path in inside):
        raise ValueError("a folder in it is a link")  # behind which nothing would be looked at
    if any(path.exists() and not (path.is_file() or path.is_dir()) for path in inside):
        raise ValueError("it holds what is no plain file")  # and may be waited for without end
    if any(path.name == "adapter_config.json" for path in inside):
        raise ValueError("it is an adapter of another model: merge it into that one")
    _check_opening(inside)
    for path in (each for each in inside if each.name.endswith(".index.json")):
        parts = as_object(as_object(read_json(path)).get("weight_map")).values()
        if any(Path(str(name)).name != name for name in parts):
            raise ValueError("its weights lie elsewhere")
    for path in inside:
        if path.suffix == ".json" and path.name not in _WORDS and _gives_orders(path):
            raise ValueError(f"its {path.name} gives a terminal orders")
    files = [path for path in inside if path.suffix in (".safetensors", ".bin")]
    most = _FREE + sum(_lies_there(path) for path in files if path.is_file())
    for path in inside:
        if path.name == "config.json" and _claimed(path, most) > most:
            raise ValueError("its configuration says more than its files hold")


def _check_opening(inside: Sequence[Path]) -> None:
    """See what the files say of the parts of a model, and of how it is opened and asked."""
    for path in (each for each in inside if each.name == "modules.json"):
        kinds = {str(each.get("type")).rpartition(".")[2] for each in read_json(path)}
        if kinds - _PARTS:
            raise ValueError(f"it has parts that are not used: {', '.join(sorted(kinds - _PARTS))}")
    for path in (each for each in inside if each.match("sentence_*config.json")):
        said = as_object(read_json(path))
        if any(name in _OPENED_WITH and value for name, value in said.items()):
            raise ValueError("it says with what it is to be opened")
        called = (
            as_object(each).get("method")
            for each in as_object(said.get("modality_config")).values()
        )
        if not all(_READS.fullmatch(str(name)) for name in called):
            raise ValueError("it says that something else is done with a text than to read it")
    for path in (each for each in inside if each.name == "config_sentence_transformers.json"):
        if len(str(read_json(path).get("prompts"))) > _MOST_ASKED:
            raise ValueError("it puts too much before each text")


def _gives_orders(path: Path) -> bool:
    with open_plain(path) as file:
        said = file.read(_MOST_SAID + 1)
    return len(said) > _MOST_SAID or _ORDER.search(said) is not None


def _claimed(path: Path, most: int) -> float:
    """How many numbers a configuration claims, or more than `most` where it need not be counted."""
    content = read_json(path)
    said = [*_said(content)]
    if any(value and _OTHER.fullmatch(name) for name, value in said):
        raise ValueError("its configuration names another model")
    numbers = [(name, value) for name, value in said if type(value) is int and value > 0]
    if not isinstance(content, dict) or "model_type" not in content:
        return prod(value for _, value in numbers)
    width = max([1, *(value for name, value in numbers if _WIDTH.fullmatch(name))])
    sizes = [value for name, value in numbers if not _NO_SIZE.fullmatch(name)]
    repeated = [value for name, value in numbers if _REPEATED.fullmatch(name)]
    if max([0, *repeated]) > _MOST_REPEATED or prod(sorted(repeated)[-2:]) > _MOST_MODULES:
        return inf
    claimed = width * max([width, *sizes])
    return claimed if claimed > most else _numbers_of_model(path.parent)


def _numbers_of_model(folder: Path) -> int:
    """How many numbers the model has, by its configuration; none of them is made."""
    import torch
    from transformers import AutoConfig, AutoModel

    config = AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    with torch.device("meta"):
        build: Any = AutoModel.from_config
        model = build(config, trust_remote_code=False)
    return sum(each.numel() for each in chain(model.parameters(), model.buffers()))


def _lies_there(file: Path) -> int:
    """Bytes that a file takes: of a hole nothing comes but zeros, however large it is."""
    found = file.stat()
    return min(found.st_size, getattr(found, "st_blocks", found.st_size) * 512)


def _said(content: JsonValue) -> Iterator[tuple[str, JsonValue]]:
    """Each name and its value, at any depth."""
    stack = [content]
    while stack:
        each = stack.pop()
        if isinstance(each, list):
            stack += each
        elif isinstance(each, dict):
            stack += each.values()
            yield from each.items()
