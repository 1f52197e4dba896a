"""One step of a model against the rules, request by request: is the gain beyond chance?"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias, TypeVar

from gretel.catalog import Catalog
from gretel.contracts.budget import Usage
from gretel.contracts.calibration import ModelStep
from gretel.contracts.record import JsonObject
from gretel.datasets.judged import JudgedRequest
from gretel.evaluation.calibration.asking import Asked
from gretel.evaluation.measures.significance import SIGNIFICANT, Paired, paired
from gretel.evaluation.runs.rows import Row
from gretel.evaluation.runs.sampling import Shard
from gretel.nodes.spending import added

T = TypeVar("T")
Values: TypeAlias = Mapping[str, float]
"""A measure by request."""

LEAST = 8
"""Requests below which nothing is concluded."""


class StepVerdict(NamedTuple):
    """One step: the measure of the rules, that with the model, and whether to use it."""

    step: ModelStep
    measure: str
    rules: float
    model: float
    test: Paired | None
    """None: too few requests have anything to ask in this step."""
    usage: Usage
    """Of all replies; `ms` is that of one request."""
    unusable: int
    """Requests with a reply of no use, for which the rules stood in."""
    more: JsonObject

    @property
    def use(self) -> bool:
        """Whether the gain is beyond chance: a model that shows none is not asked."""
        test = self.test
        return test is not None and test.difference > 0 and test.p_value < SIGNIFICANT

    @property
    def needed(self) -> float | None:
        """The gain that would have been beyond chance on these requests, roughly.

        None where the model changed no request, so that nothing says how gains would be spread.
        """
        test = self.test
        if test is None or test.difference == test.ci.low == test.ci.high == 0:
            return None
        return (test.ci.high - test.ci.low) / 2


class Evidence(NamedTuple):
    """Everything that was measured."""

    catalog: Catalog
    requests: Sequence[JudgedRequest]
    rows: Mapping[str, Row]
    """Of a run without the model, by request."""
    asked: Sequence[Asked]
    today: str


def shown(verdict: StepVerdict) -> JsonObject:
    """A verdict as JSON."""
    test = verdict.test
    needed = verdict.needed
    tested: JsonObject = (
        {}
        if test is None
        else {
            "difference": round(test.difference, 6),
            "ci95": [round(test.ci.low, 6), round(test.ci.high, 6)],
            "p": round(test.p_value, 6),
            "needed": None if needed is None else round(needed, 6),
        }
    )
    return {
        "use": verdict.use,
        "measure": verdict.measure,
        "requests": 0 if test is None else test.n,
        "rules": round(verdict.rules, 6),
        "model": round(verdict.model, 6),
        **tested,
        "requests_with_unusable_replies": verdict.unusable,
        **verdict.usage.model_dump(mode="json"),
        **verdict.more,
    }


def verdict_of(
    evidence: Evidence,
    step: ModelStep,
    name: str,
    rules: Values,
    model: Values,
    **more: JsonObject | float | None,
) -> StepVerdict:
    """The verdict on one step, from the measure of either side by request."""
    asked = [each for each in evidence.asked if each.step == step]
    test = paired(rules, model) if len(rules) >= LEAST else None
    return StepVerdict(
        step=step,
        measure=name,
        rules=mean(rules.values()),
        model=mean(model.values()),
        test=test,
        usage=_spent(asked),
        unusable=sum(bool(each.notes) for each in asked),
        more={**more},
    )


def _spent(asked: Sequence[Asked]) -> Usage:
    """Of all; `ms` is the mean."""
    spent = added([each.usage for each in asked])
    return spent.model_copy(update={"ms": round(mean(each.usage.ms for each in asked), 1)})


def mean(values: Iterable[float]) -> float:
    """The mean; 0 of nothing."""
    listed = list(values)
    return sum(listed) / len(listed) if listed else 0.0


def crossed(
    requests: Iterable[str],
    fit: Callable[[Callable[[str], bool]], T],
    of: Callable[[T, str], float],
) -> Values:
    """Each request's value under what was fitted on the requests of the other half."""
    first = Shard(1, 2)
    fitted = fit(lambda request: not first.holds(request)), fit(first.holds)
    return {r: of(fitted[0] if first.holds(r) else fitted[1], r) for r in requests}
