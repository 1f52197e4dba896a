"""The whole graph over fakes: every route, and what each leaves in the state."""

import asyncio
import json
from collections.abc import Sequence
from datetime import date, timedelta

import pytest
from graph_runs import fake_parts, run, selection_of
from langgraph.checkpoint.memory import InMemorySaver

from fakes import (
    FakeExecutor,
    FakePlanner,
    FakeReranker,
    FakeRetriever,
    FakeRewriter,
    FakeSimulator,
    failed,
    refusal,
    succeeded,
    tool,
)
from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.contracts.errors import InputError, SandboxUnavailable, ServiceUnreachable
from gretel.contracts.ranking import Candidate, Request
from gretel.contracts.tool import Tool, ToolId
from gretel.contracts.trial import (
    FAILURE_CLASS,
    SIMULATED_FAILURES,
    Argument,
    CallPlan,
    FailureKind,
    Outcome,
    PlanResult,
)
from gretel.graph.build import build_graph
from gretel.nodes.context import Context
from gretel.nodes.rewrite.feedback import FeedbackRewriter
from lanes import every

TOOLS = [tool(f"Air.{name}") for name in "abcd"]


async def test_tools_are_offered_in_the_order_of_the_evidence() -> None:
    executor = FakeExecutor({"Air.a": failed()})
    selection = selection_of(
        await run(
            fake_parts(TOOLS, executor=executor, simulator=FakeSimulator({"Air.a": failed()}))
        )
    )
    assert [offered.tool_id for offered in selection.tools] == ["Air.b", "Air.c", "Air.d", "Air.a"]
    assert selection.tools[-1].rank_before == 1
    assert not selection.abstained


async def test_a_run_may_be_listened_to_event_by_event() -> None:
    """As Studio's mode `events` does; a trial gives its output then too, not its whole state."""
    graph = build_graph(fake_parts(TOOLS))
    given = {"request": "find air"}
    events = [each async for each in graph.astream_events(given, version="v2")]
    assert {"plan", "execute", "record"} <= {each["name"] for each in events}
    last = events[-1]["data"]["output"]
    assert len(last["trials"]) == len(TOOLS)
    assert last["selection"]["tools"]


async def test_messages_without_a_request_are_told_where_it_goes() -> None:
    graph = build_graph(fake_parts(TOOLS))
    given = {"messages": [{"role": "user", "content": "find air"}]}
    with pytest.raises(InputError, match="request: is empty. Give what is asked now in `request`"):
        await graph.ainvoke(given)  # type: ignore[call-overload]


async def test_k_cuts_the_offer_and_depth_the_trials() -> None:
    state = await run(fake_parts(TOOLS), k=1, depth=3)
    assert len(state["trials"]) == 3
    assert len(selection_of(state).tools) == 1


class Meeting(FakePlanner):
    """Plans no call before all are asked for."""

    def __init__(self) -> None:
        super().__init__()
        self._all_asked = asyncio.Barrier(len(TOOLS))

    async def plan(self, request: Request, tool: Tool) -> PlanResult:
        await self._all_asked.wait()
        return await super().plan(request, tool)


class Gathering(FakeExecutor):
    """Answers no call before all are made."""

    def __init__(self) -> None:
        super().__init__()
        self._all_made = asyncio.Barrier(len(TOOLS))

    async def execute(self, plan: CallPlan, *, budget: Budget) -> Outcome:
        await self._all_made.wait()
        return await super().execute(plan, budget=budget)


async def test_all_trials_run_at_once() -> None:
    planner, executor = Meeting(), Gathering()
    async with asyncio.timeout(60):  # one after the other they would wait for ever
        await run(fake_parts(TOOLS, planner=planner, executor=executor))
    assert len(planner.calls) == len(executor.calls) == len(TOOLS)


async def test_a_refusal_is_evidence_and_is_not_executed() -> None:
    executor, simulator = FakeExecutor(), FakeSimulator()
    planner = FakePlanner({"Air.a": refusal("Air.a", "carrier")})
    state = await run(fake_parts(TOOLS, planner=planner, executor=executor, simulator=simulator))
    assert "Air.a" not in [call.arguments["plan"].tool_id for call in executor.calls]
    assert simulator.calls == []
    selection = selection_of(state)
    assert [field.name for field in selection.missing] == ["carrier"]
    assert selection.tools[-1].tool_id == "Air.a"


@pytest.mark.parametrize("kind", every(3, sorted(FAILURE_CLASS)))
async def test_only_non_critical_failures_are_simulated(kind: FailureKind) -> None:
    simulator = FakeSimulator()
    executor = FakeExecutor({"Air.a": failed(kind)})
    await run(fake_parts(TOOLS[:1], executor=executor, simulator=simulator))
    assert bool(simulator.calls) == (kind in SIMULATED_FAILURES)


async def test_our_own_dead_network_is_simulated_and_sinks_no_tool() -> None:
    executor = FakeExecutor({"Air.a": failed("connection", "ours")})
    selection = selection_of(await run(fake_parts(TOOLS[:1], executor=executor)))
    assert [offered.tool_id for offered in selection.tools] == ["Air.a"]
    assert selection.tools[0].trial.outcome.source == "simulated"


async def test_an_empty_answer_is_not_simulated() -> None:
    simulator = FakeSimulator()
    empty = failed("empty").model_copy(update={"status": "empty"})
    await run(fake_parts(TOOLS[:1], executor=FakeExecutor({"Air.a": empty}), simulator=simulator))
    assert simulator.calls == []


async def test_simulation_can_be_switched_off() -> None:
    simulator = FakeSimulator()
    executor = FakeExecutor({"Air.a": failed("timeout")})
    await run(fake_parts(TOOLS[:1], executor=executor, simulator=simulator), simulate=False)
    assert simulator.calls == []


async def test_no_candidates_abstains() -> None:
    why = selection_of(await run(fake_parts([]))).abstention
    assert why is not None
    assert why.reason == "no_candidates"


async def test_all_refused_abstains_and_says_what_to_ask() -> None:
    planner = FakePlanner({t.tool_id: refusal(t.tool_id, "date") for t in TOOLS})
    selection = selection_of(await run(fake_parts(TOOLS, planner=planner)))
    assert selection.abstention is not None
    assert selection.abstention.reason == "all_refused"
    assert "date" in selection.abstention.detail
    assert [tool.tool_id for tool in selection.lacking] == [each.tool_id for each in TOOLS]
    assert {(tool.lack, tool.lacks) for tool in selection.lacking} == {
        ("value", "a value for date")
    }
    assert [field.name for field in selection.lacking[-1].missing] == ["date"]


async def test_what_the_best_tool_lacks_is_told_first() -> None:
    found = [each.tool_id for each in reversed(TOOLS)]
    retriever = FakeRetriever(TOOLS, {"Find me a flight.": found})
    planner = FakePlanner({each: refusal(each, f"of_{each[-1]}") for each in found})
    parts = fake_parts(TOOLS, retriever=retriever, planner=planner)
    why = selection_of(await run(parts)).abstention
    assert why is not None
    assert why.detail.endswith("; missing: of_d, of_c, of_b, of_a")


async def test_refused_tools_are_offered_where_the_first_may_have_been_misread() -> None:
    """What it lacks is still to be asked for; a tool behind it changes nothing."""
    unsure = refusal("Air.a", "date").model_copy(update={"confidence": 0.5})
    plans = {each.tool_id: refusal(each.tool_id, "date") for each in TOOLS}
    found = selection_of(
        await run(fake_parts(TOOLS, planner=FakePlanner(plans | {"Air.a": unsure})))
    )
    assert found.abstention is None
    assert found.tools[0].tool_id == "Air.a"
    assert "date" in {field.name for field in found.missing}
    behind = plans | {"Air.b": unsure.model_copy(update={"tool_id": ToolId("Air.b")})}
    assert selection_of(await run(fake_parts(TOOLS, planner=FakePlanner(behind)))).abstention


async def test_the_user_is_asked_for_tools_that_the_request_is_about() -> None:
    """Of the best k, those that retrieval did not place far behind: score 1, 1/2 and so on."""
    tools = [tool(f"Air.{name}") for name in "abcdefg"]
    planner = FakePlanner({t.tool_id: refusal(t.tool_id, "date") for t in tools})
    parts = fake_parts(tools, planner=planner)
    asked = [field.tool_id for field in selection_of(await run(parts, k=7)).missing]
    assert asked == ["Air.a", "Air.b", "Air.c", "Air.d", "Air.e"]
    assert [field.tool_id for field in selection_of(await run(parts, k=1)).missing] == ["Air.a"]


async def test_beside_a_failure_of_all_the_ranking_says_what_each_lacks() -> None:
    kinds: dict[str, FailureKind] = {"Air.a": "auth", "Air.b": "connection", "Air.c": "irrelevant"}
    executor = FakeExecutor({name: failed(kind) for name, kind in kinds.items()})
    planner = FakePlanner({"Air.d": refusal("Air.d", "carrier")})
    state = await run(fake_parts(TOOLS, executor=executor, planner=planner), k=4)
    selection = selection_of(state)
    assert selection.tools == ()
    lacks = {tool.tool_id: tool.lack for tool in selection.lacking}
    assert lacks == {"Air.a": "credential", "Air.b": "server", "Air.c": "answer", "Air.d": "value"}
    assert [tool.rank for tool in selection.lacking] == [1, 2, 3, 4]
    assert (
        len(
            selection_of(
                await run(fake_parts(TOOLS, executor=executor, planner=planner), k=2)
            ).lacking
        )
        == 2
    )


async def test_what_is_offered_or_declined_unseen_lacks_nothing() -> None:
    assert selection_of(await run(fake_parts(TOOLS))).lacking == ()
    parts = fake_parts(TOOLS, retriever=FakeRetriever(TOOLS, needs_tool=0.1))
    assert selection_of(await run(parts)).lacking == ()


async def test_with_the_server_down_no_write_is_offered() -> None:
    """What was kept in and simulated is no offer where its server does not answer."""
    unsent = {"status": "unavailable", "source": "none"}
    kept = failed("unsafe_method", "ours").model_copy(update=unsent)
    dead, kept = (each.model_copy(update={"host": "a.b"}) for each in (failed("connection"), kept))
    executor = FakeExecutor({"Air.a": dead, "Air.b": kept, "Air.c": kept, "Air.d": kept})
    selection = selection_of(await run(fake_parts(TOOLS, executor=executor)))
    assert selection.abstention is not None
    assert selection.abstention.reason == "all_failed"
    assert "a.b" in selection.abstention.detail


async def test_all_failed_abstains() -> None:
    executor = FakeExecutor({t.tool_id: failed("drift") for t in TOOLS})
    why = selection_of(await run(fake_parts(TOOLS, executor=executor))).abstention
    assert why is not None
    assert why.reason == "all_failed"


@pytest.mark.parametrize(
    ("probabilities", "reason"),
    [({"needs_tool": 0.01}, "no_tool_needed"), ({"answerable": 0.0001}, "no_tool_fits")],
)
async def test_a_low_probability_abstains_before_any_trial(
    probabilities: dict[str, float], reason: str
) -> None:
    planner = FakePlanner()
    parts = fake_parts(TOOLS, retriever=FakeRetriever(TOOLS, **probabilities), planner=planner)
    why = selection_of(await run(parts)).abstention
    assert why is not None
    assert why.reason == reason
    assert planner.calls == []
    assert not selection_of(await run(parts, abstain_below=0)).abstained


AT_7 = "Who is at B7?"


def said(tool_id: str) -> CallPlan:
    """A call with the place that `AT_7` says."""
    value = Argument(value="B7", source="request", span=(10, 12))
    return CallPlan(tool_id=ToolId(tool_id), arguments={"at": value})


@pytest.mark.parametrize(
    ("ends", "declined"),
    [
        (succeeded(), False),
        (failed("drift"), True),
        (succeeded("[]").model_copy(update={"says_none": True}), True),
    ],
)
async def test_an_answer_to_what_the_request_says_outweighs_a_low_probability(
    ends: Outcome, declined: bool
) -> None:
    planner = FakePlanner({t.tool_id: said(t.tool_id) for t in TOOLS})
    executor = FakeExecutor({t.tool_id: ends for t in TOOLS})
    retriever = FakeRetriever(TOOLS, answerable=0.02)
    parts = fake_parts(TOOLS, retriever=retriever, planner=planner, executor=executor)

    selection = selection_of(await run(parts, AT_7))

    assert len(planner.calls) == len(TOOLS), "they are tried"
    assert selection.abstained == declined
    if declined:
        assert selection.abstention is not None
        assert selection.abstention.reason == "no_tool_fits"
        assert selection.tools == () and selection.missing == ()


async def test_a_budget_without_trials_abstains() -> None:
    why = selection_of(await run(fake_parts(TOOLS), budget={"trials": 0})).abstention
    assert why is not None
    assert why.reason == "budget_spent"


async def test_calls_that_are_left_go_to_the_best_candidates() -> None:
    executor = FakeExecutor()
    state = await run(fake_parts(TOOLS, executor=executor), budget={"calls": 2})
    assert sorted(call.arguments["plan"].tool_id for call in executor.calls) == ["Air.a", "Air.b"]
    kinds = [(trial["executed"]["failure"] or {}).get("kind") for trial in state["trials"]]
    assert kinds == [None, None, "budget_spent", "budget_spent"]


async def test_a_spent_call_budget_abstains() -> None:
    why = selection_of(await run(fake_parts(TOOLS), budget={"calls": 0})).abstention
    assert why is not None
    assert why.reason == "budget_spent"


async def test_a_call_budget_that_ends_early_is_no_failure_of_the_other_tools() -> None:
    executor = FakeExecutor({"Air.a": failed("drift")})
    why = selection_of(await run(fake_parts(TOOLS, executor=executor), budget={"calls": 1}))
    assert why.abstention is not None
    assert why.abstention.reason == "budget_spent"
    assert f"{len(TOOLS) - 1} tools" in why.abstention.detail


async def test_the_trial_limit_holds_over_all_rounds() -> None:
    executor = FakeExecutor({t.tool_id: failed("drift") for t in TOOLS})
    state = await run(fake_parts(TOOLS, executor=executor), depth=2, rounds=3, budget={"trials": 3})
    assert len(state["trials"]) == 3
    assert selection_of(state).abstained


async def test_a_broken_planner_costs_one_trial_only() -> None:
    planner = FakePlanner({"Air.a": RuntimeError("bug")})
    state = await run(fake_parts(TOOLS, planner=planner))
    assert state["trials"][0]["plan"]["reason"] == "planner_failed"
    assert "bug" in state["trials"][0]["plan"]["detail"]
    assert not selection_of(state).abstained


async def test_a_broken_executor_costs_one_trial_only_and_is_told() -> None:
    executor = FakeExecutor({"Air.a": SandboxUnavailable("no sockets left")})
    state = await run(fake_parts(TOOLS, executor=executor))
    outcome = state["trials"][0]["executed"]
    assert (outcome["status"], outcome["failure"]["fault"]) == ("unavailable", "ours")
    assert any("no sockets left" in note for note in selection_of(state).notes)


async def test_an_unreachable_model_ends_the_run() -> None:
    planner = FakePlanner({"Air.a": ServiceUnreachable("no endpoint")})
    with pytest.raises(ServiceUnreachable, match="no endpoint"):
        await run(fake_parts(TOOLS, planner=planner))


async def test_a_slow_planner_is_replaced() -> None:
    parts = fake_parts(TOOLS, planner=FakePlanner(delay_s=30))
    state = await run(parts, budget={"trial_s": 0.05})
    assert all(trial["plan"]["kind"] == "plan" for trial in state["trials"])
    assert len([note for note in selection_of(state).notes if "planned by rule" in note]) == 4


async def test_a_slow_reranker_is_replaced() -> None:
    parts = fake_parts(TOOLS, reranker=FakeReranker(delay_s=30))
    state = await run(parts, budget={"wall_s": 0.4})
    assert len(state["ranking"]["tools"]) == len(TOOLS)
    assert any("ordered by evidence alone" in note for note in selection_of(state).notes)


@pytest.mark.slow
async def test_a_slow_executor_ends_with_its_trial() -> None:
    parts = fake_parts(TOOLS[:1], executor=FakeExecutor(delay_s=30))
    state = await run(parts, budget={"call_s": 0.05})
    assert state["trials"][0]["executed"]["status"] == "unavailable"


async def test_a_second_round_tries_the_next_candidates() -> None:
    broken = FakeExecutor({"Air.a": failed("drift"), "Air.b": failed("drift")})
    state = await run(fake_parts(TOOLS, executor=broken), depth=2, rounds=2)
    assert [trial["round"] for trial in state["trials"]] == [1, 1, 2, 2]
    selection = selection_of(state)
    assert selection.rounds == 2
    assert selection.tools[0].tool_id == "Air.c"


class Backwards:
    """Orders candidates the other way round, and counts places from 1."""

    depth = 2

    async def ordered(self, request: Request, found: Sequence[Candidate]) -> list[Candidate]:
        turned = enumerate(reversed(found), 1)
        return [each.model_copy(update={"rank": rank}) for rank, each in turned]


async def test_places_go_on_where_those_of_the_last_round_end() -> None:
    broken = FakeExecutor({each.tool_id: failed("drift") for each in TOOLS})
    state = await run(fake_parts(TOOLS, executor=broken, order=Backwards()), depth=2, rounds=2)
    places = {trial["tool_id"]: trial["rank_before"] for trial in state["trials"]}
    assert sorted(places.values()) == [1, 2, 3, 4]


async def test_no_second_round_where_something_works() -> None:
    state = await run(fake_parts(TOOLS), depth=2, rounds=3)
    assert len(state["trials"]) == 2


async def test_rounds_end_where_candidates_end() -> None:
    broken = FakeExecutor({t.tool_id: failed("drift") for t in TOOLS})
    state = await run(fake_parts(TOOLS, executor=broken), depth=3, rounds=5)
    assert state["round"] == 2
    assert len(state["trials"]) == len(TOOLS)
    assert selection_of(state).abstained


async def test_no_second_round_for_what_is_declined_anyhow() -> None:
    """A code that no call takes speaks against a catalogue that hardly seemed to serve this."""
    parts = fake_parts(
        TOOLS,
        retriever=FakeRetriever(TOOLS, needs_tool=0.9, answerable=0.05),
        executor=FakeExecutor({each.tool_id: failed("drift") for each in TOOLS}),
    )
    state = await run(parts, "Find me the flight AX-4411.", depth=2, rounds=2)
    why = selection_of(state).abstention
    assert why is not None
    assert (why.reason, len(state["trials"])) == ("no_tool_fits", 2)


async def test_the_rewriter_asks_first_and_again_with_feedback() -> None:
    rewriter = FakeRewriter()
    broken = FakeExecutor({t.tool_id: failed("drift") for t in TOOLS[:2]})
    parts = fake_parts(TOOLS, rewriter=rewriter, executor=broken)
    state = await run(parts, depth=2, rounds=2)
    feedback = [call.arguments["feedback"] for call in rewriter.calls]
    assert feedback[0] is None
    assert {trial.tool_id for trial in feedback[1]} == {"Air.a", "Air.b"}
    assert len(state["trials"]) == 4


async def test_without_a_model_the_next_round_asks_for_what_was_missing_or_failed() -> None:
    retriever = FakeRetriever(TOOLS)
    planner = FakePlanner({TOOLS[0].tool_id: refusal(TOOLS[0].tool_id, "seat_code")})
    broken = FakeExecutor({TOOLS[1].tool_id: failed("auth")})
    rewriter = FeedbackRewriter(Catalog.from_tools(TOOLS))
    parts = fake_parts(
        TOOLS, retriever=retriever, planner=planner, executor=broken, rewriter=rewriter
    )
    state = await run(parts, depth=2, rounds=2)

    asked = [[each.text for each in call.arguments["queries"]] for call in retriever.calls]
    assert asked[0] == ["Find me a flight."]
    assert asked[1][:2] == ["Find me a flight.", "seat code"]
    assert len(asked[1]) == 3
    assert [offered.tool_id for offered in selection_of(state).tools][:2] == ["Air.c", "Air.d"]


async def test_usage_is_kept_by_step() -> None:
    state = await run(fake_parts(TOOLS[:1]))
    assert sorted(state["usage"]) == [
        "execute:Air.a:1",
        "plan:Air.a:1",
        "rerank:1",
        "retrieve:1",
    ]
    assert state["usage"]["execute:Air.a:1"]["tool_calls"] == 1


async def test_state_is_plain_json_and_survives_a_checkpoint(
    caplog: pytest.LogCaptureFixture,
) -> None:
    graph = build_graph(fake_parts(TOOLS))
    graph.checkpointer = InMemorySaver()
    config = {"configurable": {"thread_id": "t"}}
    state = await graph.ainvoke({"request": "Find me a flight."}, config)
    assert json.loads(json.dumps(state)) == state
    stored = (await graph.aget_state(config)).values
    assert stored["selection"] == state["selection"]
    assert "unregistered" not in caplog.text


async def test_a_replayed_trial_is_not_doubled() -> None:
    graph = build_graph(fake_parts(TOOLS))
    graph.checkpointer = InMemorySaver()
    config = {"configurable": {"thread_id": "t"}}
    state = await graph.ainvoke({"request": "Find me a flight."}, config)
    fork = await graph.aupdate_state(config, {"trials": state["trials"]}, as_node="trial")
    again = await graph.ainvoke(None, fork)
    assert again["trials"] == state["trials"]
    assert again["ranking"] == state["ranking"]


@pytest.mark.parametrize("request_text", ["", "  \n", "x" * 200_001])
async def test_an_unusable_request_is_one_clear_error(request_text: str) -> None:
    with pytest.raises(InputError, match=r"^request: "):
        await run(fake_parts(TOOLS), request_text)


@pytest.mark.parametrize("request_text", ["帮我找航班", "x" * 100_000, "\ud800 flight"])
async def test_unusual_requests_end_in_a_selection(request_text: str) -> None:
    assert selection_of(await run(fake_parts(TOOLS), request_text)).tools


async def test_a_conversation_in_the_place_of_the_request_is_said_to_be_one() -> None:
    turns = [{"role": "user", "content": "Find me a flight."}]
    with pytest.raises(InputError, match="is not text.*`messages`"):
        await build_graph(fake_parts(TOOLS)).ainvoke({"request": turns})


async def test_a_malformed_message_is_one_clear_error() -> None:
    graph = build_graph(fake_parts(TOOLS))
    with pytest.raises(InputError, match=r"^messages: "):
        await graph.ainvoke({"request": "x", "messages": [{"role": "king", "content": "x"}]})


@pytest.mark.parametrize("facts", [[1], {"city": object()}, {"city": [float("nan")]}])
async def test_a_malformed_context_is_one_clear_error(facts: object) -> None:
    graph = build_graph(fake_parts(TOOLS))
    with pytest.raises(InputError, match=r"^context: "):
        await graph.ainvoke({"request": "x", "context": facts})


async def test_latency_and_success_of_an_outcome_reach_the_selection() -> None:
    executor = FakeExecutor({"Air.a": succeeded(latency_ms=42.0)})
    selection = selection_of(await run(fake_parts(TOOLS[:1], executor=executor)))
    assert selection.tools[0].trial.outcome.latency_ms == 42.0


async def test_a_run_over_midnight_counts_from_one_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock is read once, by whichever node is first, also where a rewriter stands before."""
    days = iter(date(2026, 11, 23) + timedelta(days=passed) for passed in range(99))
    monkeypatch.setattr(Context, "day", lambda self: next(days))
    rewriter, planner, reranker = FakeRewriter(), FakePlanner(), FakeReranker()
    state = await run(fake_parts(TOOLS, rewriter=rewriter, planner=planner, reranker=reranker))

    calls = [*rewriter.calls, *planner.calls, *reranker.calls]
    asked = [call.arguments["request"] for call in calls]
    assert len(asked) > 2
    assert {request.today for request in asked} == {state["today"]} == {"2026-11-23"}


async def test_rewriting_counts_in_the_runs_time() -> None:
    parts = fake_parts(TOOLS, rewriter=FakeRewriter(delay_s=30))
    state = await run(parts, budget={"wall_s": 0.4})
    assert any("the request itself was the query" in note for note in selection_of(state).notes)
