"""Thousands of trials against a server that misbehaves at random: leaks, losses, slow-downs.

    python benchmarks/robustness/soak.py [--trials 20000] [--minutes 15] [--seed 0]
        [--out build/soak]

Selections of ten candidates run one after the other through the whole graph, paced so that all
trials fill the time; each candidate's call is answered, or not, by a behaviour of
`tests/hostile_server.py` drawn at random, from a server in a process of its own. Watched are

- resident memory and open sockets, sampled between selections;
- that each selection has one trial of each candidate, and that no call reached the server twice,
  and every call that the outcome says was sent reached it;
- the framework's own time: the CPU time of this process over a selection; the server's time, the
  waiting and what else the machine does are not in it.

After a warm-up (a fifth of the run) the medians of memory and sockets and the 99th percentile of
the own time must not grow from the first half to the second by more than the limits below. Writes
`soak.csv` (one row a selection) and `soak.svg`; exits with 1 where something grew, got lost or came
twice. Needs /proc (Linux).
"""

import argparse
import asyncio
import csv
import os
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from resident import rss_mb, small_pages
from soak_chart import Row, draw

from fakes import FakeRetriever, param, tool
from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.contracts.tool import HttpBinding, Tool
from gretel.graph.build import SelectionGraph, build_graph
from gretel.graph.compose import compose
from gretel.sandbox.network.gate import OriginLimits
from gretel.sandbox.permission.policy import Policy
from hostile_server import ANSWERS, HostileServer

K = 10
CALL_S = 0.2
WARM_UP = 0.2
MEMORY_MB = 8.0
"""Growth of resident memory that is let pass: caches fill, the allocator keeps what it has."""
SOCKETS = 3
OWN_TIME = 1.25
"""Ratio of the 99th percentiles."""
METHODS = [name.removeprefix("on_") for name in dir(HostileServer) if name.startswith("on_")]
BEHAVIOURS = sorted({*ANSWERS, *METHODS} - {"echo"})


class Check(NamedTuple):
    """One thing that must hold."""

    name: str
    ok: bool
    detail: str


def main() -> int:
    """Run, write what was seen, and judge."""
    args = _arguments()
    small_pages()
    pipe, far_end = get_context("spawn").Pipe()
    server = get_context("spawn").Process(target=_serve, args=(far_end,), daemon=True)
    server.start()
    rows, sent, faults = asyncio.run(_soak(pipe.recv(), args))
    pipe.send("end")
    received = pipe.recv()
    server.join(timeout=10)
    args.out.mkdir(parents=True, exist_ok=True)
    _write(rows, args.out / "soak.csv")
    draw(rows, args.out / "soak.svg")
    checks = [_no_trial_lost(faults), _no_call_lost(sent, received), *_flat(rows)]
    print(f"{len(rows) * K} trials in {rows[-1].second:.0f} s; {args.out}/soak.csv, soak.svg")
    for check in checks:
        print(f"{'ok  ' if check.ok else 'FAIL'} {check.name}: {check.detail}")
    return int(not all(check.ok for check in checks))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=20_000)
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("build/soak"))
    return parser.parse_args()


async def _soak(port: int, args: argparse.Namespace) -> tuple[list[Row], Counter[str], list[str]]:
    """One row a selection, the calls that went out, and the selections with a trial too few."""
    draws = random.Random(args.seed)
    tools = [_candidate(port, slot) for slot in range(K)]
    graph = _graph(tools, port)
    rows: list[Row] = []
    sent: Counter[str] = Counter()
    faults: list[str] = []
    start = time.perf_counter()
    selections = max(1, args.trials // K)
    for number in range(selections):
        due = start + number * args.minutes * 60 / selections
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        facts = {f"b{slot}": draws.choice(BEHAVIOURS) for slot in range(K)} | {"n": number}
        began, worked = time.perf_counter(), time.process_time()
        trials = await _select(graph, facts)
        wall, own = time.perf_counter() - began, time.process_time() - worked
        if sorted(trial["tool_id"] for trial in trials) != sorted(t.tool_id for t in tools):
            faults.append(f"selection {number}: {[trial['tool_id'] for trial in trials]}")
        went_out = [t for t in trials if t["executed"]["latency_ms"] is not None]
        sent.update(f"{number}/{trial['tool_id']}" for trial in went_out)
        seen = (rss_mb(), _open_sockets(), wall * 1000, own * 1000)
        rows.append(Row(time.perf_counter() - start, *seen))
    return rows, sent, faults


def _candidate(port: int, slot: int) -> Tool:
    """A tool whose call names the selection, itself, and the behaviour to meet."""
    parameters = [
        param(f"b{slot}", location="path", required=True),
        param("n", "integer", location="path", required=True),
    ]
    path = f"/{{b{slot}}}/{{n}}/Air.op{slot}"
    binding = HttpBinding(method="GET", path=path, servers=(f"http://127.0.0.1:{port}",))
    return tool(f"Air.op{slot}", "Search flights.", params=parameters, binding=binding)


def _graph(tools: Sequence[Tool], port: int) -> SelectionGraph:
    # The breaker would rest most of the time before such a server, and nothing would be tried.
    limits = OriginLimits(failures=1_000_000)
    policy = Policy(frozenset({f"127.0.0.1:{port}"}), limits=limits)
    catalog = Catalog.from_tools(tools)
    return build_graph(compose(catalog, retriever=FakeRetriever(tools), policy=policy))


async def _select(graph: SelectionGraph, facts: dict[str, Any]) -> list[dict[str, Any]]:
    budget = Budget(call_s=CALL_S).model_dump(mode="json")
    state = await graph.ainvoke(
        {"request": "Find me a one-way flight to Oslo.", "context": facts},
        context={"depth": K, "k": K, "abstain_below": 0, "budget": budget},
    )
    return list(state["trials"])


def _open_sockets() -> int:
    """Sockets of this process; a descriptor may be gone by the time that it is read."""
    links = (Path("/proc/self/fd") / name for name in os.listdir("/proc/self/fd"))
    return sum(os.path.islink(link) and os.readlink(link).startswith("socket:") for link in links)


def _no_trial_lost(faults: Sequence[str]) -> Check:
    detail = faults[0] if faults else "each selection tried each candidate once"
    return Check("trials", not faults, detail)


def _no_call_lost(sent: Counter[str], received: Counter[str]) -> Check:
    lost = sum((sent - received).values())
    twice = sum(count - 1 for count in received.values())
    detail = f"{sum(sent.values())} sent, {lost} lost, {twice} came twice"
    return Check("calls", not lost and not twice and bool(sent), detail)


def _flat(rows: Sequence[Row]) -> list[Check]:
    """Memory, sockets and own time, the first half after the warm-up against the second."""
    warm = rows[int(len(rows) * WARM_UP) :]
    halves = (warm[: len(warm) // 2], warm[len(warm) // 2 :])

    def pair(value: Callable[[Row], float], fold: Callable[[list[float]], float]) -> list[float]:
        return [fold([value(row) for row in half]) for half in halves]

    rss = pair(lambda row: row.rss_mb, statistics.median)
    sockets = pair(lambda row: row.sockets, statistics.median)
    own = pair(lambda row: row.own_ms, lambda values: statistics.quantiles(values, n=100)[-1])
    return [
        Check("memory", rss[1] - rss[0] <= MEMORY_MB, f"{rss[0]:.1f} → {rss[1]:.1f} MB"),
        Check("sockets", sockets[1] - sockets[0] <= SOCKETS, f"{sockets[0]:g} → {sockets[1]:g}"),
        Check("p99 of own time", own[1] <= own[0] * OWN_TIME, f"{own[0]:.0f} → {own[1]:.0f} ms"),
    ]


def _write(rows: Sequence[Row], path: Path) -> None:
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(Row._fields)
        writer.writerows([f"{value:.3f}" for value in row] for row in rows)


def _serve(pipe: Connection) -> None:
    """The server, in a process of its own; at the end it tells what reached it."""

    async def run() -> Counter[str]:
        async with HostileServer() as api:
            pipe.send(api.port)
            await asyncio.to_thread(pipe.recv)
            return Counter(request.target.split("/", 2)[2] for request in api.requests)

    pipe.send(asyncio.run(run()))


if __name__ == "__main__":
    raise SystemExit(main())
