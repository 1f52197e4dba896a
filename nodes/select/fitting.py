"""How likely it is that a tool fits, once the trials have spoken.

Who asks a service of theirs mostly says something that this service alone knows: an id, a path, a
code, a number. What the trials made of these values (`fate_of`) is evidence on the whole catalogue,
whichever tool was right, and updates the chances that retrieval gave. So one judgement with one
threshold stands behind the trials, where each gate before them knew half.

The weights are fitted on services that nobody here wrote, on requests for them, for other services,
and on chat (`training/fitting.py`); each of the services left out shows how well they carry over.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Literal, TypeAlias, get_args

from gretel.catalog import Catalog
from gretel.catalog.ownership import Owner, owner_of
from gretel.contracts.ranking import Chances
from gretel.contracts.trial import CallPlan, Trial
from gretel.nodes.fitted import fitted_weights
from gretel.text.span import Span

Fate: TypeAlias = Literal["known", "unknown", "untaken", "unsent"]
"""Of the values that a request says: a call that took one was answered with content; such calls
were sent, and none was; no call took any; nothing at all was sent, whatever it says."""
FATES: tuple[Fate, ...] = get_args(Fate)
EVIDENCE = ("answerable", "relevance", *FATES, "intercept")
"""Names of the weights: log odds of the chance that one fits, how poor the best match is, which
fate, and 1."""
POOR = 0.02
"""Retrieval score of the best tool below which a match is poor; above it, it says no more than
`answerable` does."""

_SAID = re.compile(
    r"""(?<!\S)(?=\S*?(?:\d|/\w|\w_\w|\w@\w|\w\.\w))\S+  # 42, KRAB37, /tmp/a, fuel_price, a.csv
      | \b\w*?[a-z][A-Z]\w*                                # lowBattery
      | "[^"\n]+" | “[^“”\n]+”""",
    re.VERBOSE,
)
"""What a text says that is no word of a language: a server knows it, or does not. Each word is read
once, from its beginning, so that a long request takes no longer than its length."""
_JOINED = re.compile(r"(?<!\S)[a-z]+(?:-[a-z]+)+(?![\w-])")
"""`payment-fallback`: a name of something, or "read-only"."""
READ = 0.5
"""Confidence from which a plain word is taken to be meant as the step of a path."""
_CERTAIN = 1e-4
"""Chances count as no surer than this, so that evidence can always speak."""


def after_trials(text: str, before: Chances, trials: Sequence[Trial], catalog: Catalog) -> Chances:
    """The chances of retrieval, updated; as they are where one is unknown or nothing was tried.

    Args:
        text: of the request.
        before: what retrieval said.
        trials: of every candidate.
        catalog: has their tools.
    """
    if not trials:
        return before
    best = max(trial.retrieval_score for trial in trials)
    return _updated(before, best, fate_of(text, trials, catalog))


def at_best(before: Chances, best: float) -> Chances:
    """The chances that the best evidence would leave; below the threshold nothing need be tried.

    Args:
        before: what retrieval said.
        best: the highest score of a candidate.
    """
    return _updated(before, best, "known")


def fate_of(text: str, trials: Sequence[Trial], catalog: Catalog) -> Fate | None:
    """What the calls made of the values that `text` says.

    None where it says none, or where calls that took one were not sent. An answer that calls of two
    tools of one document got, word for word, was given without a look at the value; a stranger may
    name another's server, and is answered alike. Words joined by hyphens may be plain ones, and so
    may what stands in a path ("what is the prefix chebi?"): they say something only where
    they are known, for where a search takes any word, a path leads to what it names or nowhere.
    """
    if not any(trial.executed.source == "executed" for trial in trials):
        return "unsent"
    said = said_spans(text)
    takers = [trial for trial in trials if _takes(trial, said)]
    joined = [match.span() for match in _JOINED.finditer(text)]
    bodies = Counter(_answer(trial, catalog) for trial in trials)
    named = (t for t in trials if _takes(t, joined) or _takes_step(t, catalog))
    for trial in (*takers, *named):
        told = trial.executed.body_sha256 is None or bodies[_answer(trial, catalog)] < 2
        if trial.executed.holds_something and told:
            return "known"
    if not said:
        return None
    if not takers:
        return "untaken"
    return "unknown" if all(t.executed.source == "executed" for t in takers) else None


def _answer(trial: Trial, catalog: Catalog) -> tuple[Owner, str | None]:
    """Whose tool was answered, and what."""
    return owner_of(catalog[trial.tool_id]), trial.executed.body_sha256


def said_spans(text: str) -> list[Span]:
    """Where a text says what is no word of a language."""
    return [match.span() for match in _SAID.finditer(text)]


def _takes(trial: Trial, said: Sequence[Span]) -> bool:
    """Whether a call has an argument that was read from one of the spans."""
    if not isinstance(trial.plan, CallPlan):
        return False
    read = (a.span for a in trial.plan.arguments.values() if a.source == "request" and a.span)
    return any(start < end_ and start_ < end for start, end in read for start_, end_ in said)


def _takes_step(trial: Trial, catalog: Catalog) -> bool:
    """Whether a call has a step of its path that was read from the request, rather than guessed."""
    if not isinstance(trial.plan, CallPlan):
        return False
    said = {n: a for n, a in trial.plan.arguments.items() if a.source == "request" and a.span}
    read = {name for name, argument in said.items() if argument.confidence >= READ}
    parameters = catalog[trial.tool_id].parameters
    return any(each.location == "path" and each.name in read for each in parameters)


def _updated(before: Chances, best: float, fate: Fate | None) -> Chances:
    """The chance that a tool fits, updated; one that fits is needed."""
    if before.answerable is None:
        return before
    seen = zip(_weights(), evidence(before, best, fate), strict=True)
    chance = 1 / (1 + math.exp(-sum(weight * value for weight, value in seen)))
    needed = before.needs_tool
    return Chances(None if needed is None else max(needed, chance), chance)


def evidence(before: Chances, best: float, fate: Fate | None) -> tuple[float, ...]:
    """What each of `EVIDENCE` says; retrieval must have given `answerable`."""
    relevance = min(0.0, _log_odds(best) - _log_odds(POOR))
    fates = (float(fate == each) for each in FATES)
    return (_log_odds(before.answerable or 0.0), relevance, *fates, 1.0)


def _log_odds(chance: float) -> float:
    bounded = min(max(chance, _CERTAIN), 1 - _CERTAIN)
    return math.log(bounded / (1 - bounded))


@cache
def _weights() -> tuple[float, ...]:
    return tuple(fitted_weights("select/fitting.json", EVIDENCE).values())
