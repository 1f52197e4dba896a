"""What a request wants done beside what an operation does: a question is not for what changes.

Texts of an operation that changes a thing and of one that reads it are alike, for encoders and
for words. What tells them apart is the method, or the verb of the name; and of the request,
whether it asks to change anything. `training/effects.py` fits what that weighs.
"""

import json
import math
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Literal, TypeAlias, get_args

from gretel.catalog.effects.changes import Effect
from gretel.contracts.ranking import Candidate
from gretel.contracts.tool import ToolId
from gretel.nodes.retrieve.odds import log_odds
from gretel.nodes.retrieve.semantic.fusion import is_named

Mismatch: TypeAlias = Literal["changes unasked", "reads only"]
"""The operation changes something and the request does not ask for that; or the other way round."""

MISMATCHES: tuple[Mismatch, ...] = get_args(Mismatch)


def mismatch(asked: bool | None, effect: Effect) -> Mismatch | None:
    """How an operation's effect differs from what is asked; None where nothing is known of it."""
    if asked is None or effect == "unknown" or asked == (effect == "changes"):
        return None
    return "reads only" if asked else "changes unasked"


@cache
def mismatch_weights() -> Mapping[Mismatch, float]:
    """What each mismatch adds to the log-odds: the fitted weights that the package carries."""
    text = files("gretel.nodes.retrieve.stage").joinpath("effects.json").read_text("utf-8")
    weights = json.loads(text)["weights"]
    return {name: weights[name] for name in MISMATCHES}


def by_effect(
    asked: bool | None,
    found: tuple[Candidate, ...],
    effect_of: Callable[[ToolId], Effect],
) -> tuple[Candidate, ...]:
    """The candidates of a request with what their mismatch weighs in their scores, best first.

    A tool that the request names keeps its score and its place before the others.
    """
    if asked is None:
        return found
    rescored = [_weighed(each, mismatch(asked, effect_of(each.tool_id))) for each in found]
    return tuple(sorted(rescored, key=lambda each: (-is_named(each), -each.score)))


def _weighed(candidate: Candidate, kind: Mismatch | None) -> Candidate:
    if kind is None or is_named(candidate):
        return candidate
    odds = float(log_odds(candidate.score)) + mismatch_weights()[kind]
    return candidate.model_copy(update={"score": 1 / (1 + math.exp(-odds))})
