"""The candidates of a request and of its parts in one pool, scored in view of each other."""

import math
from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from gretel.contracts.ranking import Candidate
from gretel.contracts.tool import ToolId
from gretel.nodes.retrieve.odds import Array, log_odds, scores_in
from gretel.nodes.retrieve.semantic.fusion import is_named, named_first
from gretel.nodes.retrieve.stage.coherence import Coherence, features

DEPTH = 50
"""Candidates that are looked at, at least."""
PROPOSED = 10
"""Candidates of each part that join them."""

Found: TypeAlias = tuple[Candidate, ...]


def rescored(
    coherence: Coherence,
    whole: Found,
    parts: Sequence[Found],
    toolkit_of: Callable[[ToolId], Hashable],
) -> Found:
    """The candidates of a request and of its parts, scored in view of each other, best first.

    Of one part at least; `toolkit_of` is None for a tool that is alone.
    """
    if not any((whole, *parts)):
        return whole
    pool = pooled(whole, parts, toolkit_of)
    chances = coherence.probabilities(pool.values, pool.toolkits)
    named = np.array([is_named(found) for found in pool.candidates])
    scores = named_first(chances, named)
    order = sorted(range(len(scores)), key=lambda row: (-scores[row], pool.candidates[row].tool_id))
    return tuple(
        pool.candidates[row].model_copy(
            update={"score": float(scores[row]), "rank": rank, "parts": pool.parts(row)}
        )
        for rank, row in enumerate(order, 1)
    )


class Pool(NamedTuple):
    """The candidates of a request and of its parts, with the `FEATURES` of each."""

    candidates: Found
    toolkits: Sequence[Hashable]
    values: Array

    def parts(self, row: int) -> dict[str, float]:
        """What the score of one candidate is made of."""
        given = self.candidates[row].parts
        own, votes = (float(value) for value in self.values[row, :2])
        return {**given, "own": 1 / (1 + math.exp(-own)), "votes": votes}


def pooled(whole: Found, parts: Sequence[Found], toolkit_of: Callable[[ToolId], Hashable]) -> Pool:
    """What the whole request found, and the first of each part, with their `FEATURES`.

    There are parts, and somewhere a tool was found.
    """
    pool = {found.tool_id: found for found in whole}
    for proposed in parts:
        for found in proposed[:PROPOSED]:
            pool.setdefault(found.tool_id, found)
    own = log_odds(scores_in(whole, pool))
    rows = log_odds([scores_in(found, pool) for found in parts])
    toolkits = [toolkit_of(name) for name in pool]
    return Pool(tuple(pool.values()), toolkits, features(own, rows, toolkits))
