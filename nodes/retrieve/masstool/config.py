"""What a MassTool model is made of, and how it was trained."""

from typing import Literal, TypeAlias, get_args

from pydantic import Field

from gretel.contracts.record import Record

Part: TypeAlias = Literal["detection", "graph", "search", "filter", "transfer", "contrast", "vote"]
"""A part that can be left out: the tool-usage detection tower, the query-centric graph
convolution, search-based intent (all that neighbours say, votes too), its dynamic filter, the
transfer of knowledge from detection to retrieval, the contrastive loss, the label vote."""

PARTS: tuple[Part, ...] = get_args(Part)

Preset: TypeAlias = Literal["none", "top-layers", "full"]
"""How much of the encoder the first stage tunes."""

Transfer: TypeAlias = Literal["gate", "attention", "concat", "add"]
"""How the detection state reaches retrieval; the paper's own is the gate (AdaKT)."""


class Shape(Record):
    """What decides the form of the model; an artefact carries it."""

    width: int = Field(ge=1)
    """Length of the encoder's vectors."""
    without: tuple[Part, ...] = ()
    transfer: Transfer = "gate"
    neighbours: int = Field(default=30, ge=1)
    """Requests of the pool that are asked, at most (the paper's K)."""
    threshold: float = Field(default=-1.0, ge=-1, le=1)
    """Neighbours less similar than this are not asked (the paper's ε); set from the development
    part, since what is near depends on the encoder."""

    def has(self, part: Part) -> bool:
        """Whether the model has this part; the filter and the vote are parts of the search."""
        if part in ("filter", "vote", "transfer", "contrast") and "search" in self.without:
            return False
        return part not in self.without
