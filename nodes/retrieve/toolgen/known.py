"""The tools of a ToolGen as one retrieval sees them, and the best of those that were learnt."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Self

from torch import Tensor

from gretel.contracts.ranking import Candidate
from gretel.contracts.tool import ToolId
from gretel.nodes.retrieve.artifact.chances import Calibration
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
