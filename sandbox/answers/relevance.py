"""Whether an answer is about something else than what was called.

Decided by the names of its fields alone, with weights that `gretel.training.relevance` fits on real
documents: does the answer keep what the tool promises, and does it speak the words of the tool and
of its toolkit. No other document has a say: it could claim the fields of a rival's answer. So an
answer of a tool that promises next to nothing is not judged; nor is one of several names that are
mostly the toolkit's own words: then the document is wrong. Words on how the call went and nothing
else are no answer to a GET either, unless the tool documents them, or is there to do something or
to say how its server is.

No text in a value takes part, but for one thing: an answer that repeats a value of the call is
about the call. Text appended to a value cannot change that.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from gretel.catalog.answer_match import FEATURES, AnswerMatch
from gretel.catalog.effects.changes import method_of
from gretel.catalog.vocabulary import Vocabulary
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Tool
from gretel.sandbox.answers.subject import acts, tells_health
from gretel.text.identifiers import fold_identifier

WEIGHTS = Path(__file__).with_name("relevance.json")
_KEPT = 1 / 3
"""Part of the answer's names, or of the promised ones, that is enough of a promise kept."""
_TELLING = 5.0
"""Rarity, in nats, of promised names that do not stand in every other answer too."""
_AT_HOME = 1 / 2
"""Part of the names that are words of the toolkit, from which an answer is about its matters."""
_SEVERAL = 12.0
"""Rarity, in nats, of an answer's names, from which their part is no matter of a single one."""
_MESSAGE = frozenset({"message", "messages", "msg", "detail"})
_PROBLEM = frozenset({"type", "title", "status"})
"""What RFC 9457 says of a problem without a `detail`."""
_ABOUT_THE_CALL = (
    _MESSAGE
    | _PROBLEM
    | {"code", "statuscode", "errorcode", "error", "errors", "success", "ok"}
    | {"traceid", "timestamp", "path", "instance"}
)
"""Plain names of fields that stand beside a message and are no data either."""
_NOTHING: tuple[JsonValue, ...] = (None, "", [], {})
_ECHO = 3
"""Characters from which a repeated value is an echo; under the argument's own name."""
_LONG_ECHO = 5
"""Characters from which it is one under any name."""
_LEAVES = 400
"""Values of an answer that are looked at."""


class _Weights(NamedTuple):
    """A logistic curve, and the log-odds from which an answer is irrelevant."""

    weights: Mapping[str, float]
    offset: float
    threshold: float

    def exceeded(self, match: AnswerMatch) -> bool:
        """Whether the log-odds of `match` are above the threshold."""
        pairs = zip(FEATURES, match.features(), strict=True)
        return self.offset + sum(self.weights[n] * v for n, v in pairs) > self.threshold


def is_irrelevant(
    value: JsonValue, tool: Tool, arguments: JsonObject, vocabulary: Vocabulary
) -> bool:
    """Whether `value` is the answer to something else than a call of `tool` with `arguments`.

    Never for an answer without fields.
    """
    match = vocabulary.match(tool, value)
    if match is None or _keeps_promise(match):
        return False
    if is_message(value) and _only_reads(tool) and not (acts(tool) or tells_health(tool)):
        return not _echoes(value, arguments)
    return _is_odd(match) and not _echoes(value, arguments)


def _keeps_promise(match: AnswerMatch) -> bool:
    """Whether enough of the answer is documented, or enough of what is documented is there."""
    if match.schema_precision >= _KEPT:
        return True
    return match.schema_mass >= _TELLING and match.schema_recall >= _KEPT


def is_message(value: JsonValue) -> bool:
    """Whether an answer says how the call went and no more: `{"code": 7, "message": "Hello"}`."""
    if not isinstance(value, dict):
        return False
    said = {fold_identifier(name): each for name, each in value.items() if each not in _NOTHING}
    if not said.keys() <= _ABOUT_THE_CALL or any(isinstance(e, dict | list) for e in said.values()):
        return False
    return said.keys() >= _PROBLEM or any(isinstance(said.get(name), str) for name in _MESSAGE)


def _only_reads(tool: Tool) -> bool:
    """Whether data is all that a call can be for; what changes something may just say so."""
    return method_of(tool) == "GET"


def _is_odd(match: AnswerMatch) -> bool:
    """Whether the fitted weights say so of an answer of which something is promised."""
    return match.is_documented and not _is_at_home(match) and _weights().exceeded(match)


def _is_at_home(match: AnswerMatch) -> bool:
    """Whether an answer of several names speaks of the toolkit's matters."""
    several = match.mass >= _SEVERAL and match.schema_precision > 0
    return several and match.toolkit_overlap >= _AT_HOME


@cache
def _weights() -> _Weights:
    fitted = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return _Weights(**{name: fitted[name] for name in _Weights._fields})


def _echoes(value: JsonValue, arguments: JsonObject) -> bool:
    """Whether an answer repeats a value of the call."""
    planned = [(name, leaf) for name, leaf in _leaves(arguments) if len(str(leaf)) >= _ECHO]
    return any(
        _repeats(leaf, argument)
        for name, leaf in _leaves(value)
        for wanted, argument in planned
        if name == wanted or len(str(argument)) >= _LONG_ECHO
    )


def _repeats(leaf: str | float, argument: str | float) -> bool:
    """Whether `leaf` is `argument`, or a text that begins with it."""
    return leaf == argument or (isinstance(leaf, str) and leaf.startswith(str(argument)))


def _leaves(value: JsonValue) -> Iterator[tuple[str, str | float]]:
    """The first texts and numbers in `value`, each with the name of its field."""
    found, pending = 0, [("", value)]
    while pending and found < _LEAVES:
        name, each = pending.pop()
        if isinstance(each, dict):
            pending += list(each.items())[:_LEAVES]
        elif isinstance(each, list):
            pending += [(name, item) for item in each[:_LEAVES]]
        elif isinstance(each, str | int | float) and not isinstance(each, bool):
            found += 1
            yield name, each
