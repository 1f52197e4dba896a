"""Which tool may not pass which, whatever their odds say.

Evidence is weighed tool by tool; two things are only seen side by side. A tool that was not tried
shows no failure, so it would pass every tried one that fails by our own planning. And a tool that
lacks a value would stand before one that did what was asked without it.
"""

from collections.abc import Sequence
from typing import NamedTuple

from gretel.catalog import Catalog
from gretel.catalog.effects.verb_lists import READING
from gretel.contracts.tool import Tool
from gretel.contracts.trial import CallPlan, Refusal, Trial
from gretel.text.identifiers import split_identifier
from gretel.text.words import STOP_WORDS, stem

BEHIND = 1e-6
"""Log-odds by which a tool stands behind the one that it may not pass."""


class Scored(NamedTuple):
    """A tool with its odds."""

    odds: float
    """Log-odds with all evidence."""
    before: float
    """Log-odds without what the outcome of its call weighs."""
    trial: Trial


def kept_behind(scored: Sequence[Scored], catalog: Catalog) -> list[Scored]:
    """The tools with odds that pass nobody they may not pass; their order does not matter."""
    ours = [each for each in scored if _failed_by_plan(each.trial)]
    lowered = [_below(each, [t for t in ours if _passes(each, t)]) for each in scored]
    served = [(each, needs(catalog[each.trial.tool_id])) for each in lowered if _served(each.trial)]
    return [
        _below(
            each,
            [one for one, need in served if need and need == needs(catalog[each.trial.tool_id])],
        )
        if isinstance(each.trial.plan, Refusal)
        else each
        for each in lowered
    ]


def needs(tool: Tool) -> frozenset[str]:
    """The stems of what an operation is for, read off its name: not its verb, nor "by …"."""
    words = [word.lower() for word in split_identifier(tool.operation)]
    if "by" in words[1:]:
        words = words[: words.index("by", 1)]
    return frozenset(stem(word) for word in words if word not in STOP_WORDS | READING)


def _below(one: Scored, others: Sequence[Scored]) -> Scored:
    lowest = min((other.odds for other in others), default=None)
    return one if lowest is None else one._replace(odds=min(one.odds, lowest - BEHIND))


def _passes(untried: Scored, failed: Scored) -> bool:
    """Whether a tool that was not tried stood behind one that then failed by its plan."""
    return not _tried(untried.trial) and untried.before <= failed.before


def _tried(trial: Trial) -> bool:
    return not isinstance(trial.plan, CallPlan) or trial.executed.status != "unavailable"


def _failed_by_plan(trial: Trial) -> bool:
    failure = trial.executed.failure
    return (
        isinstance(trial.plan, CallPlan)
        and trial.executed.status in ("failed", "empty")
        and failure is not None
        and failure.fault != "tool"
    )


def _served(trial: Trial) -> bool:
    return (
        isinstance(trial.plan, CallPlan)
        and not trial.plan.unmet
        and trial.executed.status == "succeeded"
        and not trial.executed.says_none
    )
