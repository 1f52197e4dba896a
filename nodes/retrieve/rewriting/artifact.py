"""A trained query vector rewriter, and how it is kept: bound to its catalogue and encoder.

Beside what every artefact has (`artifact/store.py`):

head.safetensors     weights of the head
known.npz            how many of the requests that were learnt each tool served
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import numpy as np
import numpy.typing as npt
import torch
from pydantic import Field, FiniteFloat
from torch import Tensor, nn
from torch.nn.functional import gelu

from gretel.contracts.record import Record
from gretel.nodes.retrieve.artifact import manifest as base
from gretel.nodes.retrieve.artifact import store
from gretel.nodes.retrieve.artifact.arrays import read_arrays, read_weights

FORMAT = "vector 1"
_PARTS = ("head.safetensors", "known.npz", store.TOOLS)
SCALE = 20.0
"""Log-odds of a cosine of 1: as much as fusion gives it."""
_STEEP = 4.0
"""A unit vector's numbers are small: without it the curve of the hidden layer would hardly bend."""


class Shape(Record):
    """What decides the form of the head; an artefact carries it."""

    width: int = Field(ge=1, le=1 << 16)
    """Length of the encoder's vectors."""
    hidden: int = Field(default=512, ge=1, le=1 << 16)


class Head(nn.Module):
    """A linear map and one hidden layer beside it; nothing at all before its first step."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.linear = nn.Linear(shape.width, shape.width, bias=False)
        self.inner = nn.Linear(shape.width, shape.hidden)
        self.outer = nn.Linear(shape.hidden, shape.width)
        for each in (self.linear.weight, self.outer.weight, self.outer.bias):
            nn.init.zeros_(each)

    def forward(self, requests: Tensor, texts: Tensor) -> Tensor:
        """Request × tool: log-odds of the residual's product with the tools' vectors."""
        return SCALE * self.residual(requests) @ texts.T

    def residual(self, requests: Tensor) -> Tensor:
        """What is added to the vectors of requests."""
        bent = gelu(_STEEP * self.inner(requests))
        return cast(Tensor, self.linear(requests) + self.outer(bent))


def opened_head(shape: Shape, weights: dict[str, Tensor]) -> Head:
    """A head with its weights; RuntimeError where they are those of another form."""
    with torch.device("meta"):  # how large it is, is the manifest's word
        head = Head(shape)
    head.load_state_dict(weights, assign=True)
    return head.eval().requires_grad_(requires_grad=False)


class Calibration(Record):
    """How much the head counts; both fitted on requests that it did not learn from."""

    strength: FiniteFloat = Field(default=0.0, ge=0, le=10)
    """0 where it did not help."""
    offset: FiniteFloat = 0.0
    """Added to the log-odds of every known tool, so that scores stay probabilities."""


class Manifest(base.Manifest):
    """What an artefact says of itself."""

    format: str = FORMAT
    shape: Shape
    calibration: Calibration


@dataclass(frozen=True)
class Artifact:
    """Everything that a rewriter needs."""

    manifest: Manifest
    head: Head = field(repr=False)
    uses: npt.NDArray[np.int64] = field(repr=False)
    """Learnt requests that each tool served; a tool that was added later has no entry."""
    texts: Tensor = field(repr=False)
    """(tools, width) unit vectors of the tools' texts."""


def write_artifact(artifact: Artifact, folder: Path) -> Manifest:
    """Write the files, and give back the manifest; see `store.write_parts`."""
    content = (
        artifact.head.state_dict(),
        {"uses": artifact.uses},
        store.packed_texts(artifact.texts),
    )
    return store.write_parts(folder, artifact.manifest, dict(zip(_PARTS, content, strict=True)))


def read_artifact(folder: Path) -> Artifact:
    """What `write_artifact` wrote; raises as `store.read_manifest` and `store.read` do."""
    manifest = store.read_manifest(folder, Manifest)
    width, tools = manifest.shape.width, len(manifest.tools)
    head, known, texts = store.check_files(folder, manifest, _PARTS)
    return Artifact(
        manifest,
        store.read(head, lambda path: opened_head(manifest.shape, read_weights(path))),
        store.read(known, lambda path: _uses(path, tools)),
        store.read_texts(texts, width, tools),
    )


def _uses(path: Path, tools: int) -> npt.NDArray[np.int64]:
    uses: npt.NDArray[np.int64] = read_arrays(path, "uses")[0]
    if uses.ndim != 1 or uses.dtype != np.int64 or len(uses) > tools or (uses < 0).any():
        raise ValueError("it does not count uses of the tools")
    return uses
