"""Judged requests: what is asked, and which tools (and calls) are right."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from gretel.catalog import Catalog, Skipped
from gretel.contracts.ranking import Message, Request
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import ToolId


class GoldCall(NamedTuple):
    """A call that the data set says is right; several of one tool are alternatives."""

    tool_id: ToolId
    arguments: JsonObject
    """The values that the data set fixes."""
    open: frozenset[str] = frozenset()
    """Arguments that are given but whose value is left open: the output of an earlier call, a
    date that depends on the day."""


@dataclass(frozen=True, slots=True)
class JudgedRequest:
    """One request with its right tools."""

    request_id: str
    text: str
    gold: frozenset[ToolId]
    """Empty only where the data set says that no tool is needed (`load_no_tool`). An id that the
    catalogue lacks stays, reported, and counts as missed."""
    messages: tuple[Message, ...] = ()
    """Earlier turns, oldest first."""
    gold_calls: tuple[GoldCall, ...] = ()
    """Empty where the data set names tools only."""
    incomplete: bool = False
    """Whether the data set says that no call can be made from what was said: refusing is right."""
    repeated: Mapping[ToolId, int] = field(default_factory=dict)
    """Right tools that the judgements name more than once, and how often; each counts once, but
    other people's scripts count otherwise (`compat`)."""
    context: JsonObject = field(default_factory=dict)
    """What the data set says is known of the user."""
    today: str | None = None
    """ISO date of the request; None where the data set names none."""

    def to_request(self, *, today: str) -> Request:
        """The request as the product takes it; `today` stands in where the data names no date."""
        return Request(
            text=self.text, messages=self.messages, context=self.context, today=self.today or today
        )


@dataclass(frozen=True, slots=True)
class Dataset:
    """A catalogue with judged requests, and everything that was wrong with them."""

    name: str
    catalog: Catalog
    requests: tuple[JudgedRequest, ...]
    """In the order of their first judgement; at least one."""
    digest: str
    """SHA-256 (hex) of the files that were read, the name of the qrels and the half."""
    problems: tuple[Skipped, ...]
    """What was left out or stands out: one row each, none of them silent."""
