"""Parallel trials against the sequential order of the paper's Algorithm 1, and the bare framework.

    python benchmarks/trials/parallel.py [--k 10] [--llm-ms 500] [--api-ms 200] [--repeat 5]

One selection over k candidates with a scripted model and API on loopback that answer after a fixed
time. `ideal` is one trial's own waiting: rewrite + plan + execute + rerank. `sequential` asks the
same parts in the same process, one candidate after the other. `framework` is the same graph with
parts that answer at once. Ratios of medians are what counts; the milliseconds are this machine's.
"""

import argparse
import asyncio
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from fakes import (
    FakeExecutor,
    FakePlanner,
    FakeReranker,
    FakeRetriever,
    FakeSimulator,
    request,
    tool,
)
from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.contracts.trial import CallPlan, Trial
from gretel.graph.build import SelectionGraph, build_graph
from gretel.graph.compose import compose
from gretel.graph.parts import Deterministic, Parts
from gretel.llm.model import open_model
from gretel.sandbox.approvals import Approvals
from gretel.sandbox.permission.policy import Policy
from llm_server import LlmServer
from slow_api import SlowApi

REQUEST = "Find me a one-way flight to Oslo."


async def main() -> None:
    """Measure, and print one table."""
    args = _arguments()
    with LlmServer(delay_s=args.llm_ms / 1000) as llm, SlowApi(delay_s=args.api_ms / 1000) as api:
        parts = _waiting_parts(args.k, llm, api.url)
        graph = build_graph(parts)
        parallel = await _median(lambda: _select(graph, args.k), args.repeat, "parallel")
        sequential = await _median(lambda: _in_sequence(parts, args.k), args.repeat, "sequential")
    bare_graph = build_graph(_instant_parts(args.k))
    bare = await _median(lambda: _select(bare_graph, args.k), 30, "framework")
    rule_graph = build_graph(_rule_parts(args.k))
    rule = await _median(lambda: _select(rule_graph, args.k, "simulated"), 30, "deterministic")
    ideal = 3 * args.llm_ms + args.api_ms
    rows = {
        "ideal: rewrite + plan + execute + rerank": ideal,
        "parallel (the graph)": parallel,
        "sequential (Algorithm 1)": sequential,
        "framework alone, no waiting": bare,
        "framework with the deterministic parts, nothing sent": rule,
    }
    _print(rows, ideal, args.k)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--k", type=int, default=10)
    parser.add_argument("--llm-ms", type=float, default=500)
    parser.add_argument("--api-ms", type=float, default=200)
    parser.add_argument("--repeat", type=int, default=5)
    return parser.parse_args()


def _waiting_parts(k: int, llm: LlmServer, api_url: str) -> Parts:
    tools = [tool(f"Air.op{n}", "Search flights.", server=api_url) for n in range(k)]
    return compose(
        Catalog.from_tools(tools),
        retriever=FakeRetriever(tools),
        model=open_model("openai:scripted", base_url=llm.url, api_key=llm.api_key),
        calibration="all",
        policy=Policy(allow_hosts=frozenset({api_url.removeprefix("http://")})),
    )


def _instant_parts(k: int) -> Parts:
    tools = [tool(f"Air.op{n}") for n in range(k)]
    planner, simulator, reranker = FakePlanner(), FakeSimulator(), FakeReranker()
    catalog = Catalog.from_tools(tools)
    return Parts(
        catalog=catalog,
        retriever=FakeRetriever(tools),
        planner=planner,
        executor=FakeExecutor(),
        simulator=simulator,
        reranker=reranker,
        deterministic=Deterministic(planner, simulator, reranker),
        approvals=Approvals(catalog, Policy()),
    )


def _rule_parts(k: int) -> Parts:
    """Real planner, simulator and re-ranker; no host is allowed, so nothing is sent."""
    tools = [tool(f"Air.op{n}", "Search flights.", params=["destination"]) for n in range(k)]
    return compose(Catalog.from_tools(tools), retriever=FakeRetriever(tools))


async def _select(graph: SelectionGraph, k: int, way: str = "executed") -> None:
    state = await graph.ainvoke({"request": REQUEST}, context={"depth": k, "k": k})
    done = [t for t in state["trials"] if (t[way] or {}).get("status") == "succeeded"]
    if len(done) != k:
        raise SystemExit(f"only {len(done)} of {k} trials were {way}: nothing was measured")


async def _in_sequence(parts: Parts, k: int) -> None:
    """Algorithm 1 of GRETEL (2510.17843): plan and execute one candidate after the other."""
    asked = request(REQUEST)
    if parts.rewriter is None:
        raise SystemExit("the benchmark needs a rewriter")
    retrieval = await parts.retriever.retrieve(await parts.rewriter.rewrite(asked), k=k)
    trials = []
    for found in retrieval.candidates[0]:
        plan = await parts.planner.plan(asked, parts.catalog[found.tool_id])
        if not isinstance(plan, CallPlan):
            raise SystemExit(f"{found.tool_id} was refused: nothing was measured")
        outcome = await parts.executor.execute(plan, budget=Budget())
        trials.append(
            Trial(
                tool_id=found.tool_id,
                round=1,
                rank_before=found.rank,
                retrieval_score=found.score,
                plan=plan,
                executed=outcome,
            )
        )
    await parts.reranker.rerank(asked, trials)


async def _median(run: Callable[[], Awaitable[None]], repeat: int, name: str) -> float:
    """Median milliseconds over `repeat` runs, after one that is not counted."""
    await run()
    times = []
    for _ in track(range(repeat), name, console=Console(stderr=True), transient=True):
        start = time.perf_counter()
        await run()
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def _print(rows: Mapping[str, float], ideal: float, k: int) -> None:
    table = Table(title=f"one selection, k = {k}; command: {' '.join(sys.argv)}")
    for column in ("order", "median ms", "x ideal"):
        table.add_column(column, justify="left" if column == "order" else "right")
    for name, ms in rows.items():
        table.add_row(name, f"{ms:.0f}", f"{ms / ideal:.2f}")
    Console().print(table)


if __name__ == "__main__":
    asyncio.run(main())
