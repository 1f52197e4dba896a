"""Grounding: how much of the request a call consumes, in view of the other calls.

What is asked for is a tool that works, so those that clearly do not take nothing away.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from gretel.contracts.tool import ToolId
from gretel.contracts.trial import CallPlan, Trial
from gretel.nodes.plan_evidence import grounded, shares, taken_by
from gretel.nodes.rerank.failures import broken
from gretel.text.span import Span

Spans: TypeAlias = Mapping[Span, float]
"""Consumed spans, each with the confidence of the surest value taken from it, 0…1."""


class Grounding(NamedTuple):
    """How much of the request is consumed, in specific spans, from 0 to `MAX_GROUNDING`."""

    own: float = 0.0
    """By the tool's call, beside the other calls."""
    share: float = 0.0
    """Of all that the calls together consume, the part that its call does, 0…1: a call that leaves
    out what others have a place for was hardly meant. Each span counts by its confidence."""


def groundings(trials: Sequence[Trial]) -> dict[ToolId, Grounding]:
    """What each tool consumes; the order of `trials` does not matter.

    A refusal consumes nothing.
    """
    consumed = {trial.tool_id: _consumed(trial) for trial in trials}
    own = grounded(consumed, {trial.tool_id for trial in trials if not broken(trial)})
    parts = shares(consumed)
    return {each: Grounding(own[each], parts[each]) for each in consumed}


def consumed_spans(trial: Trial) -> frozenset[Span]:
    """The spans of the request that the plan took values from."""
    return frozenset(_consumed(trial))


def _consumed(trial: Trial) -> Spans:
    taken = taken_by(trial.plan) if isinstance(trial.plan, CallPlan) else {}
    return {span: sure for (source, span), sure in taken.items() if source == "request"}
