"""Where tools that nothing was learnt of stand among those that were."""

from collections.abc import Mapping, Sequence

from torch import Tensor

from gretel.contracts.ranking import Candidate
from gretel.contracts.tool import ToolId
from gretel.nodes.retrieve.artifact.chances import Calibration
from gretel.nodes.retrieve.odds import log_odds
from gretel.nodes.retrieve.toolgen.decoding import shares


def placed(
    new: Mapping[ToolId, int],
    used: Sequence[int],
    scores: Tensor,
    calibration: Calibration,
    known: Sequence[Candidate],
    found: Sequence[Candidate],
) -> list[Candidate]:
    """What the semantic retriever found of new tools, by its word and the model's.

    The mean of both log odds decides which learnt tools stand before each.
    """
    if not found:
        return []
    tools = [new[each.tool_id] for each in found]
    believed = shares(scores[None], [*used, *tools])[0, len(used) :]
    chances = calibration.serves(believed.numpy())
    semantic = log_odds([each.score for each in found])
    odds = (log_odds(chances.tolist()) + semantic) / 2
    learnt = log_odds([each.score for each in known])
    order = sorted(range(len(found)), key=lambda n: (-odds[n], found[n].tool_id))
    return [
        found[n].model_copy(update={"rank": place + int((learnt > odds[n]).sum())})
        for place, n in enumerate(order, 1)
    ]
