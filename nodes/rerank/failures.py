"""What the outcome of a trial weighs: natural logarithms of likelihood ratios; 0 says nothing.

Constants, and not fitted: how often tools fail is drawn in a mock and unknown in the world. A call
can also fail because we planned it wrongly: the right tool that is asked for a value it does not
know answers nothing, or an error. Such a failure says the less, the less sure its values were.
"""

import math
from collections.abc import Collection

from gretel.contracts.trial import ArgumentSource, CallPlan, Failure, FailureKind, Refusal, Trial

SIMULATED = -0.01
"""A simulated success never outranks an executed one, which counts 0, at equal relevance."""
TRANSIENT = -0.01
"""On top, where the tool itself had a transient failure, and the simulator stepped in. Both are
there to order ties: such a failure says nothing of what a tool is good for."""
EMPTY = -6.0
NONE_OF = -0.6
"""The most that an empty list says against a tool whose call asked for something certain: that of
a thing there are none is an answer, too. Of right tools of real services 8 answer so beside 350
with content, of wrong ones 131 beside 1,373: −1.4, and .97 of it is what content adds (decision
0004)."""
TRANSIENT_KINDS: frozenset[FailureKind] = frozenset({"rate_limit", "timeout", "server_error"})
FAILED: dict[FailureKind, float] = {
    "rejected_arguments": -1.0,  # the tool lives; our plan was wrong
    "rate_limit": -0.5,
    "timeout": -1.5,
    "server_error": -1.2,
    "irrelevant": EMPTY,
    "error_in_body": -6.0,
}
CLEAR_FAILURE = -8.0
"""Failures of the tool that are not listed above: it does not work now."""
ODD = -0.7
"""For each nat of `Outcome.oddness`. Less than one: of the tools that answer so, few are broken,
and retrieval has read the same words. Decision 0004 has figures of other values."""
BROKEN = -3.0
"""From this weight down a tool clearly does not work now; no outcome weighs about as much."""
PLANNED: frozenset[FailureKind] = frozenset(
    {"empty", "irrelevant", "error_in_body", "rejected_arguments", "drift"}
)
"""Failures that a wrong plan brings about as well as a tool that does not serve."""
GIVEN: frozenset[ArgumentSource] = frozenset({"default", "context"})
"""Sources of values that no plan of ours can have got wrong."""
UNSAID: frozenset[FailureKind] = frozenset({"empty", "irrelevant", "error_in_body"})
"""Of these a call that sent no value can be the cause too: it may lack one that its document does
not name."""
LEAST_DOUBT = 0.1
"""Of calls to right tools with values of a confidence above .9, 5 to 13 of 100 fail in the mock's
world of values, which has the rates of recorded calls (development parts of three data sets)."""


def failure_weight(trial: Trial, mute: float = 0.0) -> float:
    """What the outcome adds; 0 for a refusal, and for a success save that its answer may be odd.

    `mute`: the chance that any call of its toolkit would have come to nothing (`unshown.py`).
    """
    if isinstance(trial.plan, Refusal) or trial.executed.status == "succeeded":
        return ODD * trial.executed.oddness
    failure = trial.executed.failure
    if lacks(trial):
        return 0.0
    if trial.executed.status != "empty" and _is_simulated(trial):
        return SIMULATED + (_simulated(failure) if failure else 0.0)
    if failure is not None and failure.fault == "ours":
        return 0.0
    excuse = mute if _kind_of(trial) in PLANNED else 0.0
    weight = _forgiven(_weight_of(trial), 1 - (1 - our_doing(trial)) * (1 - excuse))
    return max(weight, NONE_OF) if trial.executed.says_none else weight


def lacks(trial: Trial) -> bool:
    """Whether an answer names an argument that the call left out: as good as a refusal."""
    failure, plan = trial.executed.failure, trial.plan
    if not isinstance(plan, CallPlan) or failure is None or failure.fault != "request":
        return False
    return any(name not in plan.arguments for name in failure.fields)


def broken(trial: Trial) -> bool:
    """Whether the tool clearly does not work now."""
    return failure_weight(trial) <= BROKEN


def our_doing(trial: Trial) -> float:
    """The chance that a failed call failed by its plan, 0…1; 0 where no plan can be the cause.

    The square of the doubt in its least sure value: of the values that the failure names, else of
    all that were taken from the request or made up for it. It is never below `LEAST_DOUBT`.
    """
    failure = trial.executed.failure
    kind = _kind_of(trial)
    if kind not in PLANNED and (failure is None or failure.fault != "request"):
        return 0.0
    doubt = doubt_in(trial, failure.fields if failure else ())
    if doubt is None:
        return LEAST_DOUBT if kind in UNSAID else 0.0
    return max(LEAST_DOUBT, doubt)


def doubt_in(trial: Trial, fields: Collection[str] = ()) -> float | None:
    """The square of the doubt in the least sure value of a call; None where it took no value.

    What the caller gave or the tool defaults to is no value. Of `fields` those count that took one,
    and all where none did.
    """
    if not isinstance(trial.plan, CallPlan):
        return None
    taken = {n: a for n, a in trial.plan.arguments.items() if a.source not in GIVEN}
    named = [taken[name] for name in fields if name in taken]
    least = min((each.confidence for each in named or taken.values()), default=None)
    return None if least is None else (1 - least) ** 2


def _kind_of(trial: Trial) -> FailureKind:
    return trial.executed.failure.kind if trial.executed.failure else "empty"


def _forgiven(weight: float, doubt: float) -> float:
    """The weight of a failure where with a chance of `doubt` it says nothing of the tool."""
    return math.log(doubt + (1 - doubt) * math.exp(weight))


def _weight_of(trial: Trial) -> float:
    failure = trial.executed.failure
    if trial.executed.status == "empty":
        known = failure is None or failure.fault == "tool"
        return EMPTY if known else FAILED["rejected_arguments"]
    return 0.0 if failure is None else FAILED.get(failure.kind, CLEAR_FAILURE)


def _is_simulated(trial: Trial) -> bool:
    return trial.simulated is not None and trial.simulated.status == "succeeded"


def _simulated(failure: Failure) -> float:
    """What a failure weighs once the simulator stepped in; what is ours, or no failure, nothing."""
    if failure.fault == "ours" or failure.kind not in TRANSIENT_KINDS:
        return 0.0
    lasting = failure.kind == "server_error" and not failure.transient
    return FAILED["server_error"] if lasting else TRANSIENT
