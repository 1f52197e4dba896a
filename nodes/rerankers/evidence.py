"""Deterministic re-ranking: what retrieval believed, updated by what the trial showed.

The reference that the LLM re-ranker must beat (GRETEL, section 3.2.2, without the LLM). A retrieval
score is read as the probability that the tool serves the request, and the evidence as a likelihood
ratio: how much oftener a right tool shows it than a wrong one. Their logarithms add (Bayes' rule
with independent evidence). So evidence adjusts the score and does not replace it: a clear failure
outweighs nearly any score, a refusal is soft, because a refused tool is often the right one, one
question away from being usable.
"""

import math
from collections.abc import Sequence

from gretel.catalog import Catalog
from gretel.contracts.ranking import RankedTool, Ranking, Request
from gretel.contracts.tool import Tool, ToolId
from gretel.contracts.trial import CallPlan, Failure, FailureKind, Refusal, Trial
from gretel.nodes.rerankers.reasons import reason_for

# Natural logarithms of likelihood ratios; 0 says nothing. Set with an eye to trials of development
# requests (toolbench_g1 and callnavi dev halves, sealtools dev), not fitted by a script; never to a
# half that is reported. `gretel evaluate --half dev` shows what a change does.
SIMULATED = -0.1
"""A simulated success never outranks an executed one, which counts 0, at equal relevance."""
SEVERAL = 1.6
"""For a call that draws on two parts of the request or more: a tool that has a place for what the
request says was meant. One part says nothing: any search takes a word."""
DOUBT = -0.6
"""For a plan, in proportion to the planner's doubt that this is the call that was asked for."""
REFUSED = -1.2
"""At full confidence of the refusal, in proportion below it. Tools of the StableToolBench protocol
are exempt: their documents call parameters required that are not, and right tools were refused as
often as wrong ones."""
UNMET = -0.2
"""For each required value that was filled from a sample only."""
EMPTY = -6.0
FAILED: dict[FailureKind, float] = {
    "rejected_arguments": -1.0,  # the tool lives; our plan was wrong
    "rate_limit": -0.5,  # these three pass, and are forgiven where the simulator stepped in
    "timeout": -1.5,
    "server_error": -1.5,
    "irrelevant": EMPTY,
    "error_in_body": -6.0,
}
CLEAR_FAILURE = -8.0
"""Failures of the tool that are not listed above: it does not work now."""

TIE = math.log(2.0)
"""Executed successes whose odds differ by less than a factor of two are equally relevant as far as
retrieval can tell; among them the faster tool is the better one."""
LATENCY_RATIO = 2.0
LATENCY_MS = 250.0
"""Steps so coarse that rankings repeat: twice as slow, and by at least this much."""
IMPOSSIBLE = 0.001
CERTAIN = 0.99
"""Scores are read as no more certain than these, so that evidence can always speak."""


class EvidenceReranker:
    """Orders by log-odds of retrieval plus weight of evidence; latency orders only ties."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    async def rerank(self, request: Request, trials: Sequence[Trial]) -> Ranking:
        """A permutation of the trials' tools; the order of `trials` does not matter."""
        scored = sorted(
            ((log_odds(trial, self._catalog[trial.tool_id]), trial) for trial in trials),
            key=lambda pair: (-pair[0], pair[1].rank_before, pair[1].tool_id),
        )
        order = by_latency(scored)
        return Ranking(
            tools=tuple(
                RankedTool(
                    tool_id=trial.tool_id,
                    rank=rank,
                    rank_before=trial.rank_before,
                    score=_probability(score),
                    reason=reason_for(trial, slower_than=slower),
                )
                for rank, (score, trial, slower) in enumerate(order, 1)
            )
        )


def log_odds(trial: Trial, tool: Tool) -> float:
    """Logarithm of the odds that the tool serves the request, evidence included."""
    prior = min(max(trial.retrieval_score, IMPOSSIBLE), CERTAIN)
    return round(math.log(prior / (1 - prior)) + weight(trial, tool), 6)


def _probability(odds: float) -> float:
    return round(1 / (1 + math.exp(-odds)), 6)


def weight(trial: Trial, tool: Tool) -> float:
    """What the trial's evidence adds to the log-odds; negative for a demotion."""
    if isinstance(trial.plan, Refusal):
        exempt = trial.plan.reason == "needs_other_tool" or tool.binding.kind == "virtual"
        return 0.0 if exempt else REFUSED * trial.plan.confidence
    return _plan_weight(trial, trial.plan) + _outcome_weight(trial)


def _plan_weight(trial: Trial, plan: CallPlan) -> float:
    several = SEVERAL * plan.confidence if len(_used(trial)) > 1 else 0.0
    return several + DOUBT * (1 - plan.confidence) + UNMET * len(plan.unmet)


def _outcome_weight(trial: Trial) -> float:
    if trial.executed.status == "succeeded":
        return 0.0
    if trial.executed.status == "empty":
        return EMPTY
    if trial.simulated is not None and trial.simulated.status == "succeeded":
        return SIMULATED
    return _failure_weight(trial.executed.failure)


def _failure_weight(failure: Failure | None) -> float:
    """What is ours (policy, budget, our network) says nothing about the tool."""
    if failure is None or failure.fault == "ours":
        return 0.0
    return FAILED.get(failure.kind, CLEAR_FAILURE)


def by_latency(
    scored: Sequence[tuple[float, Trial]],
) -> list[tuple[float, Trial, ToolId | None]]:
    """Reorder tied executed successes by latency; also say which tool a slower one stands behind.

    A run of ties starts at its best-scored tool and takes the successes behind it that answer the
    same need about as well: odds within `TIE`, and calls that draw on the same parts of the
    request.
    """
    ordered: list[tuple[float, Trial, ToolId | None]] = []
    rest = list(scored)
    while rest:
        run = _tied(rest)
        rest = [pair for pair in rest if pair not in run]
        ordered.extend(_fastest_first(run))
    return ordered


def _tied(rest: Sequence[tuple[float, Trial]]) -> list[tuple[float, Trial]]:
    lead, first = rest[0]
    if not _succeeded(first):
        return [rest[0]]
    return [
        (score, trial)
        for score, trial in rest
        if trial is first or (_succeeded(trial) and lead - score < TIE and _same_need(first, trial))
    ]


def _succeeded(trial: Trial) -> bool:
    return isinstance(trial.plan, CallPlan) and trial.executed.status == "succeeded"


def _same_need(one: Trial, other: Trial) -> bool:
    """Whether two calls draw mostly on the same parts of the request."""
    mine, theirs = _used(one), _used(other)
    return len(mine & theirs) * 2 > len(mine | theirs)


def _used(trial: Trial) -> frozenset[tuple[int, int]]:
    if not isinstance(trial.plan, CallPlan):
        return frozenset()
    return frozenset(
        argument.span
        for argument in trial.plan.arguments.values()
        if argument.source == "request" and argument.span is not None
    )


def _fastest_first(
    run: Sequence[tuple[float, Trial]],
) -> list[tuple[float, Trial, ToolId | None]]:
    steps = {trial.tool_id: _step(trial, run) for _, trial in run}
    # Stable: within a step the order by score stays.
    order = sorted(run, key=lambda pair: steps[pair[1].tool_id])
    fastest = order[0][1].tool_id
    return [(score, trial, fastest if steps[trial.tool_id] > 0 else None) for score, trial in order]


def _step(trial: Trial, run: Sequence[tuple[float, Trial]]) -> int:
    """How many coarse steps slower than the fastest of the run."""
    latencies = sorted(_latency(other) for _, other in run)
    step, base = 0, latencies[0]
    for latency in latencies:
        if latency > _latency(trial):
            break
        if latency >= base * LATENCY_RATIO and latency - base >= LATENCY_MS:
            step, base = step + 1, latency
    return step


def _latency(trial: Trial) -> float:
    return trial.executed.latency_ms or 0.0
