"""Scores as log-odds, in which evidence adds up."""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from gretel.contracts.ranking import Candidate
from gretel.contracts.tool import ToolId

Array = npt.NDArray[np.float64]

_SURE = 1e-6
"""Probabilities nearer to 0 or 1 are read as this near."""


def log_odds(scores: npt.ArrayLike) -> Array:
    """Natural logarithms of the odds of probabilities."""
    chances = np.clip(np.asarray(scores, dtype=np.float64), _SURE, 1 - _SURE)
    return np.asarray(np.log(chances / (1 - chances)))


def scores_in(found: Sequence[Candidate], pool: Iterable[ToolId]) -> list[float]:
    """The scores of the pool's tools in one list; one that it lacks is as likely as its last."""
    scores = {candidate.tool_id: candidate.score for candidate in found}
    least = min(scores.values(), default=0.0)
    return [scores.get(tool_id, least) for tool_id in pool]
