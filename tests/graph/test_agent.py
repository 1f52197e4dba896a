"""The agent's graph: which state follows which, and how a run ends."""

import json
import time
from typing import Any

import pytest
from agent_runs import THREAD, agent_of, result_of, served, taken
from langgraph.checkpoint.memory import InMemorySaver

from fakes import (
    FakeAgent,
    FakeExecutor,
    FakePlanner,
    FakeRetriever,
    failed,
    failure,
    param,
    plan,
    succeeded,
    tool,
)
from gretel.catalog import Catalog
from gretel.contracts.agent import Ending
from gretel.contracts.budget import Budget
from gretel.contracts.errors import (
    ConfigurationError,
    InputError,
    ModelReplyError,
    SandboxUnavailable,
)
from gretel.contracts.trial import CallPlan, Outcome
from gretel.nodes.agent.state import AgentContext

AIR, SEA, RAIL = tool("Air.a", params=["code"]), tool("Sea.b"), tool("Rail.c")
TOOLS = [AIR, RAIL, SEA]


async def test_without_a_model_the_first_tool_that_answers_is_the_answer() -> None:
    result = await served(agent_of(TOOLS), facts={"code": "t"})
    assert taken(result) == ["Air.a"]
    assert (result.gave_up, result.reason) == (False, "finished")
    assert result.answer == 'Air.a answered: {"ok": true}'


async def test_an_answer_does_not_hide_what_was_not_called() -> None:
    held = Outcome(status="unavailable", source="none", failure=failure("unsafe_method", "ours"))
    executor = FakeExecutor({"Air.a": held})
    result = await served(agent_of(TOOLS, executor=executor), facts={"code": "t"})
    assert taken(result) == ["Air.a", "Rail.c"]
    first, second = result.answer.split("\n")
    assert first == f"Air.a: It was not called: {failure('unsafe_method').detail}"
    assert second.startswith("Rail.c answered:")


async def test_a_tool_that_lacked_a_value_is_tried_again_behind_an_answer() -> None:
    """Its planner finds the value in what the other tool answered."""
    from gretel.nodes.plan.deterministic import DeterministicPlanner

    keyed = tool("Bank.pay", "Pay.", params=["account_token"])
    login = tool("Bank.login", "Sign in.")
    executor = FakeExecutor({"Bank.login": succeeded('{"account_token": "k-81"}')})
    graph = agent_of(
        [keyed, login],
        executor=executor,
        retriever=FakeRetriever([keyed, login], {"Pay.": ["Bank.pay", "Bank.login"]}),
        deterministic=_rules(DeterministicPlanner()),
    )
    result = await served(graph, "Pay.")
    assert taken(result) == ["Bank.pay", "Bank.login", "Bank.pay"]
    last = result.steps[-1].plan
    assert isinstance(last, CallPlan) and last.values() == {"account_token": "k-81"}
    assert last.arguments["account_token"].source == "answer"
    assert "account_token" not in last.said, "nobody asked for it"


def _rules(planner: Any) -> Any:
    from fakes import FakeReranker, FakeSimulator
    from gretel.graph.parts import Deterministic

    return Deterministic(planner=planner, simulator=FakeSimulator(), reranker=FakeReranker())


async def test_a_run_that_cannot_says_what_each_call_lacked() -> None:
    executor = FakeExecutor({"Sea.b": failed("server_error"), "Rail.c": failed("drift")})
    result = await served(agent_of(TOOLS, executor=executor))
    assert result.gave_up and result.reason == "nothing_left"
    assert [field.name for field in result.missing] == ["code"]
    assert all(name in result.answer for name in ("Air.a", "Sea.b", "Rail.c"))


async def test_a_model_chooses_argues_and_answers() -> None:
    model = FakeAgent(["Rail.c", "Sea.b"], ending=Ending(answer="By rail, then by sea."))
    result = await served(agent_of(TOOLS, model))
    assert (taken(result), result.answer) == (["Rail.c", "Sea.b"], "By rail, then by sea.")
    assert [call.method for call in model.calls] == [
        *("think", "act", "argue") * 2,
        *("think", "act", "finish"),
    ]
    assert result.steps[0].thought == "Let me see."


async def test_what_a_model_was_told_grows_by_each_step() -> None:
    model = FakeAgent(["Rail.c", "Sea.b"])
    await served(agent_of(TOOLS, model))
    seen = [len(call.arguments["progress"].steps) for call in model.calls if call.method == "act"]
    assert seen == [0, 1, 2]


@pytest.mark.parametrize("said", ["Nobody.knows", "", "Find me a flight.", "Sea.b\n"])
async def test_what_is_not_offered_is_never_called(said: str) -> None:
    result = await served(agent_of([SEA], FakeAgent([said])))
    assert set(taken(result)) <= {"Sea.b"}
    assert any("not offered" in note for note in result.notes)


async def test_the_same_call_is_not_sent_twice() -> None:
    executor = FakeExecutor()
    graph = agent_of(TOOLS, FakeAgent(["Sea.b", "Sea.b", "Rail.c"]), executor=executor)
    result = await served(graph)
    assert [step.repeated for step in result.steps] == [False, True, False]
    assert [call.arguments["plan"].tool_id for call in executor.calls] == ["Sea.b", "Rail.c"]
    assert "made before" in result.steps[1].observation


async def test_a_model_that_never_ends_is_ended() -> None:
    """Each of its tools takes the same call: what brought nothing is closed."""
    executor = FakeExecutor()
    model = FakeAgent(["Sea.b", "Rail.c"], forever=True)
    result = await served(agent_of(TOOLS, model, executor=executor), steps=32)
    assert len(executor.calls) == 2
    assert len(result.steps) <= 6
    assert not result.gave_up, "two tools have answered"


async def test_a_run_has_no_more_steps_than_it_may() -> None:
    calls = {f"Sea.{n}": plan(f"Sea.{n}") for n in range(9)}
    tools = [tool(name) for name in calls]
    model = FakeAgent([*calls], ending=ModelReplyError("no"))
    result = await served(agent_of(tools, model), steps=3)
    assert (len(result.steps), result.reason) == (3, "steps_spent")
    assert result.answer.startswith("Sea.0 answered")


@pytest.mark.slow
async def test_a_run_ends_with_its_time() -> None:
    model = FakeAgent(["Sea.b", "Rail.c"], delay_s=0.3)
    result = await served(agent_of(TOOLS, model), budget={"wall_s": 0.4})
    assert result.reason == "budget_spent"
    assert len(result.steps) < 2


async def test_calls_are_counted_against_the_budget() -> None:
    executor = FakeExecutor()
    graph = agent_of(TOOLS, FakeAgent(["Sea.b", "Rail.c"]), executor=executor)
    result = await served(graph, budget={"calls": 1})
    assert len(executor.calls) == 1
    assert result.steps[1].outcome.failure.kind == "budget_spent"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "script",
    [
        {"thought": ModelReplyError("no thought")},
        {"acts": [ModelReplyError("no choice")]},
        {"arguments": {"Sea.b": ModelReplyError("no JSON")}},
        {"ending": ModelReplyError("no answer")},
    ],
    ids=["thought", "choice", "arguments", "answer"],
)
async def test_where_a_model_fails_the_rules_stand_in_and_say_so(script: dict[str, Any]) -> None:
    graph = agent_of([SEA], FakeAgent(**{"acts": ["Sea.b"], **script}))
    result = await served(graph)
    assert taken(result) == ["Sea.b"] and not result.gave_up
    assert any("by rule" in note for note in result.notes)


async def test_parts_are_opened_before_the_clock_of_a_run_starts() -> None:
    opened: list[float] = []

    async def prepare() -> None:
        opened.append(time.time())

    state = await agent_of([SEA], prepare=prepare).ainvoke({"request": "Find me a ferry."})
    assert state["deadline"] >= opened[0] + (Budget().wall_s or 0)


@pytest.mark.slow
async def test_a_slow_model_costs_its_step_and_no_more() -> None:
    model = FakeAgent(["Sea.b"], delay_s=5)
    result = await served(agent_of([SEA], model), budget={"trial_s": 0.1})
    assert taken(result) == ["Sea.b"]
    assert any("no reply within" in note for note in result.notes)


async def test_a_broken_sandbox_is_told_and_is_no_answer() -> None:
    executor = FakeExecutor({"Sea.b": SandboxUnavailable("no room")})
    result = await served(agent_of([SEA], executor=executor))
    assert result.gave_up and "no room" in result.answer
    assert any("the sandbox broke" in note for note in result.notes)


async def test_a_model_cannot_say_that_it_was_done_where_no_tool_answered() -> None:
    executor = FakeExecutor({"Sea.b": failed("server_error")})
    result = await served(agent_of([SEA], FakeAgent(["Sea.b"]), executor=executor))
    assert result.gave_up


async def test_a_model_may_answer_without_a_tool() -> None:
    result = await served(agent_of([SEA], FakeAgent(ending=Ending(answer="It is noon."))))
    assert (result.answer, result.gave_up, result.steps) == ("It is noon.", False, ())


@pytest.mark.parametrize(("needs", "reason"), [(0.0, "no_tool_needed"), (None, "no_candidates")])
@pytest.mark.parametrize("offered", ["candidates", "selection"])
async def test_where_nothing_is_offered_nothing_is_called(
    needs: float | None, reason: str, offered: str
) -> None:
    tools = [] if needs is None else TOOLS
    retriever = FakeRetriever(tools, needs_tool=needs)
    executor = FakeExecutor()
    graph = agent_of(tools, offered=offered, retriever=retriever, executor=executor)
    result = await served(graph)
    assert (result.reason, result.gave_up, executor.calls) == (reason, True, [])


async def test_what_a_selection_offers_is_called_in_its_order() -> None:
    executor = FakeExecutor({"Air.a": failed("server_error")})
    graph = agent_of(TOOLS, offered="selection", executor=executor)
    result = await served(graph, facts={"code": "t"}, simulate=False)
    assert taken(result) == ["Rail.c"], "its trial answered, that of the first did not"
    assert len(executor.calls) == len(TOOLS) + 1


async def test_all_tools_are_offered_to_a_model_alone() -> None:
    with pytest.raises(ConfigurationError, match="offered"):
        agent_of(TOOLS, offered="all")
    with pytest.raises(ConfigurationError, match="unknown"):
        agent_of(TOOLS, offered="some")
    model = FakeAgent(["Rail.c"])
    assert taken(await served(agent_of(TOOLS, model, offered="all"))) == ["Rail.c"]
    assert model.calls[1].arguments["tools"] == sorted(each.tool_id for each in TOOLS)


async def test_a_tool_that_says_something_else_by_now_is_not_called() -> None:
    """As it was offered, so it is called."""

    class Changing(FakeAgent):
        async def think(self, progress: Any) -> str:
            catalog.add([SEA.model_copy(update={"description": "Now it deletes."})], replace=True)
            return await super().think(progress)

    catalog, executor = Catalog.from_tools([SEA]), FakeExecutor()
    graph = agent_of([SEA], Changing(["Sea.b"]), executor=executor, offered="selection")
    parts_catalog = _catalog_of(graph)
    catalog = parts_catalog
    result = await served(graph)
    assert [call.arguments["plan"].tool_id for call in executor.calls] == ["Sea.b"], "its trial"
    assert result.steps[0].outcome.failure.kind == "drift"  # type: ignore[union-attr]


def _catalog_of(graph: Any) -> Catalog:
    """The catalogue that a graph of fakes was built over."""
    (node,) = (cell.cell_contents for cell in graph.nodes["document"].bound.afunc.__closure__)
    found = next(c.cell_contents for c in node.__closure__ if _is_catalog(c.cell_contents))
    assert isinstance(found, Catalog)
    return found


def _is_catalog(value: object) -> bool:
    return isinstance(value, Catalog)


async def test_the_state_is_plain_json() -> None:
    graph = agent_of(TOOLS, offered="selection")
    state = await graph.ainvoke({"request": "Find me a flight."}, context=AgentContext())
    assert json.loads(json.dumps(state)) == state


async def test_a_second_request_on_a_thread_starts_clean() -> None:
    model = FakeAgent(["Sea.b", "Rail.c"])
    graph = agent_of(TOOLS, model, checkpointer=InMemorySaver())
    await graph.ainvoke({"request": "A boat."}, THREAD, context=AgentContext(steps=1))
    again = await graph.ainvoke({"request": "A train."}, THREAD, context=AgentContext(steps=1))
    result = result_of(again)
    assert taken(result) == ["Rail.c"] and result.steps[0].number == 1
    assert {key.partition(":")[2] for key in again["usage"] if key.startswith("act")} == {"1"}


@pytest.mark.parametrize("request_text", ["", "  ", 3])
async def test_an_unusable_request_is_an_input_error(request_text: Any) -> None:
    with pytest.raises(InputError, match=r"^request: "):
        await served(agent_of(TOOLS), request_text)


async def test_each_steps_update_shows_what_it_did() -> None:
    told: dict[str, set[str]] = {}
    stream = agent_of([SEA]).astream(
        {"request": "A boat."}, context=AgentContext(), stream_mode="updates"
    )
    async for update in stream:
        for node, written in update.items():
            told.setdefault(node, set()).update(written)
    shown = {"think": "thought", "act": "candidate", "document": "documentation", "argue": "plan"}
    results = {"execute": "executed", "observe": "steps", "finish": "result"}
    for node, key in {**shown, **results}.items():
        assert key in told[node]


async def test_facts_are_marked_as_in_trials() -> None:
    executor = FakeExecutor()
    graph = agent_of([AIR], executor=executor, planner=FakePlanner())
    await served(graph, facts={"code": "t-81"})
    assert executor.calls[0].arguments["plan"].facts == ("code",)


async def test_a_value_that_one_server_told_is_a_fact_for_others() -> None:
    told = succeeded('{"code": "zx-81"}').model_copy(update={"host": "https://one.example"})
    executor = FakeExecutor({"Sea.b": told})
    spoken = plan("Air.a", code="zx-81")
    argument = spoken.arguments["code"].model_copy(update={"source": "message"})
    model = FakeAgent(
        ["Sea.b", "Air.a"],
        arguments={"Air.a": spoken.model_copy(update={"arguments": {"code": argument}})},
    )
    await served(agent_of([AIR, SEA], model, executor=executor))
    sent = executor.calls[1].arguments["plan"]
    assert (sent.arguments["code"].source, sent.facts) == ("answer", ("code",))


async def test_an_answer_without_content_is_no_answer() -> None:
    empty = Outcome(status="empty", source="executed", http_status=200)
    result = await served(agent_of([SEA], executor=FakeExecutor({"Sea.b": empty})))
    assert result.gave_up


async def test_parameters_that_are_optional_need_no_value() -> None:
    loose = tool("Sea.d", params=[param("to")])
    assert not (await served(agent_of([loose]))).gave_up
