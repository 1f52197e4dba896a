"""Whether an answer is about something else than what was called.

Decided by the names of its fields alone, with weights that `gretel.training.relevance` fits on real
documents: does the answer keep what the tool promises, and does it speak the words of the tool and
of its toolkit. No other document has a say: it could claim the fields of a rival's answer. So an
answer of a tool that promises next to nothing is not judged, but weighed: `oddness`. Nor is one of
several names that are mostly the toolkit's own words: then the document is wrong. Words on how the
call went and nothing else are no answer to a GET either, unless the tool documents them, or is
there to do something or to say how its server is.

No text in a value takes part, but for one thing: an answer that repeats a value of the call is
about the call, in a value or where most of its names begin so. Text appended to a value cannot
change that.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from gretel.catalog.answer_match import FEATURES, WORDS, AnswerMatch
from gretel.catalog.effects.changes import method_of
from gretel.catalog.field_names import is_message
from gretel.catalog.vocabulary import Vocabulary
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Tool
from gretel.sandbox.answers.subject import acts, tells_health
from gretel.text.identifiers import split_identifier

WEIGHTS = Path(__file__).with_name("relevance.json")
_KEPT = 1 / 3
"""Part of the answer's names, or of the promised ones, that is enough of a promise kept."""
_TELLING = 5.0
"""Rarity, in nats, of names that do not stand in every other answer too."""
_AT_HOME = 1 / 2
"""Part of the names that are words of the toolkit, from which an answer is about its matters."""
_SEVERAL = 12.0
"""Rarity, in nats, of an answer's names, from which their part is no matter of a single one."""
MOST = 3.0
"""Nats: what words alone say against an answer is bounded."""
_ECHO = 3
"""Characters from which a repeated value is an echo; under the argument's own name."""
_LONG_ECHO = 5
"""Characters from which it is one under any name."""
_NAME = 40
"""Characters up to which a value may be the beginning of names."""
_LEAVES = 400
"""Values of an answer that are looked at."""


class _Weights(NamedTuple):
    """A logistic curve."""

    weights: Mapping[str, float]
    offset: float
    threshold: float
    """Of an answer of which something is promised, the log-odds from which it is irrelevant; else
    those of all that the curve was fitted on."""

    def beyond(self, names: Sequence[str], values: Sequence[float]) -> float:
        """How far the log-odds are above the threshold, in nats."""
        pairs = zip(names, values, strict=True)
        return self.offset + sum(self.weights[n] * v for n, v in pairs) - self.threshold


def is_irrelevant(
    value: JsonValue, tool: Tool, arguments: JsonObject, vocabulary: Vocabulary
) -> bool:
    """Whether `value` is the answer to something else than a call of `tool` with `arguments`.

    Never for an answer without fields.
    """
    match = vocabulary.match(tool, value)
    if match is None or _keeps_promise(match):
        return False
    # What changes something may just say so; a GET can be for data alone.
    if is_message(value) and method_of(tool) == "GET" and not (acts(tool) or tells_health(tool)):
        return not _echoes(value, arguments)
    return _is_odd(match) and not _echoes(value, arguments)


def oddness(value: JsonValue, tool: Tool, arguments: JsonObject, vocabulary: Vocabulary) -> float:
    """How much the words of its fields' names speak against an answer of which nothing is promised.

    The logarithm, in nats, of how much oftener an answer to something else uses such words than one
    to the call: in the documents that `gretel.training.relevance` reads. From 0 to `MOST`; 0 for
    names that stand in many an answer, for a bare message, and where a value of the call is there.
    """
    match = vocabulary.match(tool, value)
    if match is None or match.is_documented or match.mass < _TELLING:
        return 0.0
    if is_message(value) or _echoes(value, arguments) or _is_keyed(value, arguments):
        return 0.0
    odd = _weights()["undocumented"].beyond(WORDS, match.words())
    return round(min(max(odd, 0.0), MOST), 4)


def _keeps_promise(match: AnswerMatch) -> bool:
    """Whether enough of the answer is documented, or enough of what is documented is there."""
    if match.schema_precision >= _KEPT:
        return True
    return match.schema_mass >= _TELLING and match.schema_recall >= _KEPT


def _is_odd(match: AnswerMatch) -> bool:
    """Whether the fitted weights say so of an answer of which something is promised."""
    if not match.is_documented or _is_at_home(match):
        return False
    return _weights()["documented"].beyond(FEATURES, match.features()) > 0


def _is_at_home(match: AnswerMatch) -> bool:
    """Whether an answer of several names speaks of the toolkit's matters."""
    several = match.mass >= _SEVERAL and match.schema_precision > 0
    return several and match.toolkit_overlap >= _AT_HOME


@cache
def _weights() -> Mapping[str, _Weights]:
    fitted = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return {
        kind: _Weights(**{name: fitted[kind][name] for name in _Weights._fields})
        for kind in ("documented", "undocumented")
    }


def _echoes(value: JsonValue, arguments: JsonObject) -> bool:
    """Whether an answer repeats a value of the call."""
    planned = [(name, leaf) for name, leaf in _leaves(arguments) if len(str(leaf)) >= _ECHO]
    return any(
        _repeats(leaf, argument)
        for name, leaf in _leaves(value)
        for wanted, argument in planned
        if name == wanted or len(str(argument)) >= _LONG_ECHO
    )


def _is_keyed(value: JsonValue, arguments: JsonObject) -> bool:
    """Whether most names of an answer begin with a value of the call: "cpu_idle" for "cpu"."""
    if not isinstance(value, dict):
        return False
    texts = (str(leaf).lower() for _, leaf in _leaves(arguments))
    asked = {split_identifier(text) for text in texts if _ECHO <= len(text) <= _NAME} - {()}
    words = [split_identifier(name) for name in islice(value, _LEAVES)]
    return any(2 * sum(w[: len(a)] == a for w in words) > len(words) for a in asked)


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
