"""The query vector rewriter: a change of scores, learnt through the fixed retriever.

Text that stands in the place of a request, or beside it, costs another pass of the encoder and has
mostly harmed. The request's vector is there already. A small residual of it, trained listwise so
that the fixed retriever's log-odds plus its products with the tools' vectors put right tools first
(after the alignment with retrieval of arXiv 2412.03573, without the text in between), changes the
scores of tools that learnt requests name. All others keep theirs.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt
import torch

from gretel.catalog import Catalog
from gretel.catalog.digest import tool_digest
from gretel.contracts.errors import ConfigurationError
from gretel.contracts.tool import Tool
from gretel.nodes.retrieve.artifact.arrays import told
from gretel.nodes.retrieve.artifact.belonging import check_belonging
from gretel.nodes.retrieve.encoding.encoder import Matrix
from gretel.nodes.retrieve.rewriting.artifact import Artifact, Calibration, Head, read_artifact

WARM = 1
"""Learnt requests from which a tool is known."""
_SAME = 0.99
"""Cosine from which two vectors of a text are by the same encoder, in half precision."""


class TrainedVector:
    """An artefact at work; see `semantic.signals.VectorRewriter`."""

    def __init__(self, artifact: Artifact) -> None:
        self._artifact = artifact
        ids = artifact.manifest.tools
        self._known = {
            name: place
            for place, (name, uses) in enumerate(zip(ids, artifact.uses.tolist(), strict=False))
            if uses >= WARM
        }

    @classmethod
    async def open(cls, folder: Path, catalog: Catalog, *, encoder: str | None = None) -> Self:
        """The artefact in `folder`, for the catalogue and encoder that it was trained with.

        Raises:
            ConfigurationError: no artefact, another catalogue, or another encoder.
            IndexCorrupt: a file is missing or was changed.
        """
        artifact = await asyncio.to_thread(read_artifact, folder)
        await asyncio.to_thread(check_belonging, artifact.manifest, catalog, encoder, folder)
        return cls(artifact)

    @property
    def encoder(self) -> str | None:
        """The encoder whose vectors it reads."""
        return self._artifact.manifest.encoder

    def over(self, tools: Sequence[Tool], vectors: Matrix) -> "Known | None":
        """See `semantic.signals.VectorRewriter`: what says something else by now is not known."""
        said = self._artifact.manifest.tools
        places = [
            place
            for place, tool in enumerate(tools)
            if tool.tool_id in self._known and said[tool.tool_id] == tool_digest(tool)
        ]
        rows = [self._known[tools[place].tool_id] for place in places]
        own = vectors[places].astype(np.float32)
        texts = self._artifact.texts[rows].numpy()
        if rows and (own.shape != texts.shape or float((own * texts).sum(1).min()) < _SAME):
            raise ConfigurationError(
                "gives other vectors than the rewriter was trained with",
                field=f"encoder {self.encoder or 'of the install'}",
                remedy="Use the encoder that the artefact names, or train it again.",
            )
        calibration = self._artifact.manifest.calibration
        if not rows or not calibration.strength:
            return None
        return Known(self._artifact.head, calibration, np.array(places, int), own, len(tools))


class Known:
    """The known tools among those of an index."""

    def __init__(
        self,
        head: Head,
        calibration: Calibration,
        places: npt.NDArray[np.intp],
        vectors: Matrix,
        tools: int,
    ) -> None:
        self._head = head
        self._calibration = calibration
        self._places = places
        self._vectors = torch.from_numpy(vectors)
        self._tools = tools

    def change(self, requests: Matrix) -> Matrix:
        """See `semantic.signals.Learnt`."""
        changes = np.zeros((len(requests), self._tools), dtype=np.float32)
        with torch.inference_mode():
            found = self._head(torch.from_numpy(requests), self._vectors).numpy()
        weighed = self._calibration.strength * found + self._calibration.offset
        changes[:, self._places] = told(weighed)
        return changes
