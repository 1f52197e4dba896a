"""A real, small model in the loop, and endpoints that are slow, stall or break off.

    python benchmarks/model.py [--replies 8] [--selections 12] [--wall 4] [--seed 7]

First part: `--replies` replies of each step at temperature 1.0 from SmolLM2-135M (`make model`
installs it): how many end in a record, a named error, or at their cap, and what they took. Second:
`--selections` selections over a scripted endpoint whose every reply comes after 200 ms to 20 s,
drawn at random, never, or broken off: how far each one's time goes beyond its budget.
"""

import argparse
import asyncio
import random
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "model"))

from small_model import SmallModel, missing

from fakes import FakeRetriever, failure, param, plan, request, tool
from gretel.catalog import Catalog
from gretel.contracts.errors import GretelError
from gretel.graph.selector import Selector
from gretel.llm.ledger import collect_usage
from gretel.llm.model import StructuredModel
from gretel.llm.sending import ModelLimits
from gretel.nodes.plan.llm import LlmPlanner
from gretel.nodes.rewrite.llm import LlmRewriter
from gretel.nodes.simulate.llm import LlmSimulator
from llm_server import DRIP, DROP, GOOD, HANG, Call, LlmServer, Reply

REQUESTS = (
    "Fly me from SFO to Oslo on 2026-12-01, business class.",
    "Which flights leave Bergen next Tuesday?",
    "I need a cheap seat to New York for two adults.",
    "What is the weather in Oslo tomorrow?",
)
TOOLS = [
    tool(
        "Sky.search",
        "Search flights between two airports on a day.",
        params=[
            param("from", {"type": "string", "pattern": "^[A-Z]{3}$"}, required=True),
            param("date", {"type": "string", "format": "date"}, required=True),
            param("cabin", {"type": "string", "enum": ["economy", "business"]}),
        ],
    ),
    tool("Sea.ferries", "Search ferries to a city.", params=[param("city")]),
    tool("Air.weather", "The weather of a city.", params=[param("city", required=True)]),
]


def main() -> None:
    """Measure both, and print a table each."""
    args = _arguments()
    why = missing()
    if why:
        Console().print(f"without the model: {why}")
    elif args.replies:
        with SmallModel() as server:
            asyncio.run(_replies(server, args.replies))
    with LlmServer() as llm:
        asyncio.run(_slow(llm, args))


async def _replies(server: SmallModel, count: int) -> None:
    patient = ModelLimits(request_s=300.0, total_s=600.0)
    model = server.model(limits=patient, temperature=1.0)
    table = Table(
        "step", "replies", "records", "named errors", "tokens read / written", "s a reply"
    )
    for step, asked in _steps(model).items():
        start, ends = time.perf_counter(), Counter[str]()
        with collect_usage() as ledger:
            for number in range(count):
                ends[await _end(asked, REQUESTS[number % len(REQUESTS)])] += 1
        usage, seconds = ledger.usage, time.perf_counter() - start
        tokens = f"{usage.prompt_tokens} / {usage.completion_tokens}"
        named = ", ".join(f"{n} {end}" for end, n in ends.items() if end != "record") or "none"
        table.add_row(
            step, str(count), str(ends["record"]), named, tokens, f"{seconds / count:.1f}"
        )
    await model.aclose()
    Console().print(table)


def _steps(model: StructuredModel) -> dict[str, Callable[[str], Awaitable[object]]]:
    catalog = Catalog.from_tools(TOOLS)
    rewriter, planner = LlmRewriter(model), LlmPlanner(model)
    simulator = LlmSimulator(model, catalog)
    call, why = plan("Sky.search"), failure("timeout")
    return {
        "rewrite": lambda text: rewriter.rewrite(request(text)),
        "plan": lambda text: planner.plan(request(text), TOOLS[0]),
        "simulate": lambda text: simulator.simulate(call, why, seed=len(text)),
    }


async def _end(asked: Callable[[str], Awaitable[object]], text: str) -> str:
    try:
        await asked(text)
    except GretelError as error:
        return "cut at its cap" if "cut at its cap" in str(error) else type(error).__name__
    return "record"


async def _slow(llm: LlmServer, args: argparse.Namespace) -> None:
    draw = random.Random(args.seed)
    for step in GOOD:
        llm.script(step, lambda call: _ill(call, draw))
    over = []
    await _seconds(llm, 60.0)  # what is loaded once is no matter of an endpoint
    for _ in range(args.selections):
        over.append(await _seconds(llm, args.wall) - args.wall)
    late = sum(seconds > 1.0 for seconds in over)
    Console().print(
        f"{args.selections} selections with {args.wall:g} s each: none failed, {late} ended more "
        f"than 1 s beyond it; the last at {max(over):+.2f} s, half of them by "
        f"{sorted(over)[len(over) // 2]:+.2f} s"
    )


def _ill(call: Call, draw: random.Random) -> Reply:
    kind = draw.choice(["slow", "slow", "slow", "stalls", "drips", "breaks off"])
    if kind == "slow":
        reply = GOOD[call.step](call)
        return Reply(reply.content, delay_s=draw.uniform(0.2, 20.0))
    return {"stalls": HANG, "drips": DRIP, "breaks off": DROP}[kind]


async def _seconds(llm: LlmServer, wall_s: float) -> float:
    selector = Selector(
        Catalog.from_tools(TOOLS), retriever=FakeRetriever(TOOLS), model=llm.model()
    )
    start = time.perf_counter()
    try:
        await selector.aselect(REQUESTS[0], budget={"wall_s": wall_s})
        return time.perf_counter() - start
    finally:
        await selector.aclose()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--replies", type=int, default=8)
    parser.add_argument("--selections", type=int, default=12)
    parser.add_argument("--wall", type=float, default=4.0)
    parser.add_argument("--seed", type=int, default=7)
    return parser.parse_args()


if __name__ == "__main__":
    main()
