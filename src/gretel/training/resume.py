"""Half-finished training on disk, so that a stop loses one epoch at most."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from pydantic import NonNegativeInt, TypeAdapter

from gretel.catalog.document import parse_json
from gretel.contracts.errors import ConfigurationError, IndexCorrupt
from gretel.files import check_there, make_inner

if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim import AdamW

    from gretel.nodes.retrieve.artifact.manifest import Manifest

M = TypeVar("M", bound="Manifest")


class At(NamedTuple):
    """Where a training stands."""

    epoch: NonNegativeInt = 0
    """Of all stages, one behind the other."""
    step: NonNegativeInt = 0
    """Within the epoch."""
    since: NonNegativeInt = 0
    """Epochs without gain."""
    best: float = -1.0
    curve: tuple[float, ...] = ()
    """What was measured after each epoch."""

    @classmethod
    def of(cls, notes: dict[str, str]) -> "At":
        """What `notes` gave; ValueError where it is nothing that a training comes to."""
        read = {name: parse_json(notes[name], place=name) for name in cls._fields}
        return _AT.validate_python(read)

    @property
    def notes(self) -> dict[str, str]:
        """As they are kept beside the tensors."""
        return {name: json.dumps(value) for name, value in self._asdict().items()}


_AT = TypeAdapter(At)


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
    """Let the optimizer know again what `moments` gave; ValueError where it gave something else."""
    for name, weight in weights.items():
        if f"{name}/step" in tensors:
            known = {part: tensors[f"{name}/{part}"] for part in ("exp_avg", "exp_avg_sq")}
            optimizer.state[weight] = {
                "step": of_size(tensors[f"{name}/step"], weight.new_empty(())).cpu(),
                **{part: of_size(each, weight).to(weight.device) for part, each in known.items()},
            }


def of_size(kept: "Tensor", known: "Tensor") -> "Tensor":
    """What was kept; ValueError where it is of another size than what it stands for, or whole
    numbers, or none.
    """
    if kept.shape != known.shape:
        raise ValueError(f"{tuple(kept.shape)} stand where {tuple(known.shape)} were kept")
    if not kept.is_floating_point() or not bool(kept.float().isfinite().all()):
        raise ValueError("what was kept are no numbers")
    return kept.to(known.dtype)


@contextmanager
def unchanged(path: Path) -> Iterator[None]:
    """Take up inside what lies at `path`.

    Raises:
        IndexCorrupt: that is not what a training keeps: somebody else wrote it.
    """
    try:
        yield
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        remedy = "Delete it, and the training begins again."
        raise IndexCorrupt(f"{path} was changed. {remedy}") from error


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

    from gretel.nodes.retrieve.artifact.arrays import check_header

    if not path.is_file():
        return None
    try:
        check_there(path)
        check_header(path)
        with safe_open(path, framework="pt") as stored:
            notes = dict(stored.metadata() or {})
            if notes.get("key") != key:
                return None
            names = stored.keys()
            return {name: stored.get_tensor(name) for name in names}, notes
    except (OSError, ValueError, SafetensorError):
        return None
