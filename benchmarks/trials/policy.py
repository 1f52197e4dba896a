"""What the sandbox adds to a call, against bare httpx, side by side on loopback.

    python benchmarks/trials/policy.py [--calls 2000] [--limit-ms 0.3]

`bare httpx` is one `AsyncClient.get` with its body read. `policy` is the same request let through
by `Policy.decide`, built, sent over the guarded transport and read within bounds. `executor` is the
whole of `HttpExecutor.execute`: policy, gate, deadline, classification, redaction. The three take
turns, call by call, so that whatever disturbs the machine disturbs all; `kept` reuses a connection,
`fresh` opens one for each call (names resolved and addresses checked anew). Times are the processor
time of this process: neither waiting nor what else the machine does is in them. Exits with 1 where
the policy adds more than the limit at the median.
"""

import argparse
import asyncio
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

import httpx
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from fakes import plan, tool
from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.sandbox.http.executor import HttpExecutor
from gretel.sandbox.http.request import build_request
from gretel.sandbox.network.body import read_body
from gretel.sandbox.network.egress import EgressTransport
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.secrets.credentials import no_credentials

BODY = b'{"flights": [{"id": 7, "price": 210, "to": "OSL"}]}'
BUDGET = Budget(call_s=5)
TIMEOUT = {"timeout": httpx.Timeout(BUDGET.call_s).as_dict()}
Run = Callable[[], Awaitable[None]]


def main() -> int:
    """Measure, print one table, and judge."""
    args = _arguments()
    table = Table(title=f"processor ms per call on loopback; command: {' '.join(sys.argv)}")
    for column in ("connection", "way", "p50", "p95", "added at p50"):
        table.add_column(column, justify="right" if column.startswith(("p", "a")) else "left")
    worst = 0.0
    for kept in (True, False):
        receiver, sender = get_context("spawn").Pipe(duplex=False)
        server = get_context("spawn").Process(target=_serve, args=(sender, kept), daemon=True)
        server.start()
        times = asyncio.run(_measure(receiver.recv(), args.calls))
        server.terminate()
        bare = statistics.median(times["bare httpx"])
        for way, values in times.items():
            p50, p95 = statistics.median(values), statistics.quantiles(values, n=20)[-1]
            row = (f"{p50:.3f}", f"{p95:.3f}", f"{p50 - bare:+.3f}")
            table.add_row("kept" if kept else "fresh", way, *row)
        worst = max(worst, statistics.median(times["policy"]) - bare)
    Console().print(table)
    return int(worst > args.limit_ms)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--limit-ms", type=float, default=0.3)
    return parser.parse_args()


async def _measure(port: int, calls: int) -> dict[str, list[float]]:
    """Milliseconds of each way, which take turns."""
    host = f"127.0.0.1:{port}"
    asked = tool("Air.search", params=["to"], server=f"http://{host}")
    policy = Policy(frozenset({host}))
    executor = HttpExecutor(Catalog.from_tools([asked]), policy, credentials=no_credentials)
    transport = EgressTransport(policy)
    planned = plan("Air.search", to="OSL")
    async with httpx.AsyncClient(trust_env=False) as client:

        async def bare() -> None:
            answer = await client.get(f"http://{host}/search?to=OSL")
            _check(answer.content)

        async def guarded() -> None:
            if policy.decide(asked) is not None:
                raise SystemExit("the policy refuses the benchmark's own server")
            request = build_request(asked, planned.values(), policy.server(asked))
            headers = [(name.encode(), value.encode()) for name, value in request.headers]
            sent = httpx.Request(request.method, request.url, headers=headers, extensions=TIMEOUT)
            async with asyncio.timeout(BUDGET.call_s):
                response = await transport.handle_async_request(sent)
                _check((await read_body(response, BUDGET)).content)
                await response.aclose()

        async def whole() -> None:
            _check((await executor.execute(planned, budget=BUDGET)).status)

        ways: dict[str, Run] = {"bare httpx": bare, "policy": guarded, "executor": whole}
        times = await _taking_turns(ways, calls)
    await transport.aclose()
    await executor.aclose()
    return times


async def _taking_turns(ways: dict[str, Run], calls: int) -> dict[str, list[float]]:
    """Milliseconds of `calls` calls of each way, after some that are not counted."""
    times: dict[str, list[float]] = {way: [] for way in ways}
    for number in range(-50, calls):
        for way, run in ways.items():
            start = time.process_time()
            await run()
            if number >= 0:
                times[way].append((time.process_time() - start) * 1000)
    return times


def _check(got: bytes | str) -> None:
    if got not in (BODY, "succeeded"):
        raise SystemExit(f"the server answered {got!r}: nothing was measured")


def _serve(port: Connection, keep: bool) -> None:
    """A server in a process of its own; it tells its port, and answers until it is ended."""
    asyncio.run(_answer_all(port, keep))


async def _answer_all(port: Connection, keep: bool) -> None:
    lines = [b"HTTP/1.1 200 OK", b"Content-Type: application/json"]
    lines += [b"Content-Length: %d" % len(BODY), *([] if keep else [b"Connection: close"])]
    whole = b"\r\n".join([*lines, b"", BODY])

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                await reader.readuntil(b"\r\n\r\n")
                writer.write(whole)
                await writer.drain()
                if not keep:
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # the client is done
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port.send(server.sockets[0].getsockname()[1])
    await server.serve_forever()


if __name__ == "__main__":
    raise SystemExit(main())
