"""What a run says where its time ends before its parts are done."""

import pytest
from graph_runs import fake_parts, run, selection_of

from fakes import FakeExecutor, FakePlanner, FakeReranker, FakeSimulator, failed, tool
from gretel.graph.parts import Deterministic

SEA = tool("Sea.b")


async def test_rules_that_are_slow_are_asked_once_and_nobody_is_said_to_be_silent() -> None:
    """They are their own twin: to ask them anew takes as long again."""
    planner, reranker = FakePlanner(delay_s=0.05), FakeReranker(delay_s=0.05)
    simulator = FakeSimulator(delay_s=0.05)
    parts = fake_parts(
        [SEA],
        planner=planner,
        simulator=simulator,
        reranker=reranker,
        deterministic=Deterministic(planner, simulator, reranker),
        executor=FakeExecutor({"Sea.b": failed("host_not_allowed", "ours")}),
    )

    tried = selection_of(await run(parts, budget={"trial_s": 0.04}))
    assert [len(each.calls) for each in (planner, simulator)] == [1, 1]
    ranked = selection_of(await run(parts, budget={"wall_s": 0.1}))

    assert len(reranker.calls) == 2
    assert not any("no reply within" in note for note in (*tried.notes, *ranked.notes))


@pytest.mark.slow
async def test_a_sandbox_that_is_not_back_in_time_is_not_said_to_be_broken() -> None:
    parts = fake_parts([SEA], executor=FakeExecutor(delay_s=5.0))

    state = await run(parts, budget={"call_s": 0.1})

    detail = state["trials"][0]["executed"]["failure"]["detail"]
    assert detail == "execute Sea.b: nothing came back within 0.1 s; is this machine busy?"
