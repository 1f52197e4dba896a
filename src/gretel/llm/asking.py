"""One request to a chat model, in one of three reply formats, and what came back."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from gretel.contracts.ranking import Message
from gretel.contracts.record import JsonObject

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.runnables import Runnable

Format: TypeAlias = Literal["schema", "json", "text"]
"""Structured output by JSON Schema, JSON mode, or instructions alone; best first."""


class Form(NamedTuple):
    """How a request is put."""

    format: Format
    temperature: float | None
    """None: the model's own; some models accept no other."""

    def after(self, said: str, formats: Sequence[Format]) -> "Form | None":
        """What to try when the endpoint rejected this one; None when nothing is left.

        Args:
            said: the endpoint's own words.
            formats: all that may be tried, best first.
        """
        if self.temperature is not None and "temperature" in said.lower():
            return self._replace(temperature=None)
        rest = formats[formats.index(self.format) + 1 :]
        return self._replace(format=rest[0]) if rest else None


class Answer(NamedTuple):
    """A model's reply before it is judged."""

    text: str
    parsed: JsonObject | None = None
    """Set where the reply came as a tool call, which has no text."""
    refusal: str | None = None
    tokens: tuple[int, int] | None = None
    """Prompt and completion tokens, where the provider said."""


class Question(NamedTuple):
    """What is asked: messages, the reply's schema, and the step that asks."""

    messages: Sequence[Message]
    """Not empty."""
    schema: JsonObject
    """Of the reply; a JSON object."""
    step: str
    """The schema's title, and its name on the wire."""


class Prepared(NamedTuple):
    """A question put in one form, ready to be sent any number of times."""

    runnable: "Runnable[Any, Any]"
    messages: Sequence[tuple[str, str]]

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
    if form.format != "schema":
        messages = _instructed(messages, titled)
    said = [(message.role, message.content) for message in messages]
    return Prepared(_bound(chat, form, titled), said)


async def ask(prepared: Prepared) -> Answer:
    """Send once. Raises whatever the client raises."""
    try:
        got = await prepared.runnable.ainvoke(prepared.messages)
    except Exception as error:
        unfinished = getattr(error, "completion", None)
        if unfinished is None:
            raise
        return _unfinished(unfinished)  # cut off at the token limit, or by a content filter
    return _answer(got)


def _bound(chat: "BaseChatModel", form: Form, schema: JsonObject) -> "Runnable[Any, Any]":
    options: dict[str, Any] = {}
    if form.temperature is not None:
        options["temperature"] = form.temperature
    if form.format == "text":
        return chat.bind(**options)
    if _speaks_openai(chat):
        # Not with_structured_output: its parser mends broken JSON in time that grows with the
        # square of the reply, and a hostile reply is long. `reading` parses within bounds.
        return chat.bind(response_format=_response_format(form.format, schema), **options)
    try:
        return chat.with_structured_output(schema, include_raw=True, **options)
    except NotImplementedError:
        return chat.bind(**options)


def _speaks_openai(chat: "BaseChatModel") -> bool:
    from langchain_openai.chat_models.base import BaseChatOpenAI

    return isinstance(chat, BaseChatOpenAI)


def _response_format(wanted: Format, schema: JsonObject) -> JsonObject:
    if wanted == "json":
        return {"type": "json_object"}
    named: JsonObject = {"name": schema["title"], "schema": schema, "strict": False}
    return {"type": "json_schema", "json_schema": named}


def _instructed(messages: Sequence[Message], schema: JsonObject) -> list[Message]:
    """The messages with the reply's schema written into the first, for endpoints that take none."""
    text = (
        f"{messages[0].content}\n\nReply with one JSON object that matches this JSON Schema, "
        f"and with nothing else:\n{json.dumps(schema, ensure_ascii=False)}"
    )
    return [messages[0].model_copy(update={"content": text}), *messages[1:]]


def _answer(got: Any) -> Answer:
    raw, parsed = (got["raw"], got["parsed"]) if isinstance(got, dict) else (got, None)
    usage = raw.usage_metadata or {}
    tokens = (usage.get("input_tokens", 0), usage.get("output_tokens", 0))
    return Answer(
        text=str(raw.text),
        parsed=parsed if isinstance(parsed, dict) else None,
        refusal=raw.additional_kwargs.get("refusal"),
        tokens=tokens if any(tokens) else None,  # no reply costs nothing: that is a missing usage
    )


def _unfinished(completion: Any) -> Answer:
    usage = completion.usage
    return Answer(
        text=completion.choices[0].message.content or "",
        tokens=(usage.prompt_tokens, usage.completion_tokens) if usage else None,
    )
