"""Measures of argument planning, over pairs of a request and a tool that it is about."""

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from gretel.contracts.record import JsonValue
from gretel.contracts.trial import CallPlan, PlanResult
from gretel.datasets.judged import GoldCall

_QUOTES = "\"'“”‘’"
_EDGES = re.compile(rf"[\s{_QUOTES}.,;:!?]+$|^[\s{_QUOTES}]+")


class CallScore(NamedTuple):
    """How one plan compares with the right calls of its tool."""

    complete: bool
    """Whether the data set has a right call; else refusing is right."""
    refused: bool
    exact: bool
    """Every fixed value is right, and no argument is given that the right call lacks."""
    wanted: frozenset[str] = frozenset()
    """Required arguments whose value is fixed, of the right call that the plan meets best."""
    right: frozenset[str] = frozenset()
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


def plain(value: JsonValue) -> str:
    """A value as it is compared: case, quotes, closing marks and number formats aside."""
    text = _EDGES.sub("", str(value)).casefold()
    try:
        return f"{float(text.replace(',', '')):g}"
    except ValueError:
        return re.sub(r"\s+", " ", text)


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
    return given is not None and plain(given) == plain(gold)


def score_call(
    result: PlanResult, gold: Sequence[GoldCall], required: AbstractSet[str]
) -> CallScore:
    """Compare a plan with the right call that it meets best.

    Args:
        result: what the planner gave.
        gold: the tool's right calls, each as good as the other; empty where the request is
            incomplete.
        required: names of the tool's required parameters.
    """
    refused = not isinstance(result, CallPlan)
    values = result.values() if isinstance(result, CallPlan) else {}
    best = CallScore(bool(gold), refused, exact=False)
    for number, call in enumerate(gold):
        right = {k for k, v in call.arguments.items() if same_value(values.get(k), v)}
        known = call.arguments.keys() | call.open
        score = best._replace(
            exact=not refused and right == call.arguments.keys() and values.keys() <= known,
            wanted=frozenset(call.arguments.keys() & required),
            right=frozenset(right & required),
        )
        if number == 0 or (len(score.right), score.exact) > (len(best.right), best.exact):
            best = score
    return best


def measure_calls(scores: Iterable[CallScore]) -> CallMeasures:
    """The measures over all scores, values weighed alike (micro-average)."""
    scores = list(scores)
    complete = [score for score in scores if score.complete]
    refused = [score for score in scores if score.refused]
    values = sum(len(score.wanted) for score in complete)
    right_refusals = sum(not score.complete for score in refused)
    incomplete = len(scores) - len(complete)
    return CallMeasures(
        arguments=_share(sum(len(score.right) for score in complete), values),
        exact=_share(sum(score.exact for score in complete), len(complete)),
        false_refusals=_share(len(refused) - right_refusals, len(complete)),
        refusal_precision=_share(right_refusals, len(refused)),
        refusal_recall=_share(right_refusals, incomplete),
        complete=len(complete),
        incomplete=incomplete,
        values=values,
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
