"""The world of values: which values the tools of a mock have an answer to.

A right tool knows the values of its right calls; what any other tool knows is drawn, and so is
whether a documented sample works. This is the environment's alone: nobody who plans, ranks or
judges calls is told which tools are right, or what they know.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from gretel.catalog.document import as_list
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Parameter, Tool, ToolId
from gretel.evaluation.mock.faults import seeded_uniform
from gretel.evaluation.mock.values import kinds
from gretel.text.identifiers import identifier_text

KNOWN = 0.37
"""How often a service has an answer to values that a caller found or made up. This and the next are
what `python benchmarks/trials/real_values.py` prints of the development part, each toolkit weighing
alike (`said or made up`, `sample`)."""
KNOWN_SAMPLE = 0.75
"""The same where all values are samples of the document."""
TEXT_WORDS = 6
"""From so many words on a value is a text that a service works on, not a name that it looks up."""
TEXT_SHARED = 0.5
"""Share of all words of two texts that both must have to be as good as each other."""

_PAIRS = 10_000
"""Comparisons of two lists, item by item, beyond which they are different."""

_STEERING = re.compile(
    r"(?:.* )?(?:limit|offset|skip|cursor|size|units?|lang|languages?|locale|format|formats)"
    r"|(?:page|pages)(?: (?:number|num|no|index|size|token))?|per page|start index"
    r"|(?:max|num|number of|total) (?:results?|items|rows|records|count|per page)"
    r"|count|rows|results|take|top|sort|sort .*|.* sort|order|order(?: (?:by|direction|dir))"
    r"|(?:lang|language|locale|unit|output|response) (?:code|type|system|format)|callback"
)
"""Names, word by word, of what says how an answer is to look and not what it is about."""
_SEARCH = re.compile(
    r"(?:.* )?(?:q|query|search|searches|keywords?|terms?|text|phrase|prompt|message|content)"
)
"""Names of what is searched or worked on word by word."""
_FLAGS = ({"boolean"}, {"null"}, {"boolean", "null"})
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?")
_WORD = re.compile(r"\w+")


RightCall: TypeAlias = Mapping[str, tuple[JsonValue, ...]]
"""A call of a right tool: parameter → its right values, each as good as the other. Parameters that
have none are left out: the request says nothing of them, or an earlier call's answer decides."""
RightCalls: TypeAlias = Mapping[tuple[str, ToolId], tuple[RightCall, ...]]
"""By request and right tool; several of one pair are alternatives."""


@dataclass(frozen=True)
class KnownValues:
    """What the tools know. Draws are hashes of seed, tool and values, and of nothing else."""

    right: RightCalls
    """Requests by their names on the wire."""
    seed: int

    def unknown(self, tool: Tool, arguments: JsonObject, request_id: str | None) -> JsonObject:
        """The arguments, which keep the contract, that `tool` has no answer to; empty: it has one.

        Where nobody says what the call is made for (None), no tool is known to be right.
        """
        asked = looked_up(tool, arguments)
        calls = self.right.get((request_id or "", tool.tool_id))
        if calls is None:
            return {} if not asked or self._draws(tool, asked) else asked
        left = [self._unmet(tool, asked, call) for call in calls]
        return min(left, key=len, default={})

    def _unmet(self, tool: Tool, asked: JsonObject, call: RightCall) -> JsonObject:
        """What of `asked` the right call does not cover.

        A value in place of a right one is only known where it is a sample of the document. What
        has no right value is drawn as it is for any other tool.
        """
        wrong: JsonObject = {}
        free: JsonObject = {}
        for name, value in asked.items():
            words = _SEARCH.fullmatch(identifier_text(name)) is not None
            if any(same(value, right, words=words) for right in call.get(name, ())):
                continue
            (wrong if name in call else free)[name] = value
        samples = _samples(tool, wrong)
        unmet = {name: value for name, value in wrong.items() if name not in samples}
        for drawn in (samples, free):
            if drawn and not self._draws(tool, drawn):
                unmet |= drawn
        return unmet

    def _draws(self, tool: Tool, asked: JsonObject) -> bool:
        """Whether the tool knows these values together."""
        share = KNOWN_SAMPLE if len(_samples(tool, asked)) == len(asked) else KNOWN
        values = json.dumps([[name, folded(asked[name])] for name in sorted(asked)])
        return seeded_uniform(self.seed, "known", tool.tool_id, values) < share


def wire_name(request_id: str) -> str:
    """A request's id as it stands on the wire: it may hold any character, headers may not."""
    return request_id.encode("unicode_escape").decode("ascii")


def looked_up(tool: Tool, arguments: JsonObject) -> JsonObject:
    """The arguments that name or search something: what a service may know or not.

    The rest is always known: listed values, flags, what steers the answer (how many, in which
    order, unit, language or format), and what the server assumes anyway.
    """
    fillable = {parameter.name: parameter for parameter in tool.fillable}
    return {
        name: value
        for name, value in arguments.items()
        if name in fillable and value is not None and _names(fillable[name], value)
    }


def may_be_unknown(tool: Tool) -> bool:
    """Whether there is a parameter of `tool` whose value a service may not know."""
    return any(_identifies(parameter) for parameter in tool.fillable)


def same(given: JsonValue, right: JsonValue, *, words: bool = False) -> bool:
    """Whether a service takes `given` for `right`: case, blanks and the type of a number aside,
    and the marks that end a sentence, which data sets cut or keep as they like.

    Of an object every right field must be there, of a list some items and no others; a list may
    come as text with commas. Of a long text half of the words will do, and with `words` of any.
    """
    if isinstance(right, dict):
        return isinstance(given, dict) and all(
            key in given and same(given[key], item) for key, item in right.items()
        )
    if isinstance(right, list) or isinstance(given, list):
        mine, theirs = _items(given), _items(right)
        known = {folded(each) for each in theirs}
        others = [each for each in mine if folded(each) not in known]
        few = len(others) * len(theirs) <= _PAIRS
        return bool(mine) and few and all(any(same(m, t) for t in theirs) for m in others)
    if folded(given) == folded(right):
        return True
    wanted, said = (_WORD.findall(str(each).casefold()) for each in (right, given))
    shared, either = set(wanted) & set(said), set(wanted) | set(said)
    return (words or len(wanted) >= TEXT_WORDS) and 0 < len(shared) >= TEXT_SHARED * len(either)


def folded(value: JsonValue) -> str:
    """A value as services compare it; a number written as one is the number, "007" is not 7."""
    if isinstance(value, dict):
        return json.dumps({key: folded(value[key]) for key in sorted(value)})
    if isinstance(value, list):
        return json.dumps([folded(item) for item in value])
    text = " ".join(str(value).casefold().split()).rstrip(".,;:!?")
    if _NUMBER.fullmatch(text):
        return text.rstrip("0").rstrip(".") if "." in text else text
    return text


def _items(value: JsonValue) -> list[JsonValue]:
    if isinstance(value, str):
        return [part for part in value.split(",") if part.strip()]
    return value if isinstance(value, list) else [value]


def _names(parameter: Parameter, value: JsonValue) -> bool:
    """Whether a value names or searches something."""
    schema = parameter.json_schema
    assumed = "default" in schema and same(value, schema["default"])
    return _identifies(parameter) and not assumed


def _identifies(parameter: Parameter) -> bool:
    """Whether the values of a parameter are of the kind that a service may not know."""
    return not _closed(parameter.json_schema) and not _STEERING.fullmatch(
        identifier_text(parameter.name)
    )


def _closed(schema: JsonValue) -> bool:
    """Whether a schema lists its values, be it of a list's items; yes and no are a list, too."""
    if not isinstance(schema, dict):
        return False
    if "enum" in schema or "const" in schema or kinds(schema) in _FLAGS:
        return True
    branches = [each for key in ("anyOf", "oneOf") for each in as_list(schema.get(key))]
    return all(map(_closed, branches)) if branches else _closed(schema.get("items"))


def _samples(tool: Tool, arguments: JsonObject) -> JsonObject:
    """Those of the arguments whose value the document shows."""
    shown = {parameter.name: parameter.examples for parameter in tool.fillable}
    return {
        name: value
        for name, value in arguments.items()
        if any(same(value, sample) for sample in shown.get(name, ()))
    }
