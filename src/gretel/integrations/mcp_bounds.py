"""What an MCP server may say: bytes, parts, lines, requests that it causes, and time."""

import asyncio
import logging
import re
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Self, TypeVar

from pydantic import BaseModel, ValidationError

from gretel.contracts.budget import Budget
from gretel.sandbox.network.body import BodyRefused
from gretel.sandbox.network.origin import behind_user
from gretel.sandbox.network.wire import HEAD_BYTES, Allowance
from gretel.text.foreign import SENTENCE, foreign

OPEN_S = 20.0
"""Seconds to open a session, or for a request that belongs to no call."""
LISTING_S = 30.0
LISTING_BYTES = 8_000_000
"""A listing of some thousand tools."""

_COPIES = 3
"""An MCP answer says a value as data and again as text, with its quotes escaped."""
_MAX_PARTS = 10_000
"""Lists and objects: each costs hundreds of bytes of memory for two on the wire."""
_LISTING_PARTS = 100_000
_MESSAGE_PARTS = 25_000
"""Of one page: the client reads it in one piece, in up to 7 µs a part, while nothing else runs."""
_MAX_VALUES = 500_000
"""Commas, of which at least one stands between two values."""
_MESSAGE_VALUES = 300_000
"""Of one message: the client reads it in one piece, in up to 1 µs a value."""
_LONGEST = 1_500
_LONG = re.compile(rb"[\[,:\s-]\d{%d}" % _LONGEST)
"""An integer that is as dear to read as a hundred others."""
_MAX_LINES = 4_000
"""Of a stream of messages, each of which costs the client a task."""
_MAX_REQUESTS = 50
MAX_PAGES = 200
MAX_TOOLS = 10_000
_LOGGERS = ("client", "httpx2", "mcp.client.streamable_http", "mcp.shared.jsonrpc_dispatcher")
"""Where the client logs what a server said, before anybody has cleaned or redacted it."""
NO_MESSAGE = "It sent something that is not a JSON-RPC message."
_PARSE_ERROR = -32700
"""The client's own code, and JSON-RPC's, for what cannot be read."""
_GRACE_S = 2.0
"""Behind the deadline, in which a server is told that nobody waits any more."""


_T = TypeVar("_T")


async def in_time(work: Coroutine[Any, Any, _T], seconds: float) -> _T:
    """What `work` gives within `seconds`.

    The client of MCP takes seconds to be cancelled where the server keeps it busy: its end is not
    waited for.

    Raises:
        TimeoutError: it took longer.
    """
    task = asyncio.create_task(work)
    task.add_done_callback(lambda done: done.cancelled() or done.exception())
    try:
        await asyncio.wait({task}, timeout=seconds)
        if task.done():
            return task.result()
        raise TimeoutError
    finally:
        task.cancel()


class Reading:
    """What one exchange with a server may still take, all of its requests together.

    Attributes:
        answer: status and media type of the last answer over HTTP that no MCP server gives.
        problem: why a request of it was kept in or given up.
        until: second of the event loop's clock at which it ends.
    """

    def __init__(
        self,
        seconds: float,
        *,
        bytes_wire: int,
        bytes_decoded: int,
        parts: int = _MAX_PARTS,
        requests: int = _MAX_REQUESTS,
    ) -> None:
        self.allowance = Allowance(bytes_wire)
        self.answer: tuple[int, str] | None = None
        self.problem: Exception | None = None
        self.until = asyncio.get_running_loop().time() + seconds
        self._bytes_decoded = self._bytes = bytes_decoded
        self._parts, self._lines, self._requests = parts, _MAX_LINES, requests
        self._most, self._values = parts, _MAX_VALUES
        self._end = b""
        self.begins()

    @classmethod
    def opening(cls) -> Self:
        """Of a new session, or of a request that belongs to no call."""
        budget = Budget()
        return cls(OPEN_S, bytes_wire=budget.bytes_wire, bytes_decoded=budget.bytes_decoded)

    @classmethod
    def listing(cls, seconds: float = LISTING_S) -> Self:
        """Of all pages of a listing."""
        return cls(
            seconds + _GRACE_S,
            bytes_wire=LISTING_BYTES,
            bytes_decoded=LISTING_BYTES,
            parts=_LISTING_PARTS,
            requests=MAX_PAGES + _MAX_REQUESTS,
        )

    @classmethod
    def call(cls, budget: Budget) -> Self:
        """Of one call."""
        decoded = _COPIES * budget.bytes_decoded + HEAD_BYTES
        seconds = budget.call_s + _GRACE_S
        return cls(seconds, bytes_wire=budget.bytes_wire, bytes_decoded=decoded)

    @property
    def size(self) -> int:
        """Bytes that were read, decoded."""
        return self._bytes_decoded - self._bytes

    def asks(self) -> None:
        """Count a request.

        Raises:
            BodyRefused: the server made us send too many.
        """
        self._requests -= 1
        if self._requests < 0:
            raise BodyRefused("The server asks for too many requests.")
        self.begins()

    def begins(self) -> None:
        """Count the parts of a new message."""
        self._message_parts, self._message_values = _MESSAGE_PARTS, _MESSAGE_VALUES

    def took(self, part: bytes, *, messages: bool) -> None:
        """Count what was read, by lines too where it is a stream of `messages`.

        Raises:
            BodyRefused: it is too much.
        """
        self._bytes -= len(part)
        if self._bytes < 0:
            raise BodyRefused(f"The answer exceeds {self._bytes_decoded:,} bytes decoded.")
        parts = part.count(b"[") + part.count(b"{")
        self._parts -= parts
        self._message_parts -= parts
        values = part.count(b",")
        self._values -= values
        self._message_values -= values
        if min(self._parts, self._message_parts, self._values, self._message_values) < 0:
            raise BodyRefused(
                f"The answer's JSON has too many parts: more than {self._most:,} lists and objects"
                f" ({min(self._most, _MESSAGE_PARTS):,} in one message), or {_MAX_VALUES:,} values"
                f" ({_MESSAGE_VALUES:,} in one message)."
            )
        self._check_numbers(part)
        self._lines -= part.count(b"\n") + part.count(b"\r") if messages else 0
        if self._lines < 0:
            raise BodyRefused(f"The answer has more than {_MAX_LINES:,} lines.")

    def _check_numbers(self, part: bytes) -> None:
        """See that no integer is too long, that began in the last part either.

        Raises:
            BodyRefused: one is.
        """
        seen = self._end + part
        if _LONG.search(seen):
            raise BodyRefused("The answer's JSON holds a number that is too long.")
        self._end = seen[-_LONGEST - 1 :]

    @contextmanager
    def current(self) -> Iterator[None]:
        """What this task asks of a server inside, and what comes of it there, counts here."""
        token = _current.set(self)
        try:
            yield
        except Exception as error:
            code = getattr(innermost(error), "code", None)
            if code == _PARSE_ERROR and self.problem is None:
                self.problem = BodyRefused(NO_MESSAGE)
            raise
        finally:
            _current.reset(token)

    def reason(self, error: BaseException) -> str:
        """Why the exchange failed, in a few words: the bound or the policy, where it was that."""
        error = innermost(self.problem or error)
        if isinstance(error, FileNotFoundError):
            named = behind_user(str(error.filename))  # perhaps a URL that was typed wrong
            return foreign(f"there is no such command: {named!r}", SENTENCE)
        if isinstance(error, TimeoutError):
            return "The server did not answer in time."
        if self.problem is not None:
            return foreign(str(self.problem), SENTENCE)
        if isinstance(error, ValidationError):  # its text has a line for each of its faults
            return f"The answer is not as MCP has it ({error.error_count():,} faults)."
        if self.answer is not None:
            return foreign("{} (HTTP {}, {})".format(error, *self.answer), SENTENCE)
        return foreign(f"{type(error).__name__}: {error}", SENTENCE)


def innermost(error: BaseException) -> BaseException:
    """The first error of a group, such as the client's tasks raise: the group says nothing."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


_current: ContextVar[Reading | None] = ContextVar("gretel_mcp_reading", default=None)


def keep_out_of_logs() -> None:
    """Let the client log nothing of our sessions; outcomes and errors say what came of them.

    Nor write for its log what it then does not log: each message as a whole, on the event loop.
    """
    from mcp_types import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

    for name in _LOGGERS:
        logging.getLogger(name).addFilter(_not_ours)
    for kind in (JSONRPCResponse, JSONRPCError, JSONRPCRequest, JSONRPCNotification):
        setattr(kind, "__str__", _in_short)  # noqa: B010 - to mypy no method may be replaced


def _not_ours(_record: logging.LogRecord) -> bool:
    return _current.get() is None


def _in_short(message: BaseModel) -> str:
    """A message in words: of our sessions its kind alone, of all others as ever."""
    return BaseModel.__str__(message) if _current.get() is None else type(message).__name__


def current_reading() -> Reading:
    """What the running task reads within; the client carries it along to its own tasks."""
    return _current.get() or Reading.opening()
