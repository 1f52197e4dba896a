"""The request of a run, read from its state: the one place where a run's input is checked."""

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError

from gretel.contracts.errors import InputError
from gretel.contracts.ranking import Message, Request
from gretel.contracts.record import JsonObject, JsonValue
from gretel.nodes.context import Context
from gretel.nodes.state import Json, State
from gretel.sandbox.secrets.looks import without_secrets

MAX_REQUEST_CHARS = 200_000
"""Longer requests are refused: that is a document, not a request."""
MAX_MESSAGES, TURN = 2_000_000, 500
"""Characters of all earlier turns, and as how many each turn counts besides: what planning reads of
them, it reads for each tool."""
MAX_CONTEXT, VALUE = 100_000, 50
"""Characters of all that the caller knows, and as how many each value of it counts."""
_LONG = 1_000


def read_request(state: State, context: Context) -> Request:
    """The request of a run, with history, context and the day that the run began on.

    Secrets among the context are left out: they are used as credentials alone.

    Raises:
        InputError: the request is empty, not text or too long; a message or context is malformed,
            or the messages are too long in all.
    """
    text = state.get("request")
    if text is not None and not isinstance(text, str):
        raise InputError(
            "is not text",
            field="request",
            remedy="Give what is asked now as text, and earlier turns through `messages`.",
        )
    if text is None or not text.strip():
        remedy = "Describe what is wanted."
        if state.get("messages"):
            remedy = "Give what is asked now in `request`; `messages` are the turns before it."
        raise InputError("is empty", field="request", remedy=remedy)
    if len(text) > MAX_REQUEST_CHARS:
        raise InputError(
            f"has {len(text):,} characters",
            field="request",
            remedy=f"Shorten it to {MAX_REQUEST_CHARS:,}; pass documents through `messages`.",
        )
    return Request(
        text=_clean(text),
        messages=read_messages(state.get("messages") or []),
        context=without_secrets(read_context(state.get("context")))[0],
        today=state.get("today") or context.day().isoformat(),
        timezone=context.timezone,
        locale=context.locale,
    )


def read_trial_request(given: Json) -> Request:
    """The request that a trial is sent, which may have been edited since.

    Raises:
        InputError: it is no `Request` record any more, or its text is empty.
    """
    try:
        request = Request.model_validate(given)
    except ValidationError as error:
        request = None
        place = ".".join(str(part) for part in error.errors()[0]["loc"])
        why = f"cannot be read{f' ({place})' if place else ''}"
    if request is None or not request.text.strip():
        raise InputError(
            why if request is None else "is empty",
            field="request",
            remedy="Edit the text within the record of the trial: {'text': …, 'today': …}.",
        )
    return request.model_copy(update={"context": without_secrets(request.context)[0]})


def request_hash(request: Json) -> str:
    """Content hash of a trial's request."""
    return _hash(json.dumps(_shortened(request), sort_keys=True, default=str))


def _shortened(value: Any) -> Any:
    """`value`, in which hashes stand for long texts: as JSON, these would hold the event loop."""
    if isinstance(value, dict):
        return {name: _shortened(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [*map(_shortened, value)]
    return f"sha256:{_hash(value)}" if isinstance(value, str) and len(value) > _LONG else value


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def _clean(text: str) -> str:
    """Lone surrogates cannot be encoded, stored or sent; they become `?`."""
    return text.encode("utf-8", "replace").decode("utf-8", "replace")


def _all_clean(value: JsonValue) -> JsonValue:
    """`value`, in which every text and name is clean."""
    if isinstance(value, dict):
        return {_clean(name): _all_clean(item) for name, item in value.items()}
    if isinstance(value, list):
        return [*map(_all_clean, value)]
    return _clean(value) if isinstance(value, str) else value


def read_messages(entries: Iterable[Any]) -> tuple[Message, ...]:
    """Earlier turns.

    Raises:
        InputError: one is no message, or they are longer than `MAX_MESSAGES` in all.
    """
    read = tuple(map(read_message, entries))
    said = sum(TURN + len(message.content) for message in read)
    if said > MAX_MESSAGES:
        raise InputError(
            f"have {said:,} characters",
            field="messages",
            remedy=f"Shorten them to {MAX_MESSAGES:,}: leave out what the request does not need.",
        )
    return read


def read_message(entry: Any) -> Message:
    """One earlier turn: a `Message`, a dict with role and content, or a langchain message.

    Of a content in blocks, as models give it, the texts are read.

    Raises:
        InputError: it is none of these.
    """
    try:
        return Message.model_validate(_message_fields(entry))
    except ValidationError:
        # Neither its words nor the entry: a tool may have answered it, with a secret in it.
        raise InputError(
            f"an entry ({type(entry).__name__}) is not a message",
            field="messages",
            remedy='Give {"role": "user" | "assistant" | "system" | "tool", "content": text}.',
        ) from None


_CONTEXT: TypeAdapter[Json] = TypeAdapter(JsonObject, config=ConfigDict(allow_inf_nan=False))
_ROLES = {
    "human": "user",
    "HumanMessageChunk": "user",
    "ai": "assistant",
    "AIMessageChunk": "assistant",
    "developer": "system",
    "function": "tool",
}
_WORDS = ("text", "input_text", "output_text")
"""Types of the blocks of a content that hold its text; images, thoughts and calls are no words."""


def _message_fields(entry: Any) -> Json:
    """A message as a plain dict; langchain messages are taken too."""
    entry = entry.model_dump() if isinstance(entry, Message) else entry
    if isinstance(entry, dict):
        role, content = entry.get("role", entry.get("type")), entry.get("content")
    else:
        role, content = getattr(entry, "type", None), getattr(entry, "content", None)
    role = _ROLES.get(str(role), role)
    # An assistant that only calls tools says nothing.
    return {
        "role": role,
        "content": "" if content is None and role == "assistant" else _text(content),
    }


def _text(content: Any) -> Any:
    """The text of a content, which may be a list of blocks; what is no content stays as it is."""
    if isinstance(content, list):
        texts = [_block_text(block) for block in content]
        content = content if None in texts else "\n".join(filter(None, texts))
    return _clean(content) if isinstance(content, str) else content


def _block_text(block: Any) -> str | None:
    """The text of one block, empty where it is of another type; None where it is no block."""
    if isinstance(block, str):
        return block
    if not isinstance(block, dict) or not isinstance(block.get("type"), str):
        return None
    text = block.get("text") if block["type"] in _WORDS else ""
    return text if isinstance(text, str) else None


def read_context(given: Any) -> Json:
    """What the caller knows already.

    Raises:
        InputError: it is no object, holds what is no JSON or an integer beyond 64 bits, which no
            checkpoint holds, or is longer than `MAX_CONTEXT`.
    """
    if given is None:
        return {}
    try:
        context = _CONTEXT.validate_python(given)
    except ValidationError as error:
        name = next((str(part) for part in error.errors()[0]["loc"]), "")
        raise InputError(
            f"value {name!r} is not a JSON value" if name else "is not an object",
            field="context",
            remedy='Give {"name": value, …}, with JSON values.',
        ) from None
    _check_size(context)
    return {_clean(name): _all_clean(item) for name, item in context.items()}


def _check_size(context: Json) -> None:
    left, pending = MAX_CONTEXT, [context]
    while pending:
        item: Any = pending.pop()
        if isinstance(item, dict | list):
            left -= VALUE * len(item)
            pending.extend([*item, *item.values()] if isinstance(item, dict) else item)
        elif isinstance(item, str):
            left -= len(item)
        elif isinstance(item, int) and not -(2**63) <= item < 2**64:
            remedy = "Give such a number as a string."
            raise InputError("holds an integer beyond 64 bits", field="context", remedy=remedy)
        if left < 0:
            remedy = "Give only what tools need; pass documents through `messages`."
            raise InputError("is too large", field="context", remedy=remedy)
