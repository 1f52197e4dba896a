"""One request to a chat model, in one of several reply formats, and what came back."""

import json
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from gretel.contracts.ranking import Message
from gretel.contracts.record import JsonObject
from gretel.llm.form import CAPS, CapName, Form, Format
from gretel.llm.ledger import Tokens
from gretel.llm.reading import check_size
from gretel.llm.strict import strict
from gretel.text.blocks import block

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.runnables import Runnable

_CUT = frozenset({"length", "max_tokens", "MAX_TOKENS"})
"""Reasons to stop, as providers call them, of a reply that is not whole."""
_MOST_TOKENS = 10**9
"""Of one reply; no store of a run holds what is beyond 64 bits."""


class Answer(NamedTuple):
    """A model's reply before it is judged."""

    text: str
    parsed: JsonObject | None = None
    """Set where the reply came as a tool call, which has no text."""
    refusal: str | None = None
    tokens: Tokens | None = None
    """What the provider said; None where it did not."""
    cut: bool = False
    """The reply ends at its cap and not where the model would have ended it."""
    thought: bool = False
    """Tokens went into thought before, or in place of, the reply."""
    cap: int | None = None
    """The most tokens that were asked for; None: the request said nothing of it."""

    def written(self) -> str:
        """It as text; '' for a tool call that no JSON can say: too deep, too large, or odd."""
        if self.text.strip() or not self.parsed:
            return self.text
        try:
            check_size(self.parsed)
            return json.dumps(self.parsed, ensure_ascii=False)
        except (TypeError, ValueError, RecursionError):
            return ""

    def too_long(self) -> bool:
        """Whether the endpoint did not keep the cap."""
        spent = self.tokens.completion if self.tokens else 0
        return self.cap is not None and not self.cut and spent > self.cap


class Question(NamedTuple):
    """What is asked: messages, the reply's schema and cap, and the step that asks."""

    messages: Sequence[Message]
    """Not empty."""
    schema: JsonObject
    """Of the reply; a JSON object."""
    step: str
    """The schema's title, and its name on the wire."""
    cap: int
    """Most tokens of the reply."""

    def prompt(self) -> str:
        """All text that is asked, but for the schema."""
        return "\n".join(message.content for message in self.messages)


class Prepared(NamedTuple):
    """A question put in one form, ready to be sent any number of times."""

    runnable: "Runnable[Any, Any]"
    messages: Sequence[tuple[str, str]]
    cap: int | None

    def prompt(self) -> str:
        """All text that is sent, but for the schema."""
        return "\n".join(content for _, content in self.messages)


def prepare(chat: "BaseChatModel", form: Form, question: Question) -> Prepared:
    """Put a question to `chat` in the given form."""
    titled: JsonObject = {
        "title": question.step,
        "description": f"The reply of the {question.step} step.",
        "properties": {},
        **question.schema,
    }
    messages = question.messages
    if form.format in ("json", "text"):
        messages = _instructed(messages, titled)
    said = [(message.role, message.content) for message in messages]
    cap = question.cap if form.cap else None
    return Prepared(_bound(chat, form, titled, cap), said, cap)


async def ask(prepared: Prepared) -> Answer:
    """Send once. Raises whatever the client raises."""
    try:
        got = await prepared.runnable.ainvoke(prepared.messages)
    except Exception as error:
        unfinished = getattr(error, "completion", None)
        if unfinished is None:
            raise
        answer = _unfinished(unfinished)  # cut off at the token limit, or by a content filter
    else:
        answer = _answer(got)
    return answer._replace(cap=prepared.cap)


def _bound(
    chat: "BaseChatModel", form: Form, schema: JsonObject, cap: int | None
) -> "Runnable[Any, Any]":
    options: dict[str, Any] = {}
    if form.temperature is not None:
        options["temperature"] = form.temperature
    if _speaks_openai(chat):
        # Not with_structured_output: its parser mends broken JSON in time that grows with the
        # square of the reply, and a hostile reply is long. `reading` parses within bounds.
        options |= _capped(chat, form.cap, cap)
        # Advice on a format that we try on purpose, and have a lesser one behind.
        warnings.filterwarnings("ignore", message=".* OpenAI's structured output feature")
        # An answer of other types than the client's, which these repeat on the terminal.
        warnings.filterwarnings("ignore", message="Pydantic serializer warnings")
        if form.format != "text":
            options["response_format"] = _response_format(form.format, schema)
        return chat.bind(**options)
    if cap is not None and "max_tokens" in type(chat).model_fields:
        chat = chat.model_copy(update={"max_tokens": _lowest(chat, cap)})
    if form.format == "text":
        return chat.bind(**options)
    try:
        said = strict(schema) if form.format == "strict" else schema
        return chat.with_structured_output(said or schema, include_raw=True, **options)
    except NotImplementedError:
        return chat.bind(**options)


def _speaks_openai(chat: "BaseChatModel") -> bool:
    from langchain_openai.chat_models.base import BaseChatOpenAI

    return isinstance(chat, BaseChatOpenAI)


def _capped(chat: "BaseChatModel", name: CapName | None, cap: int | None) -> dict[str, Any]:
    if name is None or cap is None:
        return {}
    # langchain-openai writes the newer name for either, so the older goes around it.
    return {"extra_body": {name: cap}} if name == CAPS[0] else {name: _lowest(chat, cap)}


def _lowest(chat: "BaseChatModel", cap: int) -> int:
    """The cap, or the caller's own on its chat model where that is lower."""
    own = getattr(chat, "max_tokens", None)
    return min(own, cap) if isinstance(own, int) else cap


def _response_format(wanted: Format, schema: JsonObject) -> JsonObject:
    if wanted == "json":
        return {"type": "json_object"}
    said = strict(schema) if wanted == "strict" else schema
    named: JsonObject = {"name": schema["title"], "schema": said or schema}
    return {"type": "json_schema", "json_schema": {**named, "strict": said is not None}}


def _instructed(messages: Sequence[Message], schema: JsonObject) -> list[Message]:
    """The messages with the reply's schema written into the first, for endpoints that take none."""
    said = json.dumps(schema, ensure_ascii=False)  # with names and values of a document
    text = (
        f"{messages[0].content}\n\nReply with one JSON object that matches the JSON Schema in this "
        f"block, and with nothing else:\n{block('schema', said, 2 * len(said))}"
    )
    return [messages[0].model_copy(update={"content": text}), *messages[1:]]


def _answer(got: Any) -> Answer:
    raw, parsed = (got["raw"], got["parsed"]) if isinstance(got, dict) else (got, None)
    usage = raw.usage_metadata or {}
    said = raw.response_metadata
    reasons = {str(said.get(key)) for key in ("finish_reason", "stop_reason", "done_reason")}
    refusal = raw.additional_kwargs.get("refusal")
    text = str(raw.text)
    thought = usage.get("output_token_details", {}).get("reasoning")
    return Answer(
        text=text,
        parsed=parsed if isinstance(parsed, dict) else None,
        refusal=str(refusal) if refusal else None,
        tokens=_tokens(
            usage.get("input_tokens"),
            usage.get("output_tokens"),
            usage.get("input_token_details", {}).get("cache_read"),
        ),
        cut=not reasons.isdisjoint(_CUT),
        thought=_thought(text, thought),
    )


def _unfinished(completion: Any) -> Answer:
    usage, choice = completion.usage, completion.choices[0]
    text = choice.message.content or ""
    read = getattr(usage, "prompt_tokens_details", None)
    written = getattr(usage, "completion_tokens_details", None)
    cached = getattr(read, "cached_tokens", None)
    return Answer(
        text=text,
        tokens=_tokens(usage.prompt_tokens, usage.completion_tokens, cached) if usage else None,
        cut=str(choice.finish_reason) in _CUT,
        thought=_thought(text, getattr(written, "reasoning_tokens", None)),
    )


def _tokens(*said: Any) -> Tokens | None:
    """What an endpoint says that a reply took; None where that is no such number, or nothing: no
    reply costs nothing, and one that gave back what others took would lift every ceiling.
    """
    counts = [each or 0 for each in said]
    if not all(isinstance(each, int) and 0 <= each <= _MOST_TOKENS for each in counts):
        return None
    tokens = Tokens(*counts)
    return tokens if tokens.spent else None


def _thought(text: str, reported: int | None) -> bool:
    """Whether a model thought before it wrote: it says so, or has written nothing else yet."""
    thinking = "<think>" in text and "</think>" not in text
    return bool(reported) or thinking or not text
