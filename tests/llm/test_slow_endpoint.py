"""An endpoint that is slow, stalls or breaks off: a selection ends within its time and a second."""

import random
import time

import pytest

from fakes import FakeRetriever, param, tool
from gretel.catalog import Catalog
from gretel.graph.selector import Selector
from llm_server import DRIP, DROP, GOOD, HANG, Call, LlmServer, Reply

WALL_S = 1.5
TOOLS = [tool(f"Air.op{n}", "Search flights.", params=[param("to")]) for n in range(3)]


async def seconds(llm: LlmServer, wall_s: float) -> float:
    selector = Selector(
        Catalog.from_tools(TOOLS),
        retriever=FakeRetriever(TOOLS, needs_tool=1.0),
        model=llm.model(),
        calibration="all",
    )
    start = time.perf_counter()
    try:
        selection = await selector.aselect("Fly to Oslo", budget={"wall_s": wall_s})
        assert selection.trials
        return time.perf_counter() - start
    finally:
        await selector.aclose()


def drawn(call: Call, draw: random.Random) -> Reply:
    """A reply of 200 ms to 20 s a token, or a stall, a drip, or a stream that is cut."""
    good = GOOD[call.step](call)
    tokens = len(good.content or "") // 4
    slow = Reply(good.content, delay_s=min(60.0, tokens * draw.uniform(0.2, 20.0)))
    return draw.choice([slow, slow, HANG, DRIP, DROP, good])


@pytest.mark.slow
async def test_every_selection_ends_within_its_time(llm: LlmServer) -> None:
    await seconds(llm, 60.0)  # what is loaded once is no matter of an endpoint
    usual = await seconds(llm, 60.0)  # nor is what a selection takes that waits for nothing
    draw = random.Random(7)
    for step in GOOD:
        llm.script(step, lambda call: drawn(call, draw))

    over = [await seconds(llm, WALL_S) - WALL_S for _ in range(6)]

    assert max(over) < 1.0 + usual, over
