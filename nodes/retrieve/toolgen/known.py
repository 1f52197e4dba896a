"""The tools of a ToolGen as one retrieval sees them: the best that were learnt, and newcomers.

A new tool's row comes from its document, and the model ranks it among all others by that. The
semantic retriever reads the same document with no knowledge of this catalogue's requests. Each
newcomer takes the better of both places, but the first is given by the model alone. Where it is not
sure of any tool that was learnt, the request is hardly like those that taught it, and the semantic
retriever may give the first place, too.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Self

from torch import Tensor

from gretel.contracts.ranking import Candidate
from gretel.contracts.tool import ToolId
from gretel.nodes.retrieve.artifact.manifest import Calibration
from gretel.nodes.retrieve.toolgen.decoding import Decoding, shares, taken
from gretel.nodes.retrieve.toolgen.slots import Slots


class Seen(NamedTuple):
    """What a retrieval sees from its beginning to its end, whatever is added meanwhile."""

    slots: Slots
    here: Mapping[int, ToolId]
    """Tools by their slots."""
    used: Sequence[int]
    """Slots of those that were learnt from requests, by tool_id."""
    new: Mapping[ToolId, int]
    """Slots of those that were not."""
    digests: Mapping[ToolId, str]

    @classmethod
    def of(cls, slots: Slots) -> Self:
        """What there is of `slots`."""
        here = {slot: slots.at(slot).tool_id for slot in slots.present()}
        return cls(
            slots,
            here,
            sorted(slots.with_status("trained"), key=lambda slot: here[slot]),
            {here[slot]: slot for slot in slots.with_status("new")},
            {here[slot]: slots.at(slot).digest for slot in here},
        )


def best_known(seen: Seen, scores: Tensor, calibration: Calibration, k: int) -> Iterator[Candidate]:
    """The best `k` of the tools that were learnt, best first; ties by tool_id."""
    if not seen.used:
        return
    believed = shares(scores[None], seen.used)
    found = taken(believed, seen.used, k, Decoding())[0]
    least = found[-1].share if found else math.inf
    tied = [n for n, share in enumerate(believed[0].exp().tolist()) if share >= least]
    tied.sort(key=lambda n: (-float(believed[0, n]), seen.here[seen.used[n]]))
    for rank, place in enumerate(tied[:k], 1):
        share = float(believed[0, place])
        yield Candidate(
            tool_id=seen.here[seen.used[place]],
            score=float(calibration.serves(share)),
            rank=rank,
            parts={"share": math.exp(share)},
        )


_LEAST = 1e-30
SECOND = 2
"""The first place that the semantic retriever may give a newcomer before a learnt tool of which
the model is sure."""


def placed(
    new: Mapping[ToolId, int],
    used: Sequence[int],
    scores: Tensor,
    calibration: Calibration,
    found: Sequence[Candidate],
    k: int,
    *,
    sure: bool,
) -> list[Candidate]:
    """Newcomers by their places, each with the score that it has it by.

    Those that the semantic retriever `found` have their places among all tools there. `sure`:
    whether the model is sure of a tool that was learnt.
    """
    if not new:
        return []
    by_model = _by_model(new, used, scores, calibration, k)
    first = SECOND if sure else 1
    by_text = {
        each.tool_id: each.model_copy(update={"rank": max(first, each.rank)}) for each in found
    }
    best = [
        min(
            (found[name] for found in (by_model, by_text) if name in found),
            key=lambda each: each.rank,
        )
        for name in {**by_model, **by_text}
    ]
    return sorted(best, key=lambda each: (each.rank, -each.score, each.tool_id))


def _by_model(
    new: Mapping[ToolId, int], used: Sequence[int], scores: Tensor, calibration: Calibration, k: int
) -> dict[ToolId, Candidate]:
    """Those among the first `k` of all tools."""
    names = {slot: name for name, slot in new.items()}
    choice = [*used, *names]
    found = taken(shares(scores[None], choice), choice, k, Decoding())[0]
    ranks = {slot: rank for rank, (slot, _) in enumerate(found, 1) if slot in names}
    chances = {slot: calibration.serves(math.log(max(share, _LEAST))) for slot, share in found}
    return {
        names[slot]: Candidate(tool_id=names[slot], score=float(chances[slot]), rank=rank)
        for slot, rank in ranks.items()
    }
