"""A language model that replies in JSON: asked, checked, repaired once, counted."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar, cast

from gretel.contracts.errors import ConfigurationError, ModelReplyError
from gretel.contracts.ranking import Message
from gretel.contracts.record import JsonObject
from gretel.llm.asking import Answer, Question
from gretel.llm.connections import Client, Connections, openai_client, without_user
from gretel.llm.endpoint import checked_url, openai_name, present_key, secrets_of
from gretel.llm.failures import RequestRejected, said
from gretel.llm.form import CAPS, FORMATS, CapName, Form, Format, Forms
from gretel.llm.ledger import Price
from gretel.llm.reading import bounded, check_size, problems, read_object
from gretel.llm.sending import ModelLimits, Sender
from gretel.llm.size import reply_tokens
from gretel.llm.strict import without_nulls
from gretel.text.blocks import block, broken, without_mark
from gretel.workers import off_loop

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

T = TypeVar("T")
Check = Callable[[JsonObject], T]
"""Turns a reply that its schema allows into what the step wants, in a thread; raises ValueError
with a text for the model where the content will not do."""

MAX_SHOWN = 4_000
"""Characters of an unusable reply that the repair round shows to the model."""


class StructuredModel:
    """A chat model whose replies are JSON objects of a given schema; made by `open_model`.

    Safe to share by many tasks, and by many event loops.
    """

    def __init__(
        self,
        sender: Sender,
        formats: Sequence[Format],
        *,
        temperature: float | None = None,
        cap: CapName = CAPS[0],
    ) -> None:
        self._sender = sender
        self._forms = Forms(formats, Form(formats[0], temperature, cap))

    def __repr__(self) -> str:
        return f"StructuredModel({self.name!r})"

    @property
    def name(self) -> str:
        """`provider:model`, or the class of a chat model that was given."""
        return self._sender.name

    @property
    def form(self) -> str:
        """How replies are asked for, in words: the best that the endpoint was found to take."""
        return self._forms.best.words()

    async def reply(
        self,
        messages: Sequence[Message],
        schema: JsonObject,
        check: Check[T],
        *,
        step: str,
        accepted: JsonObject | None = None,
    ) -> T:
        """Ask, and once more with what was wrong where the reply cannot be used.

        A reply that is cut at its cap is not asked for again: it would be cut again.

        Args:
            messages: what to ask; not empty.
            schema: JSON Schema of an object: what the model is held to. It also says how long the
                reply may be.
            check: see `Check`; its result is returned.
            step: names the schema on the wire.
            accepted: what a reply is checked against where that is more than the model is asked
                for; else `schema`.

        Raises:
            ModelReplyError: the reply stayed unusable, was cut, or the model refused.
            ServiceBusy: no whole answer, 429 or 5xx to the end of all retries.
            ServiceUnreachable: nobody answers there, or nothing that is a chat model.
            ConfigurationError: bad key, no such model, or a money limit without a price.
            BudgetSpent: a ceiling of `collect_usage` leaves no room; nothing was sent.
        """
        with self._sender.knowing():
            rule = _Rule(schema, accepted or schema, check)
            question = Question(messages, schema, step, await off_loop(reply_tokens, schema))
            answer = await self._ask(question)
            try:
                return await off_loop(rule.applied, answer)
            except ValueError as problem:
                self._may_repair(answer)
                repair = [*messages, *await off_loop(_repair_turn, answer, problem)]
            answer = await self._ask(question._replace(messages=repair))
            try:
                return await off_loop(rule.applied, answer)
            except ValueError as problem:
                why = said(str(problem))
                raise ModelReplyError(f"{self.name} gave no usable reply: {why}") from None

    async def open(self) -> None:
        """Make the client of the running event loop: its import may outlast a step's time."""
        await self._sender.connections.here()

    async def aclose(self) -> None:
        """Close the connections of the running event loop."""
        await self._sender.connections.aclose()

    def _may_repair(self, answer: Answer) -> None:
        if answer.cut:
            at = f" of {answer.cap} tokens" if answer.cap else ""
            raise ModelReplyError(f"{self.name}'s reply was cut at its cap{at}")

    async def _ask(self, question: Question) -> Answer:
        """Ask in the best form that the endpoint is known to take; find it out at first.

        A model that spends its whole cap on thought is asked once more, with room for it.
        """
        form = self._forms.of(question.step)
        answer, form = await self._ask_from(form, question)
        if answer.cut and answer.thought and not form.thinks:
            self._forms.think()
            answer, _ = await self._ask_from(form._replace(thinks=True), question)
        if answer.refusal:
            raise ModelReplyError(f"{self.name} refused: {said(answer.refusal)}")
        return answer

    async def _ask_from(self, form: Form, question: Question) -> tuple[Answer, Form]:
        """The answer and the form that it came in; what was found out is kept."""
        first = form
        while True:
            try:
                answer = await self._sender.send(question, form)
            except RequestRejected as rejected:
                following = self._forms.after(form, rejected.said, json.dumps(question.schema))
                if following is None:
                    raise rejected.error from None
                form = following
                continue
            form = form.unheeded() if answer.too_long() else form
            self._forms.keep(question.step, form, changed=form != first)
            return answer, form


class _Rule(NamedTuple, Generic[T]):
    """What makes a reply usable."""

    asked: JsonObject
    accepted: JsonObject
    check: Check[T]

    def applied(self, answer: Answer) -> T:
        """The reply as its step wants it.

        Raises:
            ValueError: it cannot be used; the message can be shown to the model.
        """
        if answer.parsed and not answer.text.strip():
            check_size(answer.parsed)
        given = read_object(without_mark(bounded(answer.written())))
        value = cast(JsonObject, without_nulls(given, self.asked))
        wrong = problems(self.accepted, value)
        if wrong:
            raise ValueError(wrong)
        return self.check(value)


def _repair_turn(answer: Answer, problem: ValueError) -> list[Message]:
    shown = broken(answer.written())[:MAX_SHOWN]
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
    name = openai_name(model)
    url = checked_url(base_url or os.environ.get("OPENAI_BASE_URL"))
    key = present_key(model, api_key or os.environ.get("OPENAI_API_KEY"))
    connections = Connections(
        lambda: openai_client(name, url, key, limits.request_s), limits.concurrency
    )
    price = prices.get(name)
    user = without_user(url)[1]
    secrets = [key, *([":".join(user)] if user else [])]
    sender = Sender(connections, name=model, limits=limits, price=price, secrets=secrets)
    return StructuredModel(sender, FORMATS, temperature=temperature)


def _given(
    chat: "BaseChatModel", limits: ModelLimits, prices: Mapping[str, Price]
) -> StructuredModel:
    from langchain_core.language_models import BaseChatModel

    if not isinstance(chat, BaseChatModel):
        raise ConfigurationError(
            f"{type(chat).__name__} is not a chat model",
            field="model",
            remedy='Give "openai:NAME" or a langchain BaseChatModel',
        )
    own = str(getattr(chat, "model_name", None) or getattr(chat, "model", None) or "")
    name = f"{type(chat).__name__}:{own}" if own else type(chat).__name__
    connections = Connections(lambda: Client(chat), limits.concurrency)
    once = replace(limits, attempts=1)  # it retries by itself, and never both
    price, secrets = prices.get(own), secrets_of(chat)
    sender = Sender(connections, name=name, limits=once, price=price, secrets=secrets)
    # langchain writes the newer name itself, so that its own cap is never doubled.
    return StructuredModel(sender, ("schema", "strict", "text"), cap=CAPS[1])
