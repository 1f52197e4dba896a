"""A confined child process for one call of a Python callable: started, talked to, ended.

The child is a fresh interpreter (spawned, not forked), so that nothing of ours is in its memory or
its environment. JSON goes in and out; nothing is unpickled. Its first line says which layers are in
force, before any of the user's code runs.
"""

import asyncio
import contextlib
import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple

from gretel.contracts.budget import Budget
from gretel.contracts.errors import SandboxUnavailable
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import CallableBinding
from gretel.sandbox.process.places import places_of_code
from gretel.sandbox.process.settings import LAYERS, ProcessSettings
from gretel.workers import off_loop

_HOME = str(Path(__file__).absolute().parents[3])
"""The folder that holds this package."""
_BOOT = (
    "import sys; sys.path.append(sys.argv[1]); "
    "from gretel.sandbox.process.worker import main; main()"
)
"""Behind the standard library stands `_HOME`; nothing of the user's before it is confined."""
_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "OMP_NUM_THREADS": "1"}
_SYSTEM = (
    "/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/localtime", "/etc/mime.types",
    "/etc/ssl/certs", "/etc/ssl/cert.pem", "/etc/ssl/openssl.cnf", "/etc/ca-certificates",
    "/etc/pki/tls/certs", "/etc/pki/tls/cert.pem", "/etc/pki/tls/openssl.cnf", "/etc/pki/ca-trust",
)  # fmt: skip
"""Of the certificates what is public: their private keys lie beside them."""
_FOR_NETWORK = ("/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/gai.conf")
_START_S = 20.0
"""Seconds for an interpreter to start and to confine itself, on a busy machine."""
_DRAIN_S = 2.0


class Ended(NamedTuple):
    """How a child process ended."""

    missing: dict[str, str]
    """Layer → why the kernel does not give it; every other one was in force."""
    answer: bytes
    """What it wrote after its first line; cut behind `Budget.bytes_decoded`."""
    timed_out: bool
    exit_code: int
    """As a shell tells it: 128 and the signal for one that was killed."""
    latency_ms: float
    """From confined to ended."""


async def run_in_process(
    binding: CallableBinding, values: JsonObject, settings: ProcessSettings, budget: Budget
) -> Ended:
    """Call what `binding` names, in a process of its own, within `settings` and `budget`.

    Returns when the process and all that it started are dead, at the latest soon after
    `budget.call_s` seconds, which count from when it is confined; also when cancelled.

    Raises:
        SandboxUnavailable: the process cannot be started, or ends before it is confined.
    """
    async with _scratch() as scratch:
        # In a thread: looking for the code asks for the working folder, which blocks.
        spec = await off_loop(_specification, binding, values, settings, budget)
        process = await _start(settings, scratch)
        received = bytearray()
        timed_out = False
        try:
            head = await _confined(process, json.dumps(spec | {"scratch": scratch}).encode())
            start = time.perf_counter()
            async with asyncio.timeout(budget.call_s):
                await _collect(process, received, budget.bytes_decoded)
        except TimeoutError:
            timed_out = True
        finally:
            await _end(process)
    code = process.returncode or 0
    return Ended(
        missing=head["missing"],
        answer=bytes(received),
        timed_out=timed_out,
        exit_code=128 - code if code < 0 else code,
        latency_ms=round((time.perf_counter() - start) * 1000, 3),
    )


async def probe_layers(settings: ProcessSettings) -> dict[str, str | None]:
    """Every layer that `settings` ask for → None where it is in force, else why it is not."""
    wanted = [name for name in LAYERS if not (settings.network and name == "network")]
    if sys.platform != "linux":
        return dict.fromkeys(wanted, "these layers are Linux's")
    nothing = CallableBinding(target="builtins:dict")
    ended = await run_in_process(nothing, {}, settings, Budget(call_s=20.0))
    return {name: ended.missing.get(name) for name in wanted}


def _specification(
    binding: CallableBinding, values: JsonObject, settings: ProcessSettings, budget: Budget
) -> dict[str, Any]:
    extra = _FOR_NETWORK if settings.network else ()
    code = places_of_code()
    return {
        "target": binding.target,
        "factory": binding.factory,
        "arguments": values,
        "path": [os.path.abspath(entry) for entry in sys.path],
        "readable": [*_SYSTEM, *extra, *code.readable, *settings.readable],
        "listable": code.listable,
        "seconds": budget.call_s,
        "memory": settings.memory_bytes,
        "disk": settings.disk_bytes,
        "tasks": settings.tasks,
        "network": settings.network,
        "subprocesses": settings.subprocesses,
        "waived": sorted(settings.allow_missing_layers),
        "parent": os.getpid(),
    }


@contextlib.asynccontextmanager
async def _scratch() -> AsyncIterator[str]:
    """A new folder, removed at the end with whatever is in it."""
    made = asyncio.ensure_future(off_loop(_folder))
    try:
        # A call that is cancelled here has a folder all the same, a moment later.
        yield (await asyncio.shield(made)).name
    finally:
        await asyncio.shield(off_loop((await made).cleanup))


def _folder() -> tempfile.TemporaryDirectory[str]:
    try:
        return tempfile.TemporaryDirectory(prefix="gretel-", ignore_cleanup_errors=True)
    except OSError as error:
        raise SandboxUnavailable(f"no folder for a child process: {error}") from error


async def _start(settings: ProcessSettings, scratch: str) -> asyncio.subprocess.Process:
    folders = {"HOME": scratch, "TMPDIR": scratch}
    try:
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-IS",  # nor what `.pth` files and `sitecustomize` bring: these come confined
            "-c",
            _BOOT,
            _HOME,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={**_ENVIRONMENT, **folders, **settings.environment},
            cwd="/",
            start_new_session=True,
        )
    except (OSError, ValueError, TypeError) as error:
        raise SandboxUnavailable(f"no child process could be started: {error}") from error


async def _confined(process: asyncio.subprocess.Process, spec: bytes) -> dict[str, Any]:
    """Hand over `spec`; the child's first line. Without it, nothing of the user's ran."""
    assert process.stdin is not None and process.stdout is not None
    line = b""
    with contextlib.suppress(BrokenPipeError, ConnectionResetError, TimeoutError):
        async with asyncio.timeout(_START_S):
            process.stdin.write(spec)
            await process.stdin.drain()
            process.stdin.close()
            line = await process.stdout.readline()
    try:
        head: dict[str, Any] = json.loads(line)
    except ValueError:
        raise SandboxUnavailable("the child process did not get to confine itself") from None
    return head


async def _collect(process: asyncio.subprocess.Process, received: bytearray, limit: int) -> None:
    """Take what comes, until the end or beyond `limit`."""
    assert process.stdout is not None
    while len(received) <= limit:
        part = await process.stdout.read(1 << 16)
        if not part:
            await process.wait()
            return
        received += part


async def _end(process: asyncio.subprocess.Process) -> None:
    """Kill what still runs, and wait until it is gone; its namespace dies with it."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    assert process.stdout is not None
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_DRAIN_S):
            while await process.stdout.read(1 << 16):
                pass  # so that the pipe closes; whoever is not dead yet may write without end
            await process.wait()
