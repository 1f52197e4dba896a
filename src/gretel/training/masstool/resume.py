"""Half-finished training on disk, so that a stop loses one epoch at most."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from torch import Tensor


def key_of(*content: object) -> str:
    """A digest of what decides something; equal content has an equal key."""
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def write_state(path: Path, tensors: Mapping[str, Tensor], notes: Mapping[str, str]) -> None:
    """Keep tensors and notes, in one step: there is never half a file."""
    from safetensors.torch import save_file

    path.parent.mkdir(parents=True, exist_ok=True)
    whole = {key: value.detach().cpu().clone().contiguous() for key, value in tensors.items()}
    part = path.with_suffix(".part")
    save_file(whole, part, metadata=dict(notes))
    part.replace(path)


def read_state(path: Path) -> tuple[dict[str, Tensor], dict[str, str]] | None:
    """What was kept; None where nothing was."""
    from safetensors import safe_open

    if not path.is_file():
        return None
    with safe_open(path, framework="pt") as stored:
        keys = stored.keys()
        return {key: stored.get_tensor(key) for key in keys}, dict(stored.metadata() or {})
