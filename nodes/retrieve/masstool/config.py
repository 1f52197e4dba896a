"""What a MassTool model is made of, and how it was trained."""

from typing import Literal, TypeAlias, get_args

from pydantic import Field

from gretel.contracts.record import Record

Component: TypeAlias = Literal[
    "detection", "graph", "search", "filter", "transfer", "contrast", "vote"
]
"""What can be left out: the tool-usage detection tower, the query-centric graph
convolution, search-based intent (all that neighbours say, votes too), its dynamic filter, the
transfer of knowledge from detection to retrieval, the contrastive loss, the label vote."""

COMPONENTS: tuple[Component, ...] = get_args(Component)

Preset: TypeAlias = Literal["none", "top-layers", "full"]
"""How much of the encoder the first stage tunes."""

Transfer: TypeAlias = Literal["gate", "attention", "concat", "add"]
"""How the detection state reaches retrieval; the paper's own is the gate (AdaKT)."""


class Shape(Record):
    """What decides the form of the model; an artefact carries it."""

    width: int = Field(ge=1)
    """Length of the encoder's vectors."""
    without: tuple[Component, ...] = ()
    transfer: Transfer = "gate"
    neighbours: int = Field(default=30, ge=1, le=1_000)
    """Requests of the pool that are asked, at most (the paper's K)."""
    threshold: float = Field(default=-1.0, ge=-1, le=1)
    """Neighbours less similar than this are not asked (the paper's ε); set from the development
    part, since what is near depends on the encoder."""

    def has(self, component: Component) -> bool:
        """Whether the model has it; the filter and the vote belong to the search."""
        if component in ("filter", "vote", "transfer", "contrast") and "search" in self.without:
            return False
        return component not in self.without
