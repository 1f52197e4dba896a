"""Measures of rankings, declared once; every judged request counts.

R, nDCG, P, RR and Judged are ir_measures' own, each by a fixed provider, so that one more
installed library does not change a number. Completeness, Pass and Viable are ours.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TypeAlias

from gretel.contracts.errors import InputError
from gretel.contracts.tool import ToolId

DEPTHS = (1, 3, 5, 10, 20)
"""Every k that a measure is cut at."""

Rankings: TypeAlias = Mapping[str, Sequence[ToolId]]
"""Tools by request, best first."""
Tools: TypeAlias = Mapping[str, AbstractSet[ToolId]]
"""Sets of tools by request."""


@dataclass(frozen=True, slots=True)
class MeasureTable:
    """Values of each measure, by its name (`nDCG@5`)."""

    values: Mapping[str, Mapping[str, float]]
    """Measure → request → value."""

    @property
    def means(self) -> dict[str, float]:
        """The mean of each measure over its requests; one without requests is left out."""
        return {
            name: sum(found.values()) / len(found) for name, found in self.values.items() if found
        }


def functioning_gold(gold: Tools, functioning: Tools) -> dict[str, frozenset[ToolId]]:
    """Judge on what functions: the right tools of each request that do.

    A request none of whose right tools functions is left out, and stands in no mean.
    """
    working = {request: frozenset(gold[request] & functioning[request]) for request in gold}
    return {request: tools for request, tools in working.items() if tools}


def _complete(rankings: Rankings, gold: Tools, k: int) -> dict[str, float]:
    """1 where all right tools stand in the first k, else 0 (COMP@k: COLT, Qu et al. 2024)."""
    return {request: float(gold[request] <= set(rankings[request][:k])) for request in gold}


def viable(ranking: Sequence[ToolId], functioning: AbstractSet[ToolId], k: int) -> float:
    """Share of the first k that functions, right or not; of a shorter ranking, of what there is.

    0 where nothing is offered.
    """
    first = ranking[:k]
    return sum(tool in functioning for tool in first) / len(first) if first else 0.0


def measure(runs: Rankings, gold: Tools, functioning: Tools | None = None) -> MeasureTable:
    """Measure one pipeline's rankings.

    A judged request whose ranking is missing, or empty, counts 0; rankings of requests that are not
    judged are not looked at. Without `functioning`, the ranked and right tools that function, there
    is no Pass@k and no Viable@k.

    Raises:
        InputError: a request without right tools, or a tool twice in one ranking.
    """
    rankings = {request: tuple(runs.get(request, ())) for request in gold}
    _check(rankings, gold)
    values = _standard(rankings, gold)
    for k in DEPTHS:
        values[f"Completeness@{k}"] = _complete(rankings, gold, k)
    if functioning is not None:
        values |= _of_functioning(rankings, gold, functioning)
    return MeasureTable(values)


def ndcg(rankings: Rankings, gold: Tools, k: int) -> float | None:
    """The mean nDCG@k alone, where a whole table would be waste; None where nothing is judged."""
    import ir_measures

    if not gold:
        return None
    measured = ir_measures.nDCG @ k
    known = {request: rankings.get(request, ())[:k] for request in gold}
    found = ir_measures.pytrec_eval.iter_calc([measured], _qrels(gold), _run(known))
    return sum(float(each.value) for each in found) / len(gold)


def _of_functioning(
    rankings: Rankings, gold: Tools, functioning: Tools
) -> dict[str, dict[str, float]]:
    """`Pass`: completeness of the right tools that function, where one does."""
    working = functioning_gold(gold, functioning)
    values: dict[str, dict[str, float]] = {}
    for k in DEPTHS:
        values[f"Pass@{k}"] = _complete(rankings, working, k)
        values[f"Viable@{k}"] = {
            request: viable(ranking, functioning[request], k)
            for request, ranking in rankings.items()
        }
    return values


def _standard(rankings: Rankings, gold: Tools) -> dict[str, dict[str, float]]:
    """What ir_measures computes; it gives 0 to a judged request without a ranking."""
    import ir_measures
    from ir_measures import RR, Judged, P, R, nDCG

    trec = [made @ k for made in (R, nDCG, P) for k in DEPTHS] + [RR]
    judged = [Judged @ k for k in DEPTHS]
    values: dict[str, dict[str, float]] = {str(name): {} for name in trec + judged}
    seen = {request: _looked_at(found, gold[request]) for request, found in rankings.items()}
    qrels, run = _qrels(gold), _run(seen)
    for provider, wanted in ((ir_measures.pytrec_eval, trec), (ir_measures.judged, judged)):
        for found in provider.iter_calc(wanted, qrels, run):
            values[str(found.measure)][found.query_id] = float(found.value)
    return values


def _looked_at(ranking: Sequence[ToolId], right: AbstractSet[ToolId]) -> Sequence[ToolId]:
    """The places that a measure reads: those of the deepest cut, and up to the first right tool."""
    first = next((place for place, tool in enumerate(ranking, 1) if tool in right), 0)
    return ranking[: max(first, *DEPTHS)]


def _qrels(gold: Tools) -> dict[str, dict[str, int]]:
    return {request: dict.fromkeys(map(str, tools), 1) for request, tools in gold.items()}


def _run(rankings: Rankings) -> dict[str, dict[str, float]]:
    """Distinct scores: trec_eval orders ties by document id, whatever the order given."""
    return {
        request: {str(tool): float(len(ranking) - place) for place, tool in enumerate(ranking)}
        for request, ranking in rankings.items()
        if ranking
    }


def _check(rankings: Rankings, gold: Tools) -> None:
    remedy = "Leave it out and count it, or repair the ranking"
    for request, ranking in rankings.items():
        if not gold[request]:
            problem = "has no right tool, so that no measure is defined"
            raise InputError(problem, field=request, remedy=remedy)
        if len(set(ranking)) < len(ranking):
            raise InputError("its ranking has a tool twice", field=request, remedy=remedy)
