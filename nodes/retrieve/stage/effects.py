"""What a request wants done beside what an operation does: a question is not for what changes.

Texts of an operation that changes a thing and of one that reads it are alike, for encoders and
for words. What tells them apart is the method, or the verb of the name; and of the request,
whether it asks to change anything. Where that cannot be read, in a language but English, it still
counts that people ask oftener than they change. `training/effects.py` fits what each weighs.
"""

import math
from collections.abc import Callable, Mapping
from functools import cache
from typing import Literal, TypeAlias, get_args

from gretel.catalog.effects.asked import Wish
from gretel.catalog.effects.changes import Effect
from gretel.contracts.ranking import Candidate
from gretel.contracts.tool import ToolId
from gretel.nodes.fitted import fitted_weights
from gretel.nodes.retrieve.odds import log_odds
from gretel.nodes.retrieve.semantic.fusion import is_named

Mismatch: TypeAlias = Literal[
    "changes unasked", "changes for a question", "changes, wish unread", "reads only"
]
"""The operation changes something and the request does not say that it should, or asks to read, or
cannot be read; or the operation only reads, and the request asks for a change."""

MISMATCHES: tuple[Mismatch, ...] = get_args(Mismatch)

_CHANGES: Mapping[Wish, Mismatch] = {
    "unsaid": "changes unasked",
    "read": "changes for a question",
    "unread": "changes, wish unread",
}


def mismatch(wish: Wish, effect: Effect) -> Mismatch | None:
    """How an operation's effect differs from what is wished; None where nothing is known of it."""
    if effect == "changes":
        return _CHANGES.get(wish)
    return "reads only" if effect == "reads" and wish == "change" else None


@cache
def mismatch_weights() -> Mapping[Mismatch, float]:
    """What each mismatch adds to the log-odds: the fitted weights that the package carries."""
    return fitted_weights("retrieve/stage/effects.json", MISMATCHES)


def by_effect(
    wish: Wish, found: tuple[Candidate, ...], effect_of: Callable[[ToolId], Effect]
) -> tuple[Candidate, ...]:
    """The candidates of a request with what their mismatch weighs in their scores, best first.

    A tool that the request names keeps its score and its place before the others.
    """
    rescored = [_weighed(each, mismatch(wish, effect_of(each.tool_id))) for each in found]
    return tuple(sorted(rescored, key=lambda each: (-is_named(each), -each.score)))


def _weighed(candidate: Candidate, kind: Mismatch | None) -> Candidate:
    if kind is None or is_named(candidate):
        return candidate
    odds = float(log_odds(candidate.score)) + mismatch_weights()[kind]
    return candidate.model_copy(update={"score": 1 / (1 + math.exp(-odds))})
