"""Half-finished training on disk, so that a stop loses one epoch at most."""

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from torch import Tensor

from gretel.contracts.errors import ConfigurationError, IndexCorrupt
from gretel.files import make_inner

Made = TypeVar("Made")


def key_of(*content: object) -> str:
    """A digest of what decides something; equal content has an equal key."""
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def finished(out: Path, read: Callable[[Path], Made]) -> Made | None:
    """What stands in `out`; None where nothing usable does, which is then trained anew."""
    try:
        return read(out)
    except (ConfigurationError, IndexCorrupt):
        return None


def write_state(path: Path, tensors: Mapping[str, Tensor], key: str, **notes: str) -> None:
    """Keep what was made under a key, in one step: there is never half a file."""
    from safetensors.torch import save_file

    make_inner(path.parent)
    whole = {key: value.detach().cpu().clone().contiguous() for key, value in tensors.items()}
    with TemporaryDirectory(prefix="new-", dir=path.parent) as name:
        part = Path(name) / path.name
        save_file(whole, part, metadata={"key": key, **notes})
        part.replace(path)


def read_state(path: Path, key: str) -> tuple[dict[str, Tensor], dict[str, str]] | None:
    """Tensors and notes that were kept under this key; None where none can be read."""
    from safetensors import SafetensorError, safe_open

    if not path.is_file():
        return None
    try:
        with safe_open(path, framework="pt") as stored:
            notes = dict(stored.metadata() or {})
            if notes.get("key") != key:
                return None
            names = stored.keys()
            return {name: stored.get_tensor(name) for name in names}, notes
    except SafetensorError:
        return None
