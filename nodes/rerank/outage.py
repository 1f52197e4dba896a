"""What the trials of one toolkit say together: whether the toolkit as a whole is out.

The tools of a toolkit share a server, a key and a subscription, so what breaks for good often
breaks all of them. Where several fail alike, those that could not be tried are suspect too, and so
is one whose answer was not seen to be irrelevant. One tool that fails says little of the others;
where its server fails and theirs answer, its failure was rather transient.

For every way to be out the odds are a prior, multiplied for each tool that was tried by how much
oftener it shows what it showed where the toolkit is out (Bayes' rule). The evidence against a tool
is the logarithm of the chance that its toolkit is not out. How often toolkits are out is unknown in
the world, as in `weight.py`: the factors are set, and rankings hardly change where they are halved.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from gretel.catalog import Catalog
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import FailureKind, Refusal, Trial

PRIOR = 0.02
"""Odds that a toolkit is out in one given way, before any of its tools is tried."""
ALIKE = 10.0
"""For each other tool that fails in this way."""
OTHERWISE = 0.05
"""For each tool that answers, or fails in another way."""
UNSEEN = 0.3
"""Instead, where irrelevant answers are the way: not all of them are recognised as such."""
ALIVE = 0.6
"""Given back to a tool whose server fails, where another tool of the toolkit answers."""

Way: TypeAlias = Literal["access", "server", "drift", "irrelevant", "empty", "error_in_body"]
"""How a toolkit can be out; not by transient failures: limits, timeouts, a server that says so."""

_WAYS: Mapping[FailureKind, Way] = {
    "auth": "access",
    "permission": "access",
    "connection": "server",
    "server_error": "server",
    "protocol": "server",
    "drift": "drift",
    "irrelevant": "irrelevant",
    "empty": "empty",
    "error_in_body": "error_in_body",
}


class Outage(NamedTuple):
    """What the other tools of a tool's toolkit say of it."""

    weight: float
    """What is added to the log-odds of the tool."""
    failed: int = 0
    """How many others failed in the likeliest way, two or more; 0 where the toolkit is more likely
    not out."""


def outages(trials: Sequence[Trial], catalog: Catalog) -> dict[ToolId, Outage]:
    """The evidence of its toolkit for each tool; their order does not matter."""
    shown = {trial.tool_id: _shown(trial) for trial in trials}
    toolkits = {trial.tool_id: catalog[trial.tool_id].toolkit for trial in trials}
    tried: dict[str, Counter[str]] = {toolkit: Counter() for toolkit in toolkits.values()}
    for tool_id, way in shown.items():
        if way is not None:
            tried[toolkits[tool_id]][way] += 1
    return {tool_id: _outage(way, tried[toolkits[tool_id]]) for tool_id, way in shown.items()}


def _shown(trial: Trial) -> Way | Literal["answers"] | None:
    """What a trial shows of its toolkit; None where that is nothing."""
    if isinstance(trial.plan, Refusal):
        return None
    if trial.executed.status == "succeeded":
        return "answers"
    failure = trial.executed.failure
    if failure is None or failure.fault != "tool" or failure.transient:
        return None
    return _WAYS.get(failure.kind)


def _outage(own: str | None, tried: Counter[str]) -> Outage:
    """Of a tool that showed `own`, one of the toolkit's `tried`."""
    odds: dict[str, float] = {}
    for way in sorted(tried.keys() - {"answers"}):
        others = tried[way] - (way == own)
        if others:
            unlike = UNSEEN if way == "irrelevant" else OTHERWISE
            odds[way] = PRIOR * ALIKE**others * unlike ** (tried.total() - tried[way])
    total = sum(odds.values())
    likeliest = max(odds, key=lambda way: odds[way]) if total > 1 else None
    failed = tried[likeliest] - (likeliest == own) if likeliest else 0
    relief = ALIVE if own == "server" and tried["answers"] else 0.0
    return Outage(relief - math.log1p(total), failed)
