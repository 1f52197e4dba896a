"""Rankings that came of a model's queries, answers and order, against those of the rules."""

import math
from collections.abc import Callable, Mapping, Sequence

from gretel.contracts.calibration import ModelStep
from gretel.contracts.ranking import Ranking
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import ToolId
from gretel.evaluation.calibration.verdicts import (
    Evidence,
    StepVerdict,
    Values,
    crossed,
    mean,
    verdict_of,
)
from gretel.evaluation.measures.measures import measure
from gretel.evaluation.runs.rows import Row
from gretel.nodes.rerank.bounded import Verdict, ranked
from gretel.nodes.rerank.evidence import EvidenceReranker

RANKED = "nDCG@5"
MARGINS = (math.log(1.25), math.log(2), math.log(4), math.log(16), math.inf)
"""Log-odds of evidence that a model's order may overcome; the first costs no order anything."""
MAX_MARGIN = 30.0
"""JSON knows no infinity; no two scores differ by more."""


def ranking(evidence: Evidence, step: ModelStep) -> StepVerdict:
    """`rewrite` and `simulate`: the ranking that came of it, against that without the model."""
    pipeline = "retrieval" if step == "rewrite" else "full"
    asked = {each.request_id: each for each in evidence.asked if each.step == step}
    own = {r: evidence.rows[r].rankings[pipeline] for r in asked}
    other = {r: each.ranking or own[r] for r, each in asked.items()}
    # What is retrieved is judged on all right tools, what was tried on those that function.
    judge = _gold if step == "rewrite" else _working
    return verdict_of(
        evidence, step, RANKED, _values(own, evidence, judge), _values(other, evidence, judge)
    )


async def reranking(evidence: Evidence) -> tuple[StepVerdict, float]:
    """The model's order within the margin that served the other half best."""
    asked = {each.request_id: each for each in evidence.asked if each.step == "rerank"}
    base = EvidenceReranker(evidence.catalog)
    requests = {each.request_id: each for each in evidence.requests}
    orders = {
        r: await base.rerank(requests[r].to_request(today=evidence.today), evidence.rows[r].trials)
        for r in asked
    }
    own = {r: _ids(order) for r, order in orders.items()}
    rules = _values(own, evidence, _working)

    def moved(request: str, margin: float) -> tuple[ToolId, ...]:
        said = Verdict(list(asked[request].ranking or own[request]), [], {})
        return _ids(ranked(orders[request], said, evidence.rows[request].trials, margin))

    by_margin = {
        margin: _values({r: moved(r, margin) for r in asked}, evidence, _working)
        for margin in MARGINS
    }

    def best(keep: Callable[[str], bool]) -> float:
        return max(
            MARGINS,
            key=lambda m: (mean(v for r, v in by_margin[m].items() if keep(r)), -m),
        )

    model = crossed(rules, best, lambda margin, r: by_margin[margin][r])
    margin = best(lambda request: True)
    figures: JsonObject = {
        f"{math.exp(each):g}": round(mean(by_margin[each].values()), 6) for each in MARGINS
    }
    verdict = verdict_of(evidence, "rerank", RANKED, rules, model, by_factor=figures)
    return verdict, min(margin, MAX_MARGIN)


def _ids(ranking: Ranking) -> tuple[ToolId, ...]:
    return tuple(place.tool_id for place in ranking.tools)


def _values(
    rankings: Mapping[str, Sequence[ToolId]],
    evidence: Evidence,
    judge: Callable[[Row], frozenset[ToolId]],
) -> Values:
    gold = {r: judge(evidence.rows[r]) for r in rankings}
    gold = {r: tools for r, tools in gold.items() if tools}
    return measure(rankings, gold).values[RANKED] if gold else {}


def _gold(row: Row) -> frozenset[ToolId]:
    return frozenset(row.gold)


def _working(row: Row) -> frozenset[ToolId]:
    return frozenset(row.gold) & frozenset(row.functioning)
