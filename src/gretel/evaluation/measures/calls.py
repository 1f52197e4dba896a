"""Measures of argument planning, over pairs of a request and a tool that it is about."""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from gretel.contracts.record import JsonValue, Record
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import CallPlan, PlanResult, Refusal
from gretel.datasets.judged import GoldCall
from gretel.datasets.values import comparable
from gretel.evaluation.measures.abstention import share


class PlannedCall(Record):
    """One plan for a right tool, held against the data set's right calls."""

    tool_id: ToolId
    masked: str | None = None
    """The parameter whose value was taken out of the request; refusing is right then."""
    complete: bool
    """Whether the data set has a right call; else refusing is right."""
    refused: str | None = None
    """The refusal's reason."""
    exact: bool = False
    """Every fixed value is right, and no argument is given that the right call lacks."""
    wanted: tuple[str, ...] = ()
    """Required arguments whose value is fixed, of the right call that the plan meets best."""
    right: tuple[str, ...] = ()
    """Those of `wanted` that are right; none where the planner refused."""


class CallMeasures(NamedTuple):
    """The measures of many plans; None where there is nothing to divide by."""

    arguments: float | None
    """Share of all required, fixed values that are right; a refusal has none right."""
    exact: float | None
    """Share of complete calls that are right as a whole."""
    false_refusals: float | None
    """Share of complete calls that were refused."""
    refusal_precision: float | None
    """Share of refusals that were right."""
    refusal_recall: float | None
    """Share of incomplete calls that were refused."""
    complete: int
    incomplete: int
    values: int
    """Required, fixed values of all complete calls."""


def same_value(given: JsonValue, gold: JsonValue) -> bool:
    """Whether a planned value is the right one.

    Of an object every right property must be there, of an array the same items in any order.
    """
    if isinstance(gold, dict):
        return isinstance(given, dict) and all(same_value(given.get(k), v) for k, v in gold.items())
    if isinstance(gold, list):
        return (
            isinstance(given, list)
            and len(given) == len(gold)
            and all(map(same_value, sorted(given, key=str), sorted(gold, key=str)))
        )
    return given is not None and comparable(given) == comparable(gold)


def score_call(
    result: PlanResult,
    gold: Sequence[GoldCall],
    required: AbstractSet[str],
    *,
    masked: str | None = None,
) -> PlannedCall:
    """Compare a plan with the right call that it meets best.

    Each of `gold` is as good as the other; there is none where the request is incomplete. `masked`
    is the parameter whose value it lacks, `required` are the tool's required ones.
    """
    score = PlannedCall(
        tool_id=result.tool_id,
        masked=masked,
        complete=bool(gold),
        refused=result.reason if isinstance(result, Refusal) else None,
    )
    held = [score.model_copy(update=_held(result, call, required)) for call in gold]
    return max(held, key=lambda each: (len(each.right), each.exact), default=score)


def _held(result: PlanResult, call: GoldCall, required: AbstractSet[str]) -> dict[str, object]:
    """What a score says of one right call."""
    wanted = call.arguments.keys()
    values = result.values() if isinstance(result, CallPlan) else {}
    right = {name for name in wanted if same_value(values.get(name), call.arguments[name])}
    whole = right == wanted and values.keys() <= wanted | call.open
    return {
        "exact": whole and isinstance(result, CallPlan),
        "wanted": tuple(sorted(wanted & required)),
        "right": tuple(sorted(right & required)),
    }


def measure_calls(scores: Iterable[PlannedCall]) -> CallMeasures:
    """The measures over all scores, values weighed alike (micro-average)."""
    scores = list(scores)
    complete = [score for score in scores if score.complete]
    refused = [score for score in scores if score.refused]
    values = sum(len(score.wanted) for score in complete)
    right_refusals = sum(not score.complete for score in refused)
    incomplete = len(scores) - len(complete)
    return CallMeasures(
        arguments=share(sum(len(score.right) for score in complete), values),
        exact=share(sum(score.exact for score in complete), len(complete)),
        false_refusals=share(len(refused) - right_refusals, len(complete)),
        refusal_precision=share(right_refusals, len(refused)),
        refusal_recall=share(right_refusals, incomplete),
        complete=len(complete),
        incomplete=incomplete,
        values=values,
    )
