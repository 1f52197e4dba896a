"""Measures as other people's scripts count them, to set our rows beside their tables.

They are wrong on purpose, and stand under names that say so. `compat:colt:…` is COLT's counting
(Qu et al., CIKM 2024; MassTool's is the same): a judgement that stands twice counts twice, so that
its request can never be complete and its nDCG may exceed 1. `compat:toolgen:nDCG@k` is ToolGen's
(Wang et al., ICLR 2025): the ideal is made of what was retrieved, so that right tools that were not
found cost nothing; its lists have five places.
"""

import math
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from gretel.contracts.tool import ToolId

COLT_DEPTHS = (3, 5)
TOOLGEN_DEPTHS = (1, 3, 5)
TOOLGEN_LIST = 5
"""Places of the lists that ToolGen scores."""

Counts = Mapping[ToolId, int]
"""Right tools, and how often the judgements name each."""


def compat_measures(
    rankings: Mapping[str, Sequence[ToolId]], gold: Mapping[str, Counts]
) -> dict[str, float]:
    """All compat measures of one pipeline, means over the judged requests; empty without any.

    A judged request without a ranking counts 0; one without right tools is left out, as these
    scripts do.
    """
    judged = [(request, counts) for request, counts in gold.items() if counts]
    found = [_measured(rankings.get(request, ()), counts) for request, counts in judged]
    names = found[0] if found else {}
    return {name: sum(each[name] for each in found) / len(found) for name in names}


def _measured(ranking: Sequence[ToolId], counts: Counts) -> dict[str, float]:
    found: dict[str, float] = {}
    for k in COLT_DEPTHS:
        found[f"compat:colt:R@{k}"] = colt_recall(ranking, counts, k)
        found[f"compat:colt:nDCG@{k}"] = colt_ndcg(ranking, counts, k)
        found[f"compat:colt:Completeness@{k}"] = colt_completeness(ranking, counts, k)
    for k in TOOLGEN_DEPTHS:
        found[f"compat:toolgen:nDCG@{k}"] = toolgen_ndcg(ranking, counts.keys(), k)
    return found


def colt_recall(ranking: Sequence[ToolId], counts: Counts, k: int) -> float:
    """Share of all judgements, repeated ones counted again, whose tool stands in the first k."""
    return sum(counts.get(tool, 0) for tool in ranking[:k]) / sum(counts.values())


def colt_ndcg(ranking: Sequence[ToolId], counts: Counts, k: int) -> float:
    """A tool gains as often as it is judged; the ideal is that many places with a gain of 1."""
    ideal = _dcg([1] * min(sum(counts.values()), k))
    return _dcg([counts.get(tool, 0) for tool in ranking[:k]]) / ideal


def colt_completeness(ranking: Sequence[ToolId], counts: Counts, k: int) -> float:
    """1 where the tools judged once in the first k are as many as all judgements, else 0."""
    return float(sum(counts.get(t, 0) == 1 for t in ranking[:k]) == sum(counts.values()))


def toolgen_ndcg(ranking: Sequence[ToolId], gold: AbstractSet[ToolId], k: int) -> float:
    """Gain over an ideal of those right tools alone that the list has; 0 where it has none."""
    gains = [int(tool in gold) for tool in ranking[:TOOLGEN_LIST]]
    ideal = _dcg(sorted(gains, reverse=True)[:k])
    return _dcg(gains[:k]) / ideal if ideal else 0.0


def _dcg(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(place + 1) for place, gain in enumerate(gains, 1))
