"""A trained MassTool at work: texts to needs and scores."""

from collections.abc import Collection, Sequence
from typing import NamedTuple, Self

import torch
from torch import Tensor

from gretel.contracts.errors import ConfigurationError, IndexCorrupt
from gretel.nodes.retrieve.artifact.arrays import told
from gretel.nodes.retrieve.artifact.manifest import Calibration
from gretel.nodes.retrieve.masstool.artifact import Artifact
from gretel.nodes.retrieve.masstool.backbone import Backbone, Vectors
from gretel.nodes.retrieve.masstool.graph import Edges
from gretel.nodes.retrieve.masstool.model import MassTool, nearby
from gretel.nodes.retrieve.masstool.pool import Pool


class Read(NamedTuple):
    """What is said about `n` requests."""

    shares: Tensor
    """(n, tools) logarithms of shares, each row's shares summing to 1."""
    vote: Tensor
    """(n, tools) share of the neighbours' attention."""
    need: Tensor
    """(n,) log odds that a tool is needed, not calibrated; 0 without detection."""
    nearest: Tensor
    """(n,) cosine with the nearest known request; -1 where none is known."""


class Reader:
    """Model, pool and tools, with everything computed that does not depend on the request.

    Never changed: `knowing` gives another one.
    """

    def __init__(self, model: MassTool, pool: Pool, texts: Tensor) -> None:
        """`texts`: (tools, width) vectors of the tools' texts."""
        self._model = model.eval()
        self.pool = pool
        self.texts = texts
        edges = Edges.of(pool.gold, len(texts))
        self._served = pool.served()
        with torch.no_grad():
            self._requests = model.request(pool.vectors)
            self._views = model.tool_views(texts, self._requests, edges)
            self._values = model.pool_values(self._requests, self._views, self._served)

    def knowing(self, vectors: Tensor, gold: Sequence[Sequence[int]], texts: Tensor) -> "Reader":
        """With more known requests, and with all tools' texts (more tools may be behind)."""
        return Reader(self._model, self.pool.with_more(vectors, gold), texts)

    def forgetting(self, tools: Collection[int]) -> "Reader":
        """Without what served of the known requests, for `tools` by their places."""
        return Reader(self._model, self.pool.without(tools), self.texts) if tools else self

    def read(self, made: Vectors) -> Read:
        """What the model says about requests, by their vectors."""
        with torch.no_grad():
            found = self.pool.nearest(made.final, self._model.shape.neighbours)
            near = nearby(found.places, self._requests, self._values, self._served)
            requests = self._model.request(made.final)
            scores = self._model(requests, made.early, self._views, found, near)
        shares = torch.log_softmax(scores.tools, dim=1)
        alone = shares.new_full((len(shares), 1), -1.0)
        nearest = torch.cat([found.similarity, alone], dim=1)[:, 0]
        return Read(told(shares), scores.vote, told(scores.need), nearest)


class Opened(NamedTuple):
    """An artefact with its encoder, ready for requests."""

    backbone: Backbone
    reader: Reader
    calibration: Calibration

    @classmethod
    def of(cls, artifact: Artifact) -> Self:
        """Open the encoder and tune it as it was in training.

        Raises:
            ConfigurationError: the encoder of that name cannot be loaded, or has other weights.
            IndexCorrupt: the manifest is of another model.
        """
        manifest = artifact.manifest
        backbone = Backbone(manifest.encoder)
        if backbone.weights.digest != manifest.encoder_digest:
            raise ConfigurationError(
                "has other weights than the artefact was trained from",
                field=f"encoder {manifest.encoder or 'of the install'}",
                remedy="Install the encoder that the artefact names, or train it again.",
            )
        if backbone.width != manifest.shape.width:
            message = f"the artefact's vectors are none of its encoder's ({backbone.width} numbers)"
            raise IndexCorrupt(f"{message}. Train it again.")
        backbone.weights.tune(artifact.encoder)
        reader = Reader(opened_model(artifact), artifact.pool, artifact.texts)
        return cls(backbone, reader, manifest.calibration)


def opened_model(artifact: Artifact) -> MassTool:
    """The model of an artefact, with its weights.

    Raises:
        IndexCorrupt: they are those of another form.
    """
    try:
        with torch.device("meta"):  # how large it is, is the manifest's word
            model = MassTool(artifact.manifest.shape)
        model.load_state_dict(dict(artifact.model), assign=True)
    except RuntimeError as error:
        message = "the manifest and the model do not fit. Train the artefact again."
        raise IndexCorrupt(message) from error
    return model
