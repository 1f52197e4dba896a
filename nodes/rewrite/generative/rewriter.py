"""The rewriter that writes: a small language model, trained on requests of the very catalogue.

After arXiv 2412.03573: tuned on descriptions of the tools that are right, then aligned with what
the fixed retriever finds by its queries. They stand beside the request with the share that helped
on requests that were held out.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from gretel.catalog import Catalog
from gretel.contracts.errors import ModelReplyError
from gretel.contracts.ranking import Request, RetrievalQuery
from gretel.contracts.trial import Trial
from gretel.nodes.conversation import in_view
from gretel.nodes.retrieve.artifact.belonging import check_belonging
from gretel.nodes.retrieve.language.adapters import whole
from gretel.nodes.retrieve.language.base import Known, check_base
from gretel.nodes.rewrite.feedback import FeedbackRewriter
from gretel.nodes.rewrite.generative.artifact import Artifact, read_artifact
from gretel.nodes.rewrite.generative.bases import open_base
from gretel.nodes.rewrite.generative.writer import MOST, Writer
from gretel.nodes.rewrite.queries import beside


class GenerativeRewriter:
    """Writes queries beside the request; in later rounds, which it did not learn, by rule."""

    def __init__(self, writer: Writer | None, weight: float, catalog: Catalog) -> None:
        """Give what `writer` writes a share of `weight`; None: it has nothing to say."""
        self._writer = writer
        self._weight = weight
        self._later = FeedbackRewriter(catalog)

    @classmethod
    async def open(cls, folder: Path, catalog: Catalog, *, encoder: str | None = None) -> Self:
        """The artefact in `folder`, for the catalogue, base and encoder that it was trained with.

        Its base is not even opened where its queries did not help.

        Raises:
            ConfigurationError: no artefact, another catalogue, another encoder, or its base cannot
                be loaded or is another one.
            IndexCorrupt: a file is missing or was changed.
        """
        artifact = await asyncio.to_thread(read_artifact, folder)
        await asyncio.to_thread(check_belonging, artifact.manifest, catalog, encoder, folder)
        weight = artifact.manifest.calibration.weight
        writer = await asyncio.to_thread(opened, artifact) if weight else None
        return cls(writer, weight, catalog)

    async def rewrite(
        self, request: Request, feedback: Sequence[Trial] | None = None
    ) -> list[RetrievalQuery]:
        """See `QueryRewriter.rewrite`: at most four queries beside the request.

        Raises:
            ModelReplyError: it wrote nothing that is a query, or came to no end.
        """
        if feedback:
            return await self._later.rewrite(request, feedback)
        text = in_view(request)
        if self._writer is None or not text.strip():
            return [RetrievalQuery(text=text)]
        (written,) = await asyncio.to_thread(self._writer.write, [text])
        if not written.queries:
            why = "no query" if written.ended else f"no end within {MOST} tokens"
            raise ModelReplyError(f"the trained rewriter wrote {why}")
        return beside(text, written.queries, "rewrite", weight=self._weight)


def opened(artifact: Artifact, *, device: str = "cpu") -> Writer:
    """The base, tuned as it was in training; raises as `check_base` does."""
    shape = artifact.manifest.shape
    base = open_base(shape.base, device=device)
    check_base(base, Known(shape.base_digest, shape.vocabulary, shape.template))
    base.weights.tune(whole(artifact.weights, base.weights.known))
    return Writer(base)
