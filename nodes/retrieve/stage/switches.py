"""How candidates are made, whatever the retriever: the switches of the candidate stage."""

from typing import Literal, TypeAlias

from gretel.contracts.record import Record
from gretel.nodes.retrieve.semantic.fusion import ScoredBy

Coherence: TypeAlias = Literal["full", "parts", "none"]
"""`full`: candidates gain from others of their toolkit, and by serving a part of the request;
`parts`: without the toolkits; `none`: the retriever's own scores stand."""


class CandidateStage(Record):
    """Switches of the candidate stage."""

    split: bool = True
    """Also retrieve for the parts of a request."""
    shape: bool = True
    """Also weigh the shape of operations, besides their descriptions."""
    fusion: ScoredBy = "both"
    """What the semantic retriever scores by."""
    coherence: Coherence = "full"
    """Whether candidates are scored in view of each other; nothing without `split`, because only
    parts of a request set candidates against each other."""
