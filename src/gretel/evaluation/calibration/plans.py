"""Plans of rules, of a model, and of both, against the right calls of a data set."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, get_args

from gretel.contracts.record import JsonObject
from gretel.contracts.trial import ArgumentSource, CallPlan, PlanResult
from gretel.datasets.judged import GoldCall
from gretel.evaluation.calibration.asking import Asked, Planned
from gretel.evaluation.calibration.verdicts import (
    Evidence,
    StepVerdict,
    crossed,
    mean,
    verdict_of,
)
from gretel.evaluation.measures.calls import PlannedCall, measure_calls, same_value, score_call
from gretel.nodes.plan.weighed import weighed

Trust: TypeAlias = Mapping[ArgumentSource, float]
SOURCES: tuple[ArgumentSource, ...] = get_args(ArgumentSource)


def planning(evidence: Evidence) -> StepVerdict:
    """Right plans of right tools, and refusals where a value was taken out or never said."""
    asked = {e.request_id: e for e in evidence.asked if e.step == "plan" and e.planned}
    judge = _PlanJudge(evidence)
    rules = {r: judge.value(r, [p.rules for p in e.planned], e) for r, e in asked.items()}

    def of(trust: Trust, request_id: str) -> float:
        each = asked[request_id]
        return judge.value(request_id, [judge.merged(p, trust) for p in each.planned], each)

    model = crossed(rules, lambda keep: trust_in(evidence, keep), of)
    trust = trust_in(evidence, lambda request: True)
    pairs = [(r, p) for r, e in asked.items() for p in e.planned]
    more: dict[str, JsonObject | float | None] = {
        "rules_alone": judge.figures([(r, p, p.rules) for r, p in pairs]),
        "model_alone": judge.figures([(r, p, p.said or p.rules) for r, p in pairs]),
        "both": judge.figures([(r, p, judge.merged(p, trust)) for r, p in pairs]),
    }
    return verdict_of(evidence, "plan", "right plans", rules, model, **more)


class _PlanJudge:
    """Holds plans against the data set's right calls."""

    def __init__(self, evidence: Evidence) -> None:
        self._catalog = evidence.catalog
        self._requests = {each.request_id: each for each in evidence.requests}

    def calls(self, request_id: str, planned: Planned) -> list[GoldCall]:
        """Right calls; none where refusing is right."""
        if planned.masked is not None:
            return []
        calls = self._requests[request_id].gold_calls
        return [call for call in calls if call.tool_id == planned.tool_id]

    def merged(self, planned: Planned, trust: Trust) -> PlanResult:
        """What the product would plan."""
        if planned.said is None:
            return planned.rules
        return weighed(planned.rules, planned.said, self._catalog[planned.tool_id], trust)

    def score(self, request_id: str, planned: Planned, result: PlanResult) -> PlannedCall:
        """The plan against the right calls."""
        tool = self._catalog[planned.tool_id]
        required = {each.name for each in tool.fillable if each.required}
        calls = self.calls(request_id, planned)
        return score_call(result, calls, required, masked=planned.masked)

    def value(self, request_id: str, results: Sequence[PlanResult], asked: Asked) -> float:
        """Share of a request's plans that are right: exact, or refused where that is right."""
        scores = [
            self.score(request_id, planned, result)
            for planned, result in zip(asked.planned, results, strict=True)
        ]
        return mean(float(s.exact if s.complete else s.refused is not None) for s in scores)

    def figures(self, rows: Sequence[tuple[str, Planned, PlanResult]]) -> JsonObject:
        """Exactness, refusals, and required values that stand nowhere."""
        measures = measure_calls(self.score(r, p, result) for r, p, result in rows)._asdict()
        plans = [result for _, _, result in rows if isinstance(result, CallPlan)]
        invented = sum(
            each.source == "invented" for plan in plans for each in plan.arguments.values()
        )
        whole = sum(len(plan.arguments) for plan in plans)
        return {**measures, "invented": invented, "planned_values": whole}


def trust_in(evidence: Evidence, keep: Callable[[str], bool]) -> dict[ArgumentSource, float]:
    """By source how often a value of the model's is right where the rules have another, or none.

    Laplace's rule of succession, so that no source is trusted wholly, and one that was never seen
    as a coin.
    """
    judge = _PlanJudge(evidence)
    seen: Counter[ArgumentSource] = Counter()
    right: Counter[ArgumentSource] = Counter()
    for each in evidence.asked:
        for planned in each.planned if keep(each.request_id) else ():
            own = planned.rules.values() if isinstance(planned.rules, CallPlan) else {}
            calls = judge.calls(each.request_id, planned)
            said = planned.said.arguments if isinstance(planned.said, CallPlan) else {}
            for name, value in said.items():
                if name in own and own[name] == value.value:
                    continue
                if any(name in call.open for call in calls):
                    continue
                seen[value.source] += 1
                right[value.source] += any(
                    name in call.arguments and same_value(value.value, call.arguments[name])
                    for call in calls
                )
    return {each: round((right[each] + 1) / (seen[each] + 2), 6) for each in SOURCES}
