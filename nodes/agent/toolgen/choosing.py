"""Which tool an agent that is a language model takes: what it learnt, and what it only read of.

Training compared the end and the tools of its records with each other, and with no other tool: the
end is soon likelier than any tool that no record had. So whether to end is read among what was
learnt alone, and a tool that was not learnt has the place at which it is offered, as in retrieval.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from torch import Tensor

from gretel.contracts.ranking import Candidate
from gretel.contracts.tool import ToolId
from gretel.nodes.retrieve.artifact.cold import SURE, together
from gretel.nodes.retrieve.toolgen.decoding import Decoding, shares, taken
from gretel.nodes.retrieve.toolgen.slots import FINISH, Slots


def choice(
    scores: Tensor, slots: Slots, offered: Sequence[ToolId], tried: AbstractSet[ToolId]
) -> ToolId | None:
    """One of the tools `offered`, likeliest first, all of which have a slot; None: the end.

    `scores`: (1, slots). Tools that were `tried` stand behind others that were not learnt either.
    """
    here, learnt = slots.by_id(), slots.with_status("trained")
    own = {here[name]: name for name in offered}
    if not learnt:
        return own.get(_ranked(scores, [FINISH, *own])[0][0])
    ranked = dict(_ranked(scores, [FINISH, *learnt]))
    ended = ranked.pop(FINISH)
    if ended >= SURE:
        return None
    known = [
        Candidate(tool_id=own[slot], score=min(1.0, share / (1 - ended)), rank=rank)
        for rank, (slot, share) in enumerate(ranked.items(), 1)
        if slot in own
    ]
    unknown = {here[name] for name in offered} - set(learnt)
    new = [
        Candidate(tool_id=name, score=0.0, rank=rank)
        for rank, name in enumerate(sorted(offered, key=lambda name: name in tried), 1)
        if here[name] in unknown
    ]
    return together(known, new, 1, {})[0].tool_id


def _ranked(scores: Tensor, permitted: Sequence[int]) -> list[tuple[int, float]]:
    """Slots with their shares, likeliest first."""
    return [
        (found.slot, found.share)
        for found in taken(shares(scores, permitted), permitted, len(permitted), Decoding())[0]
    ]
