"""Runs of the selection graph: from start to end, or to where a person must be asked."""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from langgraph.types import Command
from pydantic import BaseModel, ValidationError

from gretel.contracts.errors import ApprovalNeeded, ConfigurationError, InputError
from gretel.contracts.record import JsonObject
from gretel.nodes.context import Context
from gretel.nodes.request import read_context as read_facts
from gretel.nodes.request import read_messages
from gretel.sandbox.approvals import answering

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig
    from langgraph.graph.state import CompiledStateGraph

State = dict[str, Any]
C = TypeVar("C", bound=Context)


@dataclass
class _Waiting:
    """A run that waits for a person, as this process knows it: its store may be written to."""

    settings: Context
    shown: dict[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    """What was asked last, by the ids that it is answered by."""
    said: list[JsonObject] = field(default_factory=list[JsonObject])
    """What of it, and of what was asked before, had a yes."""


class Runs:
    """Starts runs of one graph, each in a thread of its own, and goes on with those that wait."""

    def __init__(self, graph: "CompiledStateGraph[Any, Any, Any, Any]") -> None:
        self._graph = graph
        self._waiting: dict[str, _Waiting] = {}

    async def start(self, given: State, settings: Context) -> State:
        """The final state of a new run.

        Raises:
            ConfigurationError: a person is to be asked, and nothing keeps a run that waits.
            ApprovalNeeded: the run waits for a person.
        """
        if settings.approve == "ask" and not self._graph.checkpointer:
            raise ConfigurationError(
                "'ask' interrupts the run, and no checkpointer keeps it",
                field="approve",
                remedy="Pass a checkpointer, for example langgraph's InMemorySaver().",
            )
        return await self._run(uuid.uuid4().hex, given, _Waiting(settings))

    async def resume(self, thread_id: str, answers: Mapping[str, bool]) -> State:
        """The final state of a run that waited, once every answer is there.

        Raises:
            InputError: no such run waits here, or an answer is to something that was not asked.
            ApprovalNeeded: more is asked.
        """
        run = self._waiting.get(thread_id)
        if run is None:
            message = f"no run {thread_id!r} is waiting in this process"
            raise InputError(
                message, field="thread_id", remedy="Use the thread_id of ApprovalNeeded."
            )
        state = await self._graph.aget_state(_config(thread_id))
        asked = {interrupt.id for interrupt in state.interrupts}
        unknown = sorted(set(answers) - asked)
        if unknown or not answers:
            message = f"{unknown[0]!r} was not asked" if unknown else "there is no answer"
            remedy = f"Answer {', '.join(sorted(asked))} with True or False."
            raise InputError(message, field="answers", remedy=remedy)
        plain = {key: answer is True for key, answer in answers.items()}
        run.said += [run.shown[key] for key, yes in plain.items() if yes and key in run.shown]
        return await self._run(thread_id, Command(resume=plain), run)

    async def _run(self, thread_id: str, given: "State | Command[Any]", run: _Waiting) -> State:
        config = _config(thread_id) if self._graph.checkpointer else None
        with answering(run.said):
            state: State = await self._graph.ainvoke(given, config, context=run.settings)
        waiting = state.get("__interrupt__")
        if waiting:
            run.shown = {asked.id: deepcopy(asked.value) for asked in waiting}
            self._waiting[thread_id] = run
            raise ApprovalNeeded(thread_id, {asked.id: asked.value for asked in waiting})
        self._waiting.pop(thread_id, None)
        return state


def given_of(request: str, messages: Sequence[Any] | None, context: JsonObject | None) -> State:
    """The input of a run.

    Raises:
        InputError: a message is none, or they are too long; so of a value of the context.
    """
    given: State = {"request": request}
    if messages is not None:
        given["messages"] = [each.model_dump(mode="json") for each in read_messages(messages)]
    if context is not None:
        given["context"] = read_facts(context)
    return given


def _config(thread_id: str) -> "RunnableConfig":
    return {"configurable": {"thread_id": thread_id}}


def read_context(options: Mapping[str, Any], kind: type[C]) -> C:
    """The context of a run, of its `kind`; an option of None is its default.

    Raises:
        ConfigurationError: an option is unknown or unusable.
    """
    try:
        return kind.model_validate({k: v for k, v in options.items() if v is not None})
    except ValidationError as error:
        first = error.errors()[0]
        unknown = first["type"] == "extra_forbidden"
        raise ConfigurationError(
            "is not an option" if unknown else first["msg"].removeprefix("Value error, "),
            field=".".join(str(part) for part in first["loc"]) or "context",
            remedy=f"Known options: {', '.join(_fields_at(kind, first['loc']))}.",
        ) from error


def _fields_at(kind: type[BaseModel], place: tuple[int | str, ...]) -> Iterable[str]:
    """The options beside that at `place`: those of the record that it stands in."""
    for part in place[:-1]:
        inner = kind.model_fields[str(part)].annotation if part in kind.model_fields else None
        if not (isinstance(inner, type) and issubclass(inner, BaseModel)):
            break
        kind = inner
    return kind.model_fields
