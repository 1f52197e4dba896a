"""Parallel trials against the sequential order of the paper's Algorithm 1, and the bare framework.

    python benchmarks/parallel.py [--k 10] [--llm-ms 500] [--api-ms 200] [--repeat 5]

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
from collections.abc import Awaitable, Callable
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from fakes import (
    FakeExecutor,
    FakePlanner,
    FakeReranker,
    FakeRetriever,
    FakeSimulator,
    request,
    tool,
)
from llm_server import LlmServer
from slow_api import SlowApi

from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.contracts.trial import CallPlan, Trial
from gretel.graph.build import SelectionGraph, build_graph
from gretel.graph.compose import compose
from gretel.graph.parts import Deterministic, Parts
from gretel.llm.model import open_model
from gretel.sandbox.policy import Policy

REQUEST = "Find me a one-way flight to Oslo."


async def main() -> None:
    """Measure, and print one table."""
    args = _arguments()
    with LlmServer(delay_s=args.llm_ms / 1000) as llm, SlowApi(delay_s=args.api_ms / 1000) as api:
        parts = _waiting_parts(args.k, llm, api.url)
        graph = build_graph(parts)
        parallel = await _median(lambda: _select(graph, args.k), args.repeat, "parallel")
        sequential = await _median(lambda: _in_sequence(parts, args.k), args.repeat, "sequential")
    framework_graph = build_graph(_instant_parts(args.k))
    framework = await _median(lambda: _select(framework_graph, args.k), 30, "framework")
    ideal = 3 * args.llm_ms + args.api_ms
    _print(ideal, parallel, sequential, framework, args.k)


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
        policy=Policy(allow_hosts=frozenset({"127.0.0.1"})),
    )


def _instant_parts(k: int) -> Parts:
    tools = [tool(f"Air.op{n}") for n in range(k)]
    planner, simulator, reranker = FakePlanner(), FakeSimulator(), FakeReranker()
    return Parts(
        catalog=Catalog.from_tools(tools),
        retriever=FakeRetriever(tools),
        planner=planner,
        executor=FakeExecutor(),
        simulator=simulator,
        reranker=reranker,
        deterministic=Deterministic(planner, simulator, reranker),
    )


async def _select(graph: SelectionGraph, k: int) -> None:
    state = await graph.ainvoke({"request": REQUEST}, context={"depth": k, "k": k})
    succeeded = [t for t in state["trials"] if t["executed"]["status"] == "succeeded"]
    if len(succeeded) != k:
        raise SystemExit(f"only {len(succeeded)} of {k} trials succeeded: nothing was measured")


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


def _print(ideal: float, parallel: float, sequential: float, framework: float, k: int) -> None:
    table = Table(title=f"one selection, k = {k}; command: {' '.join(sys.argv)}")
    for column in ("order", "median ms", "x ideal"):
        table.add_column(column, justify="left" if column == "order" else "right")
    table.add_row("ideal: rewrite + plan + execute + rerank", f"{ideal:.0f}", "1.00")
    table.add_row("parallel (the graph)", f"{parallel:.0f}", f"{parallel / ideal:.2f}")
    table.add_row("sequential (Algorithm 1)", f"{sequential:.0f}", f"{sequential / ideal:.2f}")
    table.add_row("framework alone, no waiting", f"{framework:.0f}", "")
    Console().print(table)


if __name__ == "__main__":
    asyncio.run(main())
