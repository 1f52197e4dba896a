"""What a trained part says of itself, whatever was trained."""

import hashlib
from typing import Any

import numpy as np
from pydantic import FiniteFloat

from gretel.contracts.record import JsonObject, Record


class Manifest(Record):
    """The manifest of any artefact; a kind of its own narrows `format`, `shape`, `calibration`."""

    format: int | str
    """Says what kind of artefact it is, and in which version."""
    encoder: str | None
    """Name or folder; None for the encoder of the install."""
    encoder_digest: str
    """Of the encoder's weights before anything was tuned."""
    shape: Any
    """What decides the form of the weights."""
    calibration: Any
    """How figures become probabilities; all fitted on the development part."""
    catalog_digest: str
    tools: dict[str, str]
    """Content hashes by tool_id, in the order of the rows of `tools.npz`."""
    files: dict[str, str]
    """SHA-256 of the other files."""
    made: JsonObject
    """Data digest, seed, settings and development measures, for whoever asks."""
    digest: str = ""
    """SHA-256 of all of the above."""

    @property
    def content_digest(self) -> str:
        """What `digest` must be."""
        text = self.model_dump_json(exclude={"digest"})
        return hashlib.sha256(text.encode()).hexdigest()


class Calibration(Record):
    """How a model's figures become probabilities; all fitted on the development part."""

    slope: FiniteFloat = 1.0
    offset: FiniteFloat = 0.0
    """A tool of log share s serves with log odds `slope * s + offset`."""
    need_slope: FiniteFloat = 1.0
    need_offset: FiniteFloat = 0.0
    """The same of the log odds that the model itself gives to a need."""
    detects: bool = False
    """Whether there were requests without need to learn from."""

    def serves(self, shares: Any) -> Any:
        """Probabilities that tools serve, by the logarithms of their shares."""
        return 1 / (1 + np.exp(-(self.slope * shares + self.offset)))

    def needs(self, odds: Any) -> Any:
        """Probabilities that a tool is needed, by the model's log odds."""
        return 1 / (1 + np.exp(-(self.need_slope * odds + self.need_offset)))
