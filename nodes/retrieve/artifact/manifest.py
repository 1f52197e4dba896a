"""What a trained part says of itself, whatever was trained."""

import hashlib
from typing import Any

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
