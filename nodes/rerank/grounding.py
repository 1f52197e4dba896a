"""Grounding: how much of the request a call consumes, in view of the other calls.

A tool that has a parameter for what the request says was meant by it: who gives a flight number
wants a tool that takes one. But any search takes any word, so a span of the request says the less
of a call, the more other calls consume it too: its specificity is an inverse document frequency
(Spärck Jones, Journal of Documentation 1972) with calls for documents. The same holds of toolkits:
the one that consumes more of the request is rather the one that was meant, its tools without any
arguments included. What is asked for is a tool that works, so those that clearly do not take
nothing away.
"""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence, Set
from math import fsum, log
from typing import NamedTuple, TypeAlias, TypeVar

from gretel.catalog import Catalog
from gretel.catalog.ownership import Owner, owner_of
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import CallPlan, Trial
from gretel.nodes.rerank.failures import broken

Span: TypeAlias = tuple[int, int]
"""Characters of the request, from and up to."""
Spans: TypeAlias = Mapping[Span, float]
"""Consumed spans, each with the confidence of the surest value taken from it, 0…1."""

MAX_GROUNDING = 2.0
"""What consumes the whole request is no better for it."""

_Consumer = TypeVar("_Consumer", bound=Hashable)


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

    Of each span that a call takes a value from, the confidence of that value counts, times the
    span's specificity among n tools: 1 where no other consumes it, 1 - log(m)/log(n) where m do,
    others counting by their confidence beside its own. A refusal consumes nothing.
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
    own, shared = _grounded(consumed, working), _grounded(best, alive)
    shares = _shares(consumed)
    return {each: Grounding(own[each], shared[owners[each]], shares[each]) for each in consumed}


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


def _shares(consumed: Mapping[ToolId, Spans]) -> dict[ToolId, float]:
    """Each one's part of what all of them consume; nothing where nothing is consumed."""
    most: dict[Span, float] = {}
    for spans in consumed.values():
        for span, sure in spans.items():
            most[span] = max(sure, most.get(span, 0.0))
    whole = fsum(most.values())
    return {
        each: fsum(spans.values()) / whole if whole else 0.0 for each, spans in consumed.items()
    }


def _grounded(
    consumed: Mapping[_Consumer, Spans], working: Set[_Consumer]
) -> dict[_Consumer, float]:
    """The sum of each one's spans, by confidence and specificity; only `working` ones compete."""
    rivals: defaultdict[Span, dict[_Consumer, float]] = defaultdict(dict)
    for each in working:
        for span, sure in consumed[each].items():
            rivals[span][each] = sure
    most = log(max(2, len(consumed)))

    def specific(consumer: _Consumer, span: Span, sure: float) -> float:
        # `fsum` gives the same sum whatever the order of the trials.
        count = fsum((rivals[span] | {consumer: sure}).values()) / sure
        return sure * max(0.0, 1 - log(count) / most)

    return {
        each: min(MAX_GROUNDING, fsum(specific(each, *pair) for pair in spans.items() if pair[1]))
        for each, spans in consumed.items()
    }
