"""Grounding: how much of the request a call consumes, in view of the other calls.

What holds of tools (`nodes/plan_evidence.py`) holds of toolkits, too: the one that consumes more of
the request is rather the one that was meant, its tools without any arguments included. What is
asked for is a tool that works, so those that clearly do not take nothing away.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from gretel.catalog import Catalog
from gretel.catalog.ownership import Owner, owner_of
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import CallPlan, Trial
from gretel.nodes.plan_evidence import grounded, shares
from gretel.nodes.rerank.failures import broken
from gretel.text.span import Span

Spans: TypeAlias = Mapping[Span, float]
"""Consumed spans, each with the confidence of the surest value taken from it, 0…1."""


class Grounding(NamedTuple):
    """How much of the request is consumed, in specific spans, from 0 to `MAX_GROUNDING`."""

    own: float = 0.0
    """By the tool's call, beside the other calls."""
    toolkit: float = 0.0
    """By the best calls of its toolkit, beside those of the other toolkits."""
    share: float = 0.0
    """Of all that the calls together consume, the part that its call does, 0…1: a call that leaves
    out what others have a place for was hardly meant. Each span counts by its confidence."""


def groundings(trials: Sequence[Trial], catalog: Catalog) -> dict[ToolId, Grounding]:
    """What each tool and its toolkit consume; the order of `trials` does not matter.

    A refusal consumes nothing.
    """
    consumed = {trial.tool_id: _consumed(trial) for trial in trials}
    working = {trial.tool_id for trial in trials if not broken(trial)}
    owners = {tool_id: owner_of(catalog[tool_id]) for tool_id in consumed}
    alive = {owners[tool_id] for tool_id in working}
    best: dict[Owner, dict[Span, float]] = {owner: {} for owner in owners.values()}
    for tool_id, owner in owners.items():
        if tool_id in working or owner not in alive:
            for span, sure in consumed[tool_id].items():
                best[owner][span] = max(sure, best[owner].get(span, 0.0))
    own, shared = grounded(consumed, working), grounded(best, alive)
    parts = shares(consumed)
    return {each: Grounding(own[each], shared[owners[each]], parts[each]) for each in consumed}


def consumed_spans(trial: Trial) -> frozenset[Span]:
    """The spans of the request that the plan took values from."""
    return frozenset(_consumed(trial))


def _consumed(trial: Trial) -> Spans:
    found: dict[Span, float] = {}
    if isinstance(trial.plan, CallPlan):
        for argument in trial.plan.arguments.values():
            if argument.source == "request" and argument.span is not None:
                found[argument.span] = max(found.get(argument.span, 0.0), argument.confidence)
    return found
