"""A real, small model in the loop, and endpoints that are slow, stall or break off.

    python benchmarks/models/model.py [--replies 8] [--selections 12] [--wall 4] [--price IN,OUT]

First part: `--replies` replies of each step at temperature 1.0 from SmolLM2-135M (`make model`
installs it): how many end in a record or a named error, what share of its cap the longest one took,
and what all took. Second: `--selections` selections over a scripted endpoint whose every reply
comes after 200 ms to 20 s, drawn at random, never, or broken off: how far each one's time goes
beyond its budget. Third: what a selection costs by depth and step, where the model is asked one
thing at a time (the order of the paper's Algorithm 1), all candidates at once, and all in one
request, over a scripted endpoint that reads 5,000 tokens a second and writes 50, at four characters
a token; its replies are short.
"""

import argparse
import asyncio
import random
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.outputs import LLMResult
from langchain_core.tracers.context import register_configure_hook
from openai import LengthFinishReasonError
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "model"))

from small_model import SmallModel, missing

from fakes import FakeRetriever, param, request, tool
from gretel.catalog import Catalog
from gretel.contracts.errors import GretelError
from gretel.contracts.ranking import Request
from gretel.graph.selector import Selector
from gretel.llm.ledger import Price, collect_usage
from gretel.llm.sending import ModelLimits
from llm_server import DRIP, DROP, GOOD, HANG, Call, LlmServer, Reply
from model_steps import SEARCH, asking

REQUESTS = (
    "Fly me from SFO to Oslo on 2026-12-01, business class.",
    "Which flights leave Bergen next Tuesday?",
    "I need a cheap seat to New York for two adults.",
    "What is the weather in Oslo tomorrow?",
)
TOOLS = [
    SEARCH,
    tool("Sea.ferries", "Search ferries to a city.", params=[param("city")]),
    tool("Air.weather", "The weather of a city.", params=[param("city", required=True)]),
]
AT_ONCE = 4
"""Replies that the model writes side by side; a thread reads several words faster than one."""
FLIGHT = [*(param(name, required=True) for name in ("from", "to", "day")), param("cabin")]


class Lengths(BaseCallbackHandler):
    """The share of its cap that each reply took, of requests as they are sent."""

    def __init__(self) -> None:
        self.shares: list[float] = []
        self._caps: dict[UUID, int] = {}

    def on_chat_model_start(self, *_: Any, run_id: UUID, **said: Any) -> None:
        """Keep the cap that a request has; one without a cap is an error."""
        sent = said["invocation_params"]
        cap = sent.get("max_completion_tokens") or sent["extra_body"]["max_tokens"]
        self._caps[run_id] = cap

    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **_: Any) -> None:
        """Keep what the reply took of it."""
        written = (response.llm_output or {})["token_usage"]["completion_tokens"]
        self.shares.append(written / self._caps.pop(run_id))

    def on_llm_error(self, error: BaseException, *, run_id: UUID, **_: Any) -> None:
        """The openai client raises a reply that is cut at its cap."""
        if isinstance(error, LengthFinishReasonError) and error.completion.usage:
            written = error.completion.usage.completion_tokens
            self.shares.append(written / self._caps.pop(run_id))


_LENGTHS: ContextVar[Lengths | None] = ContextVar("lengths", default=None)
register_configure_hook(_LENGTHS, inheritable=True)


@contextmanager
def lengths() -> Iterator[Lengths]:
    """What the replies of the requests inside took of their caps."""
    found = Lengths()
    token = _LENGTHS.set(found)
    try:
        yield found
    finally:
        _LENGTHS.reset(token)


def main() -> None:
    """Measure both, and print a table each."""
    args = _arguments()
    why = missing()
    if why:
        Console().print(f"without the model: {why}")
    elif args.replies:
        with SmallModel(slots=AT_ONCE) as server:
            asyncio.run(_replies(server, args.replies))
    with LlmServer() as llm:
        if args.selections:
            asyncio.run(_slow(llm, args))
    with LlmServer() as llm:
        asyncio.run(_costs(llm, args))


async def _replies(server: SmallModel, count: int) -> None:
    patient = ModelLimits(request_s=300.0, total_s=600.0)
    model = server.model(limits=patient, temperature=1.0)
    table = Table(
        "step",
        "replies",
        "records",
        "named errors",
        "longest, of its cap",
        "tokens read / written",
        "s a reply",
    )
    for step, asked in asking(model, TOOLS[0]).items():
        start, ends = time.perf_counter(), Counter[str]()
        with collect_usage() as ledger, lengths() as taken:
            for first in range(0, count, AT_ONCE):
                numbers = range(first, min(first + AT_ONCE, count))
                said = (request(REQUESTS[number % len(REQUESTS)]) for number in numbers)
                ends.update(await asyncio.gather(*(_end(asked, each) for each in said)))
        usage, seconds = ledger.usage, time.perf_counter() - start
        tokens = f"{usage.prompt_tokens} / {usage.completion_tokens}"
        named = ", ".join(f"{n} {end}" for end, n in ends.items() if end != "record") or "none"
        table.add_row(
            step,
            str(count),
            str(ends["record"]),
            named,
            f"{max(taken.shares):.0%}",
            tokens,
            f"{seconds / count:.1f}",
        )
        print(f"{step}: {count} replies, {seconds:.0f} s", file=sys.stderr, flush=True)
    await model.aclose()
    Console().print(table)


async def _end(asked: Callable[[Request], Awaitable[object]], said: Request) -> str:
    try:
        await asked(said)
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


async def _costs(llm: LlmServer, args: argparse.Namespace) -> None:
    for step in GOOD:
        llm.script(step, _timed)
    table = Table("depth", "order", "calls", "tokens", "USD", "s", "to plan: calls", "tokens")
    await _cost(llm, args, 1, 1, 1)  # what is loaded once
    for depth in (1, 5, 10):
        orders = {
            "one by one": (1, 1),
            "all at once": (16, 1),
            "plan_batch": (16, depth),
        }
        for order, (concurrency, batch) in orders.items():
            table.add_row(str(depth), order, *await _cost(llm, args, depth, concurrency, batch))
    Console().print(table)


async def _cost(
    llm: LlmServer, args: argparse.Namespace, depth: int, concurrency: int, batch: int
) -> list[str]:
    tools = [
        tool(f"Sky{n}.search", "Search flights on a day.", params=FLIGHT) for n in range(depth)
    ]
    limits = ModelLimits(concurrency=concurrency, request_s=60.0)
    prices = {} if args.price is None else {"test": args.price}
    selector = Selector(
        Catalog.from_tools(tools),
        retriever=FakeRetriever(tools, needs_tool=1.0),
        model=llm.model(limits=limits, prices=prices),
        calibration="all",
        plan_batch=batch,
    )
    budget = {"wall_s": None, "trial_s": 300.0}
    try:
        start = time.perf_counter()
        done = await selector.aselect(REQUESTS[0], k=depth, depth=depth, budget=budget)
        seconds = time.perf_counter() - start
    finally:
        await selector.aclose()
    plans = [each for step, each in done.usage_by_step.items() if step.startswith("plan:")]
    read = sum(each.prompt_tokens for each in plans)
    written = sum(each.completion_tokens for each in plans)
    spent, money = done.usage, done.usage.money_usd
    return [
        str(spent.llm_calls),
        f"{spent.prompt_tokens} / {spent.completion_tokens}",
        "–" if money is None else f"{money:.5f}",
        f"{seconds:.1f}",
        str(sum(each.llm_calls for each in plans)),
        f"{read} / {written}",
    ]


def _timed(call: Call) -> Reply:
    """A good reply that takes the time, and reports the tokens, of its length."""
    reply = GOOD[call.step](call)
    read, written = len(call.prompt) // 4, len(reply.content or "") // 4
    usage = {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
    return Reply(reply.content, delay_s=read / 5_000 + written / 50, usage=usage)


def _price(text: str) -> Price:
    prompt_usd, completion_usd = map(float, text.split(","))
    return Price(prompt_usd=prompt_usd, completion_usd=completion_usd)


async def _seconds(llm: LlmServer, wall_s: float) -> float:
    selector = Selector(
        Catalog.from_tools(TOOLS),
        retriever=FakeRetriever(TOOLS),
        model=llm.model(),
        calibration="all",
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
    parser.add_argument("--price", type=_price, help="USD per million tokens read, written")
    parser.add_argument("--seed", type=int, default=7)
    return parser.parse_args()


if __name__ == "__main__":
    main()
