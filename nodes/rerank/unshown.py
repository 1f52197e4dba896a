"""What trials could not show, so that it speaks neither for a tool nor against it.

An answer speaks for its tool beside tools that could have answered as well. A tool that policy
keeps from being called could not: evidence that is missing is not evidence against it (Rubin,
Biometrika 1976), else a tool of another toolkit passes it for no more than being allowed. And where
no tool of a toolkit answers with content, that is a matter of the service, which holds nothing yet,
or wants something that its document does not name: it hardly says which of its tools is meant.
Unless another service has an answer for the very values of the call: then they are that one's.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from gretel.catalog import Catalog
from gretel.catalog.effects.changes import effect_of, reads_for_its_toolkit
from gretel.catalog.ownership import Owner, owner_of
from gretel.contracts.tool import Tool, ToolId
from gretel.contracts.trial import CallPlan, Trial
from gretel.nodes.rerank.grounding import consumed_spans
from gretel.nodes.rerank.order import tried
from gretel.nodes.usable import excused
from gretel.text.span import Span


class Unshown(NamedTuple):
    """Of one tool, in view of the other trials."""

    credit: float = 0.0
    """How far it counts as having answered though it did not, 0…1."""
    mute: float = 0.0
    """The chance that its call came to nothing as any call of its toolkit would have, 0…1."""


def unshown(trials: Sequence[Trial], catalog: Catalog, asked: bool | None) -> dict[ToolId, Unshown]:
    """What could not be shown of each tool; the order of `trials` does not matter.

    `asked`: whether the request asks to change something; None where that is not known.
    """
    mute, known = _mute(trials, catalog), _known(trials, catalog)
    found = {}
    for trial in trials:
        if _kept_from(trial) and _wished(catalog[trial.tool_id], asked):
            found[trial.tool_id] = Unshown(credit=1.0)
        elif _told(trial) and not _elsewhere(trial, catalog, known):
            share = mute[owner_of(catalog[trial.tool_id])]
            found[trial.tool_id] = Unshown(share if _nothing(trial) else 0.0, share)
        else:
            found[trial.tool_id] = Unshown()
    return found


def _mute(trials: Sequence[Trial], catalog: Catalog) -> dict[Owner, float]:
    """For each toolkit n / (n + 1), n other calls having shown nothing; 0 where one answered."""
    answered: defaultdict[Owner, list[bool]] = defaultdict(list)
    for trial in filter(_told, trials):
        answered[owner_of(catalog[trial.tool_id])].append(trial.executed.holds_something)
    return {each: 0.0 if any(own) else 1 - 1 / len(own) for each, own in answered.items()}


def _known(trials: Sequence[Trial], catalog: Catalog) -> list[tuple[Owner, frozenset[Span]]]:
    """For each call that was answered with content its toolkit, and the spans that it took."""
    return [
        (owner_of(catalog[trial.tool_id]), consumed_spans(trial))
        for trial in trials
        if trial.executed.holds_something
    ]


def _elsewhere(
    trial: Trial, catalog: Catalog, known: Sequence[tuple[Owner, frozenset[Span]]]
) -> bool:
    """Whether another toolkit has an answer for all that the call took from the request."""
    own, took = owner_of(catalog[trial.tool_id]), consumed_spans(trial)
    return bool(took) and any(owner != own and took <= spans for owner, spans in known)


def _told(trial: Trial) -> bool:
    """Whether a call was made, and what came of it is no doing of ours."""
    failure = trial.executed.failure
    ours = failure is not None and failure.fault == "ours"
    return isinstance(trial.plan, CallPlan) and tried(trial) and not ours


def _kept_from(trial: Trial) -> bool:
    """Whether there is a valid call that was not made for a reason of ours."""
    failure = trial.executed.failure
    kept = trial.executed.status == "unavailable" and failure is not None and excused(failure)
    return isinstance(trial.plan, CallPlan) and kept


def _wished(tool: Tool, asked: bool | None) -> bool:
    """Whether an operation can do what the request wishes: it reads, or a change is asked for."""
    effect = effect_of(tool)
    if effect == "unknown":
        return asked is True or reads_for_its_toolkit(tool)
    return effect == "reads" or asked is True


def _nothing(trial: Trial) -> bool:
    """Whether the call was answered with nothing, or that there is nothing."""
    return trial.executed.status == "empty" or trial.executed.says_none
