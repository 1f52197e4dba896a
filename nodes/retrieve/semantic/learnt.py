"""What may change scores beside dense and sparse ones: what was trained on judged requests."""

from collections.abc import Sequence
from typing import Protocol

from gretel.contracts.tool import Tool
from gretel.nodes.retrieve.encoding.encoder import Matrix


class Learnt(Protocol):
    """What a trained rewriter knows of the tools of one index."""

    def change(self, requests: Matrix) -> Matrix:
        """Request × tool: what is added to the log-odds."""
        ...


class VectorRewriter(Protocol):
    """Changes what request vectors find, without another pass of the encoder."""

    def over(self, tools: Sequence[Tool], vectors: Matrix) -> Learnt | None:
        """What it knows of `tools`, which have these vectors; None where it changes nothing.

        Raises:
            ConfigurationError: they are those of another encoder.
        """
        ...
