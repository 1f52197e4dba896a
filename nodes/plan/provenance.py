"""Provenance of values: how sure each source is, and where a value that a model chose stands."""

from collections.abc import Callable, Sequence, Set
from functools import cache
from typing import NamedTuple

from gretel.catalog.schema_keywords import is_number
from gretel.contracts.ranking import Request
from gretel.contracts.record import JsonValue
from gretel.contracts.tool import Parameter, Tool
from gretel.contracts.trial import Argument, CallPlan
from gretel.nodes.plan.retelling import (
    TELLING,
    leaves_of,
    names_told,
    own_names,
    parted,
    reads_alike,
    retells,
    retold,
    telling,
    words_told,
)
from gretel.nodes.plan.standing import find, leaf_span, leaves_spans

STATED = 1.0
"""The value stands in the text, or among the context's values."""
DERIVED = 0.8
"""Made from words that the model quoted and that do stand there: a date from "next Tuesday"."""
ASSUMED = 0.9
"""The only member of an enum, or the default."""
UNSUPPORTED = 0.3
"""A sample of the document, or nothing at all that we can find: perhaps made up."""

_DOCUMENTED = ("enum", "default", "example")
MAX_QUOTE = 120
"""A longer quote is no evidence for one value."""


def traced(value: JsonValue, quote: str, parameter: Parameter, request: Request) -> Argument:
    """The argument with its source and, for text, its span.

    A value that stands in the text beats the context's values only in having a span; one that
    stands nowhere is `invented`, with low confidence, and not refused: a plan may still be right.
    `quote`: the words that a model says the value comes from; `""` without any.
    """
    return (
        _said(value, request, lambda text: leaves_spans(value, text), STATED)
        or _in_context(value, request)
        or _quoted(value, quote, request)
        or _from_schema(value, parameter)
        or Argument(value=value, source="invented", confidence=UNSUPPORTED)
    )


def plan_of(tool: Tool, arguments: dict[str, Argument], facts: tuple[str, ...] = ()) -> CallPlan:
    """A call, as sure as the least sure of what is required.

    What is required and nobody said, from a sample or invented by a model, counts as unmet.
    """
    needed = {parameter.name for parameter in tool.fillable if parameter.required}
    required = {name: each for name, each in arguments.items() if name in needed}
    made_up = ("example", "invented")
    return CallPlan(
        tool_id=tool.tool_id,
        arguments=arguments,
        unmet=tuple(name for name, each in required.items() if each.source in made_up),
        confidence=min((each.confidence for each in required.values()), default=1.0),
        facts=facts,
    )


def _said(
    value: JsonValue,
    request: Request,
    find_in: Callable[[str], tuple[int, int] | None],
    confidence: float,
) -> Argument | None:
    """The value as a text says it: the request, else the latest message in which it is found."""
    if span := find_in(request.text):
        return Argument(value=value, source="request", span=span, confidence=confidence)
    for message in reversed(request.messages):
        if span := find_in(message.content):
            return Argument(value=value, source="message", span=span, confidence=confidence)
    return None


def _in_context(value: JsonValue, request: Request) -> Argument | None:
    known = [*request.context.values(), *leaves_of(request.context), request.today]
    if any(_same(value, each) for each in known):
        return Argument(value=value, source="context", confidence=STATED)
    return None


def _quoted(value: JsonValue, quote: str, request: Request) -> Argument | None:
    if len(quote) > MAX_QUOTE:
        return None
    found = _said(value, request, lambda text: find(quote, text), DERIVED)
    return found and found.model_copy(update={"quoted": True})


def _from_schema(value: JsonValue, parameter: Parameter) -> Argument | None:
    schema = parameter.json_schema
    if schema.get("enum") == [value] or ("const" in schema and _same(value, schema["const"])):
        return Argument(value=value, source="enum", confidence=ASSUMED)
    if "default" in schema and _same(value, schema["default"]):
        return Argument(value=value, source="default", confidence=ASSUMED)
    if any(_same(value, example) for example in parameter.examples):
        return Argument(value=value, source="example", confidence=UNSUPPORTED)
    return None


def heard(plan: CallPlan, request: Request) -> CallPlan:
    """`plan`, whose values that tools alone said in earlier turns are answers: they give no leave.

    The caller's conversation holds what a server wrote, and that is no word of a person's.
    """
    turns = _Turns.of(request)
    if not turns.answers:
        return plan
    arguments = {
        name: each.model_copy(update={"source": "answer", "span": None})
        if each.source == "message" and not turns.asks(each.value)
        else each
        for name, each in plan.arguments.items()
    }
    return plan.model_copy(update={"arguments": arguments})


class _Turns(NamedTuple):
    """Who said what in a conversation, the request with it."""

    asked: str
    """By whoever asks: the user, and the caller's own program."""
    said: str
    """By these and the assistant, which may say again what a tool answered."""
    answers: str
    """By tools."""

    @classmethod
    def of(cls, request: Request) -> "_Turns":
        def by(*roles: str) -> list[str]:
            return [each.content for each in request.messages if each.role in roles]

        asked = "\n".join([request.text, *by("user", "system")])
        return cls(asked, "\n".join([asked, *by("assistant")]), "\n".join(by("tool")))

    def asks(self, value: JsonValue) -> bool:
        """Whether somebody else than a tool said a value."""
        return leaves_spans(value, self.said) is not None and not self.answered(value)

    def answered(self, value: JsonValue) -> bool:
        """Whether a value, or a part of it, stands in a tool's answer, and nobody asked for it."""
        return any(
            leaf_span(leaf, self.answers) and not self.gives(leaf) for leaf in leaves_of(value)
        )

    def gives(self, leaf: JsonValue) -> bool:
        """Whether whoever asks said a text or number.

        An assistant, which may say again what it was told, gives leave only for what is too short
        to tell where it comes from.
        """
        return leaf_span(leaf, self.asked if telling(leaf) else self.said) is not None


def facts_of(
    plan: CallPlan, request: Request, tool: Tool | None = None, own: Sequence[str] = ()
) -> tuple[str, ...]:
    """The arguments of `plan` that hold facts, in their order: of the context, or of a tool's
    answer in an earlier turn, of which nobody can say what server gave it.

    A value that the request says as well is no fact; nor is today's date, nor what the document
    itself chose, as the names within a value of `tool`. `own`: what its server answered itself; of
    earlier answers it knows that much.
    """
    told = _Told(request, tool, own)
    found = tuple(
        name
        for name, each in plan.arguments.items()
        if each.source not in _DOCUMENTED
        and (told.holds_fact(name, each, name in plan.facts) or told.repeats_answer(name, each))
    )
    return found or parted(plan, told.words)


class _Told:
    """What a call would tell the server of a tool."""

    def __init__(self, request: Request, tool: Tool | None, own: Sequence[str]) -> None:
        self._request, self._tool, self._own = request, tool, own
        self._turns = turns = _Turns.of(request)
        known = (*leaves_of(request.context), *names_told(request.context))
        self._facts = [each for each in known if not turns.gives(each)]
        self._words = words_told(self._facts, turns.asked)
        self._answers = cache(self._words_of_answers)

    def words(self) -> set[str]:
        """The words of facts and of answers."""
        return self._words | self._answers()

    def _words_of_answers(self) -> set[str]:
        turns = self._turns
        return words_told(turns.answers, turns.asked, self._request.today, *self._own)

    def holds_fact(self, name: str, argument: Argument, taken: bool) -> bool:
        """Whether an argument holds a fact of the context; `taken`: others said so."""
        leaves = [*leaves_of(argument.value)]
        if leaves and all(map(self._turns.gives, leaves)):
            return retells(own_names(argument.value, name, self._tool), self._words)
        if taken and not self._known(argument):
            return True
        return _holds_fact(argument, self._facts, self._words, self._request.today)

    def repeats_answer(self, name: str, argument: Argument) -> bool:
        """Whether an argument holds what a tool answered in an earlier turn."""
        turns, again = self._turns, retold(name, argument, self._answers, self._tool)
        if again or argument.source != "message" or not turns.answers or self._known(argument):
            return again
        derived = argument.quoted and not leaves_spans(argument.value, turns.said)
        return derived or turns.answered(argument.value)

    def _known(self, argument: Argument) -> bool:
        """Whether the server answered a value itself."""
        return any(leaves_spans(argument.value, each) for each in self._own)


def _holds_fact(argument: Argument, facts: list[JsonValue], words: Set[str], today: str) -> bool:
    if argument.source == "context":
        return argument.value != today or today in facts
    if retells(argument.value, words):
        return True
    if argument.source in ("request", "message") and is_number(argument.value):
        return False  # "two days": one of the context's many numbers, it would be the context's
    return any(_holds(leaf, fact) for leaf in leaves_of(argument.value) for fact in facts)


def _holds(leaf: JsonValue, fact: JsonValue) -> bool:
    """Whether a value is a fact, or a text that a longer fact stands in."""
    texts = isinstance(leaf, str) and isinstance(fact, str) and len(fact) >= TELLING
    if texts and str(fact).casefold() in str(leaf).casefold():
        return True
    plain = not any(isinstance(each, bool) or each is None for each in (leaf, fact))
    return plain and reads_alike(leaf, fact)


def _same(value: JsonValue, other: JsonValue) -> bool:
    return type(value) is type(other) and value == other
