"""Deterministic re-ranking: what retrieval believed, updated by what the trial showed.

The reference that the LLM re-ranker must beat (GRETEL, section 3.2.2, without the LLM). A retrieval
score is read as the probability that the tool serves the request, and the evidence as a likelihood
ratio: how much oftener a right tool shows it than a wrong one. Their logarithms add (Bayes' rule
with independent evidence). So evidence adjusts the score and does not replace it: a clear failure
outweighs nearly any score, a refusal is soft, because a refused tool is often the right one, one
question away from being usable.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Self, TypeAlias

from gretel.catalog import Catalog
from gretel.catalog.effects.asked import asks_change
from gretel.catalog.ownership import Owner, owner_of
from gretel.contracts.ranking import RankedTool, Ranking, Request
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import CallPlan, Trial
from gretel.nodes.rerank.answer_words import answer_words
from gretel.nodes.rerank.failures import failure_weight
from gretel.nodes.rerank.grounding import consumed_spans, groundings
from gretel.nodes.rerank.order import Scored, kept_behind
from gretel.nodes.rerank.reasons import reason_for
from gretel.nodes.rerank.unshown import Unshown, unshown
from gretel.nodes.rerank.weight import Soft, soft_evidence, soft_weight
from gretel.text.span import Span
from gretel.workers import off_loop

TIE, NARROW_TIE = math.log(5.5), math.log(1.25)
"""Executed successes whose odds differ by less than this factor are equally relevant as far as
retrieval can tell; among them the faster tool is the better one. So wide that two tools that do
the same are a tie where the encoder prefers the words of one (decision 0004), if their calls share
two spans of the request at least: one number or name is taken by tools for quite other things."""
LATENCY_RATIO = 2.0
LATENCY_MS = 250.0
"""Steps so coarse that rankings repeat: twice as slow, and by at least this much."""
IMPOSSIBLE = 0.001
CERTAIN = 0.99
"""Scores are read as no more certain than these, so that evidence can always speak: as no less than
that part of the best, for where nothing seems to fit the order of retrieval counts as well."""
RETRIEVAL = 1.25
"""How much each nat counts by which retrieval holds a tool less likely than its best: by how good
the best is scores are calibrated, and by their distances they are too modest. On trials of
development requests the loss is least here (decision 0004)."""


Placed: TypeAlias = tuple[float, Trial, ToolId | None]
"""Log-odds, a trial, and the faster tool that it stands behind."""


class EvidenceReranker:
    """Orders by log-odds of retrieval plus weight of evidence; latency orders only ties."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    async def rerank(self, request: Request, trials: Sequence[Trial]) -> Ranking:
        """A permutation of the trials' tools; the order of `trials` does not matter."""
        return await off_loop(self._ranked, request, trials)

    def _ranked(self, request: Request, trials: Sequence[Trial]) -> Ranking:
        asked = asks_change(request.text)
        hidden = unshown(trials, self._catalog, asked)
        prior = prior_odds(trials)
        soft = soft_of(request.text, trials, self._catalog, hidden)
        weighed = [
            _scored(t, prior[t.tool_id] + soft_weight(soft[t.tool_id]), hidden[t.tool_id].mute)
            for t in trials
        ]
        scored = sorted(
            ((each.odds, each.trial) for each in kept_behind(weighed, self._catalog, asked)),
            key=lambda pair: (-pair[0], pair[1].rank_before, pair[1].tool_id),
        )
        order = by_latency(scored, self._catalog)
        return Ranking(
            tools=tuple(
                RankedTool(
                    tool_id=trial.tool_id,
                    rank=rank,
                    rank_before=trial.rank_before,
                    score=_probability(score),
                    reason=reason_for(trial, slower_than=slower),
                    slower_than=slower,
                )
                for rank, (score, trial, slower) in enumerate(order, 1)
            )
        )


def soft_of(
    text: str, trials: Sequence[Trial], catalog: Catalog, hidden: Mapping[ToolId, Unshown]
) -> dict[ToolId, dict[Soft, float]]:
    """The soft evidence of each tool, in view of the other trials of the request `text`."""
    grounding, words = groundings(trials), answer_words(text, trials, catalog)
    return {
        trial.tool_id: soft_evidence(
            trial,
            catalog[trial.tool_id],
            grounding[trial.tool_id],
            credit=hidden[trial.tool_id].credit,
            words=words.get(trial.tool_id, 0.0),
        )
        for trial in trials
    }


def _scored(trial: Trial, odds: float, mute: float) -> Scored:
    """The tool with the log-odds that it serves the request, before its outcome and after."""
    return Scored(round(odds + failure_weight(trial, mute), 6), round(odds, 6), trial)


def prior_odds(trials: Sequence[Trial]) -> dict[ToolId, float]:
    """Logarithm of the odds that each tool serves the request, before its trial."""
    most = max((trial.retrieval_score for trial in trials), default=0.0)
    floor = IMPOSSIBLE * max(most, IMPOSSIBLE)
    seen = {trial.tool_id: _retrieved(trial, floor) for trial in trials}
    best = max(seen.values(), default=0.0)
    return {tool_id: best + RETRIEVAL * (odds - best) for tool_id, odds in seen.items()}


def _retrieved(trial: Trial, floor: float) -> float:
    prior = min(max(trial.retrieval_score, floor), CERTAIN)
    return math.log(prior / (1 - prior))


def _probability(odds: float) -> float:
    return round(1 / (1 + math.exp(-odds)), 6)


def by_latency(scored: Sequence[tuple[float, Trial]], catalog: Catalog) -> list[Placed]:
    """Reorder tied executed successes by latency; also say which tool a slower one stands behind.

    A run of ties starts at its best-scored tool and takes the successes behind it that answer the
    same need about as well: odds within `TIE`, calls that consume the same spans of the request,
    and each the first of its toolkit. What one server takes longer for is more work, and may be
    just what was asked.
    """
    places: dict[Span, int] = {}
    done = {trial.tool_id: _Done.of(trial, catalog, places) for _, trial in scored}
    ordered: list[Placed] = []
    rest = list(scored)
    while rest:
        run = _tied(rest, done)
        taken = {trial.tool_id for _, trial in run}
        rest = [pair for pair in rest if pair[1].tool_id not in taken]
        ordered.extend(_fastest_first(run))
    return [*_said_slower(ordered, done)]


class _Done(NamedTuple):
    """What is compared of two trials, read once."""

    succeeded: bool
    owner: Owner
    took: int
    """A bit for each span of the request, for all pairs are compared by them."""

    @classmethod
    def of(cls, trial: Trial, catalog: Catalog, places: dict[Span, int]) -> Self:
        """The trial, with a place for each span that none before it took."""
        took = sum(1 << places.setdefault(span, len(places)) for span in consumed_spans(trial))
        return cls(_succeeded(trial), owner_of(catalog[trial.tool_id]), took)


def _said_slower(ordered: Sequence[Placed], done: Mapping[ToolId, _Done]) -> Iterator[Placed]:
    """With the faster tool that a success stands behind anyhow, though relevance put it there."""
    for place, (score, trial, slower) in enumerate(ordered):
        own = done[trial.tool_id]
        ahead = (
            other.tool_id
            for _, other, _ in (ordered[:place] if own.succeeded and not slower else ())
            if done[other.tool_id].succeeded
            and done[other.tool_id].owner != own.owner
            and _step(trial, [(score, other), (score, trial)])
            and _same_need(done[other.tool_id], own)
        )
        yield score, trial, slower or next(ahead, None)


def _tied(
    rest: Sequence[tuple[float, Trial]], done: Mapping[ToolId, _Done]
) -> list[tuple[float, Trial]]:
    lead, first = rest[0]
    leader = done[first.tool_id]
    run, owners = [rest[0]], {leader.owner}
    for score, trial in rest[1:] if leader.succeeded else ():
        if lead - score >= TIE:
            break
        own = done[trial.tool_id]
        tied = lead - score < NARROW_TIE or (leader.took & own.took).bit_count() > 1
        if tied and own.succeeded and own.owner not in owners and _same_need(leader, own):
            run.append((score, trial))
            owners.add(own.owner)
    return run


def _succeeded(trial: Trial) -> bool:
    return isinstance(trial.plan, CallPlan) and trial.executed.status == "succeeded"


def _same_need(one: _Done, other: _Done) -> bool:
    """Whether two calls consume mostly the same spans of the request."""
    return (one.took & other.took).bit_count() * 2 > (one.took | other.took).bit_count()


def _fastest_first(run: Sequence[tuple[float, Trial]]) -> list[Placed]:
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
