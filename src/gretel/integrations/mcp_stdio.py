"""An MCP server that is a command: its messages are read within bounds, and it ends with us."""

import asyncio
import contextlib
import os
import shutil
import signal
import sys
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client.stdio import get_default_environment
from mcp.shared.message import SessionMessage
from mcp_types import (
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)

from gretel.integrations.mcp_bounds import LISTING_BYTES, NO_MESSAGE, Reading
from gretel.sandbox.network.body import BodyRefused
from gretel.text.invisible import clean

if TYPE_CHECKING:
    from mcp.client.stdio import StdioServerParameters

Incoming = MemoryObjectSendStream[SessionMessage | Exception]
Outgoing = MemoryObjectReceiveStream[SessionMessage]
Streams = tuple[
    MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]
]

_EXIT_S = 2.0
"""Seconds that the command has to end by itself, and again once it was asked to."""
_LOG_BYTES = 100_000
"""Of what the command writes to stderr that is passed on, after each request of ours."""
_NOISE_S = 2.0
"""Seconds for an answer behind a line that is no message: some programs print what they do."""
_DRAIN_S = 0.05
"""Pause between two reads of a log that is not passed on."""


@contextlib.asynccontextmanager
async def command_streams(
    server: "StdioServerParameters", ended: Callable[[BodyRefused | None], None]
) -> AsyncIterator[Streams]:
    """Start the command, and give the streams that a client reads and writes.

    Args:
        server: the command.
        ended: told once the command says nothing more, and why it is heard no longer.

    Raises:
        OSError: it cannot be started.
    """
    process = await _started(server)
    incoming, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write, outgoing = anyio.create_memory_object_stream[SessionMessage](0)
    pipes = _Pipes(process, server)
    try:
        async with anyio.create_task_group() as tasks, incoming, read, write, outgoing:
            tasks.start_soon(pipes.hear, incoming, ended)
            tasks.start_soon(pipes.say, outgoing)
            tasks.start_soon(pipes.pass_log_on)
            yield read, write
            tasks.cancel_scope.cancel()
    finally:
        with anyio.CancelScope(shield=True):
            await _end(process)


class _Pipes:
    """The pipes of a running command.

    How much it may say is counted anew with each request of ours: what it says unasked is bounded,
    however long it runs.
    """

    def __init__(
        self, process: asyncio.subprocess.Process, server: "StdioServerParameters"
    ) -> None:
        self._process = process
        self._coding = (server.encoding, server.encoding_error_handler)
        self._asked: set[str] = set()
        self._due: set[str] = set()
        self._heard = False
        self._patience: float | None = None
        self._ask()

    def _ask(self) -> None:
        self._reading = Reading.listing()
        self._log_left = _LOG_BYTES

    async def hear(self, incoming: Incoming, ended: Callable[[BodyRefused | None], None]) -> None:
        """Hand the command's messages on, line by line, until it ends or says what it may not."""
        refused = None
        with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            try:
                while line := await self._line():
                    self._reading.begins()
                    self._reading.took(line, messages=True)
                    message = self._message(line)
                    if message is not None:
                        await incoming.send(SessionMessage(message))
            except BodyRefused as error:
                refused = error
            except ValueError:
                refused = BodyRefused(f"A message exceeds {LISTING_BYTES:,} bytes.")
        incoming.close()
        ended(refused)

    async def _line(self) -> bytes:
        """The next line.

        Raises:
            BodyRefused: none comes in time, behind one that was no message.
        """
        assert self._process.stdout is not None
        while True:
            try:
                async with asyncio.timeout_at(self._patience):
                    return await self._process.stdout.readline()
            except TimeoutError:
                self._patience = None
                if self._due:
                    raise BodyRefused(NO_MESSAGE) from None

    def _message(self, line: bytes) -> JSONRPCMessage | None:
        """The message that a line is; None for what a program prints besides.

        Raises:
            BodyRefused: it would be a message, and is none, or it answers what nobody asked.
        """
        try:
            text = line.decode(*self._coding)
            message = jsonrpc_message_adapter.validate_json(text, by_name=False)
        except ValueError:  # of pydantic's and of codecs
            if line.lstrip()[:1] in (b"{", b"["):
                raise BodyRefused(NO_MESSAGE) from None
            if self._heard and self._due and self._patience is None:
                self._patience = asyncio.get_running_loop().time() + _NOISE_S
            return None
        if isinstance(message, JSONRPCResponse | JSONRPCError):
            if str(message.id) not in self._asked:
                raise BodyRefused("It answers what nobody asked.")
            self._due.discard(str(message.id))
        self._heard, self._patience = True, None
        return message

    async def say(self, outgoing: Outgoing) -> None:
        """Write the client's messages to the command."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            async for each in outgoing:
                self._note(each.message)
                text = each.message.model_dump_json(by_alias=True, exclude_unset=True)
                self._process.stdin.write((text + "\n").encode(*self._coding))
                await self._process.stdin.drain()

    def _note(self, message: JSONRPCMessage) -> None:
        """Keep in mind which answers are due; one to what was given up may be late.

        Our answers to what the command asks give it no more to say.
        """
        if isinstance(message, JSONRPCRequest):
            self._ask()
            self._asked.add(str(message.id))
            self._due.add(str(message.id))
        elif isinstance(message, JSONRPCNotification):
            self._due.discard(str((message.params or {}).get("requestId")))

    async def pass_log_on(self) -> None:
        """Show what the command writes to stderr, without its orders, as far as it is no flood."""
        assert self._process.stderr is not None
        while part := await self._process.stderr.read(8192):
            if self._log_left > 0:
                sys.stderr.write(clean(part.decode(errors="replace")))
            else:
                await asyncio.sleep(_DRAIN_S)
            self._log_left -= len(part)


async def _started(server: "StdioServerParameters") -> asyncio.subprocess.Process:
    """The command, in a process group of its own."""
    return await asyncio.create_subprocess_exec(
        shutil.which(server.command) or server.command,
        *server.args,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=get_default_environment() | (server.env or {}),
        cwd=server.cwd,
        limit=LISTING_BYTES,
        start_new_session=True,
    )


async def _end(process: asyncio.subprocess.Process) -> None:
    """Let the command end, ask it to, and then end it, with all that it started in its group."""
    if process.stdin is not None:
        process.stdin.close()
    for number in (None, signal.SIGTERM, signal.SIGKILL):
        if number is not None:
            _signal(process, number)
        if await _gone(process):
            break
    _signal(process, signal.SIGKILL)
    # Otherwise open for as long as a grandchild that left the group holds a pipe.
    process._transport.close()  # type: ignore[attr-defined]


async def _gone(process: asyncio.subprocess.Process) -> bool:
    """Whether the command ends soon. `wait` would wait for its pipes too."""
    steps = int(_EXIT_S / _DRAIN_S)
    for _ in range(steps):
        if process.returncode is not None:
            return True
        await asyncio.sleep(_DRAIN_S)
    return False


def _signal(process: asyncio.subprocess.Process, number: int) -> None:
    """Signal the whole group, which may have outlived the command."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)
