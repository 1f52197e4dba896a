"""What the evidence of a trial weighs: natural logarithms of likelihood ratios; 0 says nothing.

Failures are weighed by constants that stand here: how often tools fail is drawn in a mock and
unknown in the world. The soft weights, of what right and wrong tools show in different degrees
without failing, are fitted on trials of development requests: `training/evidence.py` makes
`evidence.json`.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal, Self, TypeAlias, get_args

from gretel.contracts.tool import Tool
from gretel.contracts.trial import CallPlan, Failure, FailureKind, Refusal, Trial

SIMULATED = -0.05
"""A simulated success never outranks an executed one, which counts 0, at equal relevance."""
PASSED = -0.05
"""On top, where the tool itself failed in a way that passes, and the simulator stepped in. Both are
there to order near ties: what passes says nothing of what a tool is good for."""
EMPTY = -6.0
PASSING_KINDS: frozenset[FailureKind] = frozenset({"rate_limit", "timeout", "server_error"})
FAILED: dict[FailureKind, float] = {
    "rejected_arguments": -1.0,  # the tool lives; our plan was wrong
    "rate_limit": -0.5,
    "timeout": -1.5,
    "server_error": -1.2,  # of one tool; that of a whole toolkit: `outage.py`
    "irrelevant": EMPTY,
    "error_in_body": -6.0,
}
CLEAR_FAILURE = -8.0
"""Failures of the tool that are not listed above: it does not work now."""

Soft: TypeAlias = Literal["refused", "refused_virtual", "doubt", "several", "unmet"]
"""Evidence whose weight is fitted:

- `refused`: the confidence of a refusal; `refused_virtual` where the tool speaks the protocol of
  StableToolBench, whose documents call parameters required that are not;
- `doubt`: the planner's doubt that this is the call that was asked for, where the request holds all
  required values;
- `several`: the plan's confidence, where it draws on two parts of the request or more: a tool that
  has a place for what the request says was meant. One part says nothing: any search takes a word;
- `unmet`: that a required value was filled from a sample only. The doubt of such a plan comes from
  the sample and would count the same want twice; how many values are so says no more.
"""

SOFT: tuple[Soft, ...] = get_args(Soft)


@dataclass(frozen=True)
class Weights:
    """One weight for each kind of soft evidence."""

    soft: Mapping[Soft, float]

    @classmethod
    @cache
    def load(cls) -> Self:
        """The fitted weights that the package carries."""
        text = files("gretel.nodes.rerankers").joinpath("evidence.json").read_text("utf-8")
        weights = json.loads(text)["weights"]
        return cls({name: weights[name] for name in SOFT})

    def weight(self, trial: Trial, tool: Tool) -> float:
        """What the trial's evidence adds to the log-odds; negative for a demotion."""
        found = soft_evidence(trial, tool)
        return failure_weight(trial) + sum(self.soft[name] * found[name] for name in found)


def soft_evidence(trial: Trial, tool: Tool) -> dict[Soft, float]:
    """How much of each kind of soft evidence a trial shows; kinds that it does not are left out.

    A refusal that another tool's answer would mend shows nothing.
    """
    plan = trial.plan
    if isinstance(plan, Refusal):
        if plan.reason == "needs_other_tool":
            return {}
        virtual = tool.binding.kind == "virtual"
        return {"refused_virtual" if virtual else "refused": plan.confidence}
    found: dict[Soft, float] = {"unmet": 1.0} if plan.unmet else {"doubt": 1 - plan.confidence}
    if len(parts_used(trial)) > 1:
        found["several"] = plan.confidence
    return found


def failure_weight(trial: Trial) -> float:
    """What the outcome adds; 0 for a refusal and an executed success."""
    if isinstance(trial.plan, Refusal) or trial.executed.status == "succeeded":
        return 0.0
    if trial.executed.status == "empty":
        return EMPTY
    failure = trial.executed.failure
    if trial.simulated is not None and trial.simulated.status == "succeeded":
        return SIMULATED + (_passed(failure) if failure else 0.0)
    if failure is None or failure.fault == "ours":
        return 0.0
    return FAILED.get(failure.kind, CLEAR_FAILURE)


def _passed(failure: Failure) -> float:
    """What a failure weighs once the simulator stepped in; what is ours, or no failure, nothing."""
    if failure.fault == "ours" or failure.kind not in PASSING_KINDS:
        return 0.0
    broken = failure.kind == "server_error" and not failure.passing
    return FAILED["server_error"] if broken else PASSED


def parts_used(trial: Trial) -> frozenset[tuple[int, int]]:
    """The parts of the request that the plan took values from, as spans of characters."""
    if not isinstance(trial.plan, CallPlan):
        return frozenset()
    return frozenset(
        argument.span
        for argument in trial.plan.arguments.values()
        if argument.source == "request" and argument.span is not None
    )
