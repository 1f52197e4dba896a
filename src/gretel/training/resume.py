"""Half-finished training on disk, so that a stop loses one epoch at most."""

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeVar

from gretel.contracts.errors import ConfigurationError, IndexCorrupt
from gretel.files import make_inner

if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim import AdamW

    from gretel.nodes.retrieve.artifact.manifest import Manifest

M = TypeVar("M", bound="Manifest")


def key_of(*content: object) -> str:
    """A digest of what decides something; equal content has an equal key."""
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def finished(out: Path, read: Callable[[Path], M], key: str, catalog_digest: str) -> M | None:
    """The manifest of what stands in `out`; None where that is to be trained anew.

    So it is where nothing usable stands there, or what has another key in its `made`; and where
    tools were added later, which are not what the command is to leave.
    """
    try:
        old = read(out)
    except (ConfigurationError, IndexCorrupt):
        return None
    same = old.made.get("key") == key and old.catalog_digest == catalog_digest
    return old if same else None


def moments(weights: "Mapping[str, Tensor]", optimizer: "AdamW") -> "dict[str, Tensor]":
    """What the optimizer knows of its weights, by their names."""
    return {
        f"{name}/{part}": value
        for name, weight in weights.items()
        for part, value in optimizer.state.get(weight, {}).items()
    }


def put_moments(
    weights: "Mapping[str, Tensor]", optimizer: "AdamW", tensors: "Mapping[str, Tensor]"
) -> None:
    """Let the optimizer know again what `moments` gave."""
    for name, weight in weights.items():
        if f"{name}/step" in tensors:
            optimizer.state[weight] = {
                part: tensors[f"{name}/{part}"].to("cpu" if part == "step" else weight.device)
                for part in ("step", "exp_avg", "exp_avg_sq")
            }


def write_state(path: Path, tensors: "Mapping[str, Tensor]", key: str, **notes: str) -> None:
    """Keep what was made under a key, in one step: there is never half a file."""
    from safetensors.torch import save_file

    make_inner(path.parent)
    whole = {key: value.detach().cpu().clone().contiguous() for key, value in tensors.items()}
    with TemporaryDirectory(prefix="new-", dir=path.parent) as name:
        part = Path(name) / path.name
        save_file(whole, part, metadata={"key": key, **notes})
        part.replace(path)


def read_state(path: Path, key: str) -> "tuple[dict[str, Tensor], dict[str, str]] | None":
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
