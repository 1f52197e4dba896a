"""Re-rankers that weigh nothing: what the product's own is held against."""

from collections.abc import Callable, Sequence

from gretel.contracts.ranking import RankedTool, Ranking, Request
from gretel.contracts.trial import Refusal, Trial

REFUSED_DOWN = 1.5
"""Places that `PlainRule` moves a refused tool down: behind the next one, unless that is too."""


class RetrievalOrder:
    """A re-ranker that leaves all as it came."""

    async def rerank(self, request: Request, trials: Sequence[Trial]) -> Ranking:
        """The tools by their place in retrieval."""
        return _ranking(trials, lambda trial: (False, trial.rank_before))


class PlainRule:
    """Clear failures behind everything else, refusals slightly down, else retrieval's order.

    A failure is clear where the tool answered without content, or the failure is the tool's own;
    one that is transient (a limit, a timeout, a server that says so) is none, nor are arguments of
    ours that it rejected. What was simulated is not looked at.
    """

    async def rerank(self, request: Request, trials: Sequence[Trial]) -> Ranking:
        """The tools by whether they clearly failed, then by place."""
        return _ranking(trials, lambda trial: (_failed(trial), trial.rank_before + _down(trial)))


_TRANSIENT = frozenset({"rate_limit", "timeout"})


def _failed(trial: Trial) -> bool:
    if trial.executed.status == "empty":
        return True
    failure = trial.executed.failure
    if trial.executed.status != "failed" or failure is None or failure.fault != "tool":
        return False
    return not failure.transient and failure.kind not in _TRANSIENT


def _down(trial: Trial) -> float:
    return REFUSED_DOWN if isinstance(trial.plan, Refusal) else 0.0


def _ranking(trials: Sequence[Trial], key: Callable[[Trial], tuple[bool, float]]) -> Ranking:
    return Ranking(
        tools=tuple(
            RankedTool(
                tool_id=trial.tool_id,
                rank=rank,
                rank_before=trial.rank_before,
                score=trial.retrieval_score,
                reason=f"place {trial.rank_before} of retrieval",
            )
            for rank, trial in enumerate(sorted(trials, key=key), 1)
        )
    )
