"""Which tool may not pass which, whatever their odds say.

Evidence is weighed tool by tool; some things are only seen side by side. A tool that was not tried
shows no failure, so it would pass every tried one that fails by our own planning. A tool that lacks
a value would stand before one that did what was asked without it. Where nothing is to be changed, a
tool that was not tried would pass one that answered with the same values, or stand before it though
it would change something. And what was behind an answer before the trials has none to show for
passing it. Of a flood of tools that came after the catalogue was pinned each would pass, by a shade
of evidence, those that it waits behind.

A refusal shows nothing where documents call parameters required that are not (`tells`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Self

from gretel.catalog import Catalog
from gretel.catalog.effects.changes import effect_of
from gretel.catalog.effects.reading_verbs import READING
from gretel.contracts.tool import Tool
from gretel.contracts.trial import CallPlan, Refusal, Trial
from gretel.nodes.plan_evidence import tells
from gretel.nodes.rerank.grounding import consumed_spans
from gretel.text.identifiers import split_identifier
from gretel.text.span import Span
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


def kept_behind(scored: Sequence[Scored], catalog: Catalog, asked: bool | None) -> list[Scored]:
    """The tools with odds that pass nobody they may not pass; their order does not matter.

    `asked`: whether the request asks to change something; None where that is not known.
    """
    ours = [each for each in scored if _failed_by_plan(each.trial)]
    lowered = [_below(each, [t for t in ours if _passes(each, t)]) for each in scored]
    sides = [_Side.of(each, catalog[each.trial.tool_id]) for each in scored]
    served = [pair for pair in zip(lowered, sides, strict=True) if pair[1].served]
    kept = [
        _below(each, [one for one, did in served if _did_it(did, side, asked)])
        for each, side in zip(lowered, sides, strict=True)
    ]
    known = [pair for pair in zip(kept, sides, strict=True) if not pair[1].later]
    return [
        _below(each, [one for one, own in known if _waits(side, own)])
        for each, side in zip(kept, sides, strict=True)
    ]


@dataclass
class _Side:
    """What is compared of a tool with each other one, read once."""

    tool: Tool
    rank_before: int
    needs: frozenset[str]
    took: frozenset[Span]
    lacks: bool
    served: bool
    tried: bool
    later: bool
    failed: float
    """What its failure weighs; 0 for none."""

    @classmethod
    def of(cls, scored: Scored, tool: Tool) -> Self:
        trial = scored.trial
        return cls(
            tool=tool,
            rank_before=trial.rank_before,
            needs=needs(tool),
            took=consumed_spans(trial),
            lacks=isinstance(trial.plan, Refusal),
            served=_served(trial),
            tried=tried(trial),
            later=trial.later,
            failed=round(scored.odds - scored.before, 4),
        )

    @cached_property
    def changes(self) -> bool:
        return effect_of(self.tool) == "changes"


def _did_it(one: _Side, other: _Side, asked: bool | None) -> bool:
    """Whether `one` did what `other` would have done, as far as can be told."""
    if other.lacks and not tells(other.tool):
        return False
    was_ahead = one.rank_before < other.rank_before
    if asked is not True and not other.served and was_ahead:
        return True
    if other.lacks and other.needs and other.needs == one.needs:
        return True
    if asked is not False:
        return False
    if not one.took or other.tried or not one.took >= other.took:
        return False
    return other.lacks or other.changes or was_ahead


def _waits(late: _Side, own: _Side) -> bool:
    """Whether a tool that came later shows no more than one that was there and stood before it."""
    if not late.later or late.rank_before < own.rank_before:
        return False
    more = (late.served and not own.served) or (own.lacks and not late.lacks)
    return not more and own.failed >= late.failed


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
    planned = isinstance(untried.trial.plan, CallPlan) and not tried(untried.trial)
    return planned and untried.before <= failed.before


def tried(trial: Trial) -> bool:
    """Whether the tool was called, and not kept from it."""
    return trial.executed.status not in ("unavailable", "refused")


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
        isinstance(trial.plan, CallPlan) and not trial.plan.unmet and trial.executed.holds_something
    )
