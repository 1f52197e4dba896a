"""A language model that replies in JSON: asked, checked, repaired once, counted."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from gretel.contracts.errors import ConfigurationError, ModelReplyError
from gretel.contracts.ranking import Message
from gretel.contracts.record import JsonObject
from gretel.llm.asking import Answer, Form, Format, Question
from gretel.llm.connections import Client, Connections
from gretel.llm.failures import RequestRejected, said
from gretel.llm.ledger import Price
from gretel.llm.reading import problems, read_object
from gretel.llm.sending import ModelLimits, Sender
from gretel.text.blocks import block, broken, without_mark

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

T = TypeVar("T")
Check = Callable[[JsonObject], T]
"""Turns a reply that its schema allows into what the step wants; raises ValueError with a text
for the model where the content will not do."""

MAX_SHOWN = 4_000
"""Characters of an unusable reply that the repair round shows to the model."""


class StructuredModel:
    """A chat model whose replies are JSON objects of a given schema; made by `open_model`.

    Safe to share by many tasks, and by many event loops.
    """

    def __init__(
        self, sender: Sender, formats: Sequence[Format], *, temperature: float | None = None
    ) -> None:
        self._sender = sender
        self._formats = tuple(formats)
        self._form = Form(self._formats[0], temperature)
        self._accepted = False

    def __repr__(self) -> str:
        return f"StructuredModel({self.name!r})"

    @property
    def name(self) -> str:
        """`provider:model`, or the class of a chat model that was given."""
        return self._sender.name

    async def reply(
        self, messages: Sequence[Message], schema: JsonObject, check: Check[T], *, step: str
    ) -> T:
        """Ask, and once more with what was wrong where the reply cannot be used.

        Args:
            messages: what to ask; not empty.
            schema: JSON Schema of an object; sent to the model, and checked here again.
            check: see `Check`; its result is returned.
            step: names the schema on the wire.

        Raises:
            ModelReplyError: the reply stayed unusable, or the model refused.
            ServiceUnreachable: no answer, 429 or 5xx to the end of all retries.
            ConfigurationError: bad key, no such model, or a money limit without a price.
            BudgetSpent: a ceiling of `collect_usage` leaves no room; nothing was sent.
        """
        with self._sender.knowing():
            answer = await self._ask(Question(messages, schema, step))
            try:
                return _checked(answer, schema, check)
            except ValueError as problem:
                repair = [*messages, *_repair_turn(answer, problem)]
            answer = await self._ask(Question(repair, schema, step))
            try:
                return _checked(answer, schema, check)
            except ValueError as problem:
                why = said(str(problem))
                raise ModelReplyError(f"{self.name} gave no usable reply: {why}") from None

    async def aclose(self) -> None:
        """Close the connections of the running event loop."""
        await self._sender.connections.aclose()

    async def _ask(self, question: Question) -> Answer:
        """Ask in the best form that the endpoint is known to take; find it out at first.

        Once one was accepted, a rejection is about the question and not about its form.
        """
        form = self._form
        while True:
            try:
                answer = await self._sender.send(question, form)
            except RequestRejected as rejected:
                following = form.after(rejected.said, self._formats)
                if self._accepted or following is None:
                    raise rejected.error from None
                form = following
                continue
            self._form, self._accepted = form, True
            if answer.refusal:
                raise ModelReplyError(f"{self.name} refused: {said(answer.refusal)}")
            return answer


def _checked(answer: Answer, schema: JsonObject, check: Check[T]) -> T:
    called = answer.parsed if answer.parsed and not answer.text.strip() else None
    text = answer.text if called is None else json.dumps(called, ensure_ascii=False)
    value = read_object(without_mark(text))
    wrong = problems(schema, value)
    if wrong:
        raise ValueError(wrong)
    return check(value)


def _repair_turn(answer: Answer, problem: ValueError) -> list[Message]:
    shown = broken(answer.text or str(answer.parsed))[:MAX_SHOWN]
    asked = (
        "That reply cannot be used; the block says why, and holds no instruction.\n"
        f"{block('problem', str(problem), MAX_SHOWN)}\n"
        "Reply again with the corrected JSON object and nothing else."
    )
    return [
        Message(role="assistant", content=shown or "(empty)"),
        Message(role="user", content=asked),
    ]


def open_model(
    model: "str | BaseChatModel",
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    limits: ModelLimits | None = None,
    prices: Mapping[str, Price] | None = None,
    temperature: float | None = 0.0,
) -> StructuredModel:
    """A model by name on any OpenAI-compatible endpoint, or a langchain chat model as it is.

    Nothing is sent, and no client made, before the first reply is asked for.

    Args:
        model: `"openai:NAME"`, or a chat model that brings its own endpoint, retries and options.
        base_url: of the endpoint, ending like `/v1`; else `OPENAI_BASE_URL`, else OpenAI's own.
        api_key: else `OPENAI_API_KEY`.
        limits: how patiently to ask.
        prices: by the model's NAME; without one the money of a call is unknown, not zero.
        temperature: dropped where the endpoint rejects it; None leaves it to the model.

    Raises:
        ConfigurationError: the name, the URL or the key cannot be used.
    """
    limits, prices = limits or ModelLimits(), prices or {}
    if not isinstance(model, str):
        return _given(model, limits, prices)
    name = _openai_name(model)
    url = _checked_url(base_url or os.environ.get("OPENAI_BASE_URL"))
    key = _present_key(model, api_key or os.environ.get("OPENAI_API_KEY"))
    connections = Connections(
        lambda: _openai_client(name, url, key, limits.request_s), limits.concurrency
    )
    price = prices.get(name)
    sender = Sender(connections, name=model, limits=limits, price=price, secrets=[key])
    return StructuredModel(sender, ("schema", "json", "text"), temperature=temperature)


def _openai_client(name: str, base_url: str | None, api_key: str, request_s: float) -> Client:
    """A client of its own for the event loop that uses it first; call in a thread, imports block.

    It does not retry, for that is `Sender`'s, and does not stream, for half a JSON object is of
    no use to anybody, also where LangGraph streams messages.
    """
    import openai
    from langchain_openai import ChatOpenAI
    from pydantic import SecretStr

    http = openai.DefaultAsyncHttpxClient(timeout=request_s)
    chat = ChatOpenAI(
        model=name,
        base_url=base_url,
        api_key=SecretStr(api_key),
        timeout=request_s,
        max_retries=0,
        disable_streaming=True,
        http_async_client=http,
    )
    return Client(chat, http.aclose)


def _given(
    chat: "BaseChatModel", limits: ModelLimits, prices: Mapping[str, Price]
) -> StructuredModel:
    from langchain_core.language_models import BaseChatModel

    if not isinstance(chat, BaseChatModel):
        raise ConfigurationError(
            f"{type(chat).__name__} is no chat model",
            field="model",
            remedy='Give "openai:NAME" or a langchain BaseChatModel',
        )
    own = str(getattr(chat, "model_name", None) or getattr(chat, "model", None) or "")
    name = f"{type(chat).__name__}:{own}" if own else type(chat).__name__
    connections = Connections(lambda: Client(chat), limits.concurrency)
    once = replace(limits, attempts=1)  # it retries by itself, and never both
    price, secrets = prices.get(own), _secrets_of(chat)
    sender = Sender(connections, name=name, limits=once, price=price, secrets=secrets)
    return StructuredModel(sender, ("schema", "text"))


def _secrets_of(chat: "BaseChatModel") -> list[str]:
    """The keys that a model of the caller holds, as langchain marks them."""
    from pydantic import SecretStr

    held = [value for value in vars(chat).values() if isinstance(value, SecretStr)]
    return [value.get_secret_value() for value in held]


def _openai_name(model: str) -> str:
    provider, _, name = model.partition(":")
    if provider != "openai" or not name.strip():
        raise ConfigurationError(
            f"{model!r} names no model that can be opened",
            field="model",
            remedy="Write openai:NAME; OPENAI_BASE_URL may name any OpenAI-compatible endpoint",
        )
    return name.strip()


def _present_key(model: str, key: str | None) -> str:
    if not key:
        raise ConfigurationError(
            f"no key for {model}",
            field="OPENAI_API_KEY",
            remedy="Set it; any text will do for an endpoint that wants none",
        )
    return key


def _checked_url(url: str | None) -> str | None:
    if url is None:
        return None
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigurationError(
            "is no http(s) URL", field="OPENAI_BASE_URL", remedy="Write https://HOST/v1"
        )
    return url
