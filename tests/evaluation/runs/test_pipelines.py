"""Pipelines: what each one makes of the same candidates and the same trials."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from fakes import (
    FakeExecutor,
    FakePlanner,
    FakeReranker,
    FakeRetriever,
    FakeSimulator,
    failed,
    refusal,
    succeeded,
    tool,
)
from gretel.catalog import Catalog
from gretel.contracts.budget import Usage
from gretel.contracts.errors import InputError
from gretel.contracts.ranking import Message
from gretel.contracts.tool import ToolId
from gretel.datasets.judged import JudgedRequest
from gretel.evaluation.runs.pipelines import Judgement, Pipelines, by_stage
from gretel.evaluation.runs.settings import PIPELINES, Pipeline, RunSettings, choose_pipelines
from gretel.graph.parts import Deterministic, Parts
from gretel.sandbox.approvals import Approvals
from gretel.sandbox.permission.policy import Policy
from llm_server import LlmServer, good

TOOLS = [tool(f"Kit.{name}", f"About {name}.") for name in ("a", "b", "c", "d")]
ORDER = ("Kit.a", "Kit.b", "Kit.c", "Kit.d")
OUTCOMES = {
    "Kit.a": failed("rejected_arguments", "request"),
    "Kit.b": failed("rate_limit"),
    "Kit.c": succeeded(),
}
"""a fails, b is simulated, c works, d is refused."""
TRYING: tuple[Pipeline, ...] = ("retrieval", "plain-rule", "no-simulation", "full", "oracle")


class Scripted:
    """Parts whose calls can be looked at."""

    def __init__(self, **retrieval: Any) -> None:
        self.retriever = FakeRetriever(TOOLS, **retrieval)
        self.planner = FakePlanner({"Kit.d": refusal("Kit.d", "city")})
        self.executor = FakeExecutor(OUTCOMES)
        base = Deterministic(FakePlanner(), FakeSimulator(), FakeReranker())
        catalog = Catalog.from_tools(TOOLS)
        self.parts = Parts(
            catalog=catalog,
            retriever=self.retriever,
            planner=self.planner,
            executor=self.executor,
            simulator=FakeSimulator(),
            reranker=FakeReranker(),
            deterministic=base,
            approvals=Approvals(catalog, Policy()),
        )

    async def judged(
        self, *names: Pipeline, broken: Sequence[str] = (), model: Any = None, **request: Any
    ) -> Judgement:
        settings = RunSettings(pipelines=names or TRYING, depth=4)
        pipelines = Pipelines(self.parts, settings, model=model)
        asked = JudgedRequest("q", "Find it", frozenset({ToolId("Kit.c")}), **request)
        return await pipelines.judge(asked, frozenset(map(ToolId, broken)))


async def test_every_pipeline_ranks_the_same_candidates() -> None:
    found = await Scripted().judged(broken=["Kit.a", "Kit.c"])
    assert found.rankings == {
        "retrieval": ORDER,
        "plain-rule": ORDER,
        "no-simulation": ("Kit.c", "Kit.a", "Kit.b", "Kit.d"),
        "full": ("Kit.b", "Kit.c", "Kit.a", "Kit.d"),
        "oracle": ("Kit.b", "Kit.d", "Kit.a", "Kit.c"),
    }
    assert found.reasons["full"][2:] == ("Its trial failed.", "Its trial refused.")
    assert found.reasons["no-simulation"][2] == "Its trial failed."
    assert [trial.tool_id for trial in found.trials] == list(ORDER)
    assert found.abstention is None


async def test_each_candidate_is_tried_once_for_all_pipelines() -> None:
    scripted = Scripted()
    found = await scripted.judged()
    assert len(scripted.retriever.calls) == 1
    assert [len(scripted.planner.calls), len(scripted.executor.calls)] == [4, 3]
    assert found.usage.keys() == {
        "retrieve",
        "plan",
        "execute",
        "simulate",
        "rerank",
        "plain-rule",
        "no-simulation",
    }


async def test_nothing_is_tried_where_no_pipeline_asks_for_it() -> None:
    scripted = Scripted()
    found = await scripted.judged("retrieval", "oracle", broken=["Kit.b"])
    assert found.rankings == {
        "retrieval": ORDER,
        "oracle": ("Kit.a", "Kit.c", "Kit.d", "Kit.b"),
    }
    assert scripted.planner.calls == []
    assert (found.trials, found.abstention) == ((), None)


@pytest.mark.parametrize(
    ("chances", "reason"),
    [
        ({"answerable": 0.01}, "no_tool_fits"),
        ({"needs_tool": 0.02}, "no_tool_needed"),
        ({"answerable": 0.9, "needs_tool": 0.9}, None),
    ],
)
async def test_an_abstention_is_noted_and_cuts_no_ranking(
    chances: dict[str, float], reason: str | None
) -> None:
    found = await Scripted(**chances).judged()
    assert (found.abstention.reason if found.abstention else None) == reason
    assert set(found.rankings["full"]) == set(ORDER)
    assert (found.answerable, found.needs_tool) == (
        chances.get("answerable"),
        chances.get("needs_tool"),
    )


async def test_a_request_without_usable_tools_abstains_on_the_evidence() -> None:
    scripted = Scripted()
    scripted.planner._script = {name: refusal(name, "city") for name in ORDER}
    found = await scripted.judged()
    assert found.abstention is not None
    assert found.abstention.reason == "all_refused"


async def test_no_candidates_give_empty_rankings() -> None:
    scripted = Scripted()
    scripted.retriever.tools.clear()
    found = await scripted.judged()
    assert set(found.rankings.values()) == {()}
    assert found.abstention is not None
    assert found.abstention.reason == "no_candidates"


async def test_the_request_is_given_as_the_data_has_it() -> None:
    scripted = Scripted()
    turn = Message(role="user", content="Hello")
    await scripted.judged(messages=(turn,), context={"origin": "SFO"}, today="2020-02-29")
    asked = scripted.planner.calls[0].arguments["request"]
    assert (asked.text, asked.messages) == ("Find it", (turn,))
    assert (asked.context, asked.today) == ({"origin": "SFO"}, "2020-02-29")
    await scripted.judged()
    assert scripted.planner.calls[-1].arguments["request"].today == RunSettings(pipelines=()).today


async def test_a_model_orders_by_documents_alone(llm: LlmServer) -> None:
    order = [["Kit", name] for name in ("d", "c", "b")]
    llm.script("rerank", good({"ranking": order}))
    scripted = Scripted()
    names: tuple[Pipeline, ...] = ("retrieval", "llm-rerank")
    found = await scripted.judged(*names, model=llm.model())
    assert found.rankings["llm-rerank"] == ("Kit.d", "Kit.c", "Kit.b", "Kit.a")
    assert found.usage["llm-rerank"].llm_calls == 1
    assert found.notes == ("rerank: the model left out 1; they keep their order after the others",)
    assert scripted.executor.calls == []
    (call,) = llm.requests
    shown = [json.loads(line) for line in call.block("candidates").splitlines()]
    assert [line["operation"] for line in shown] == ["a", "b", "c", "d"]
    assert shown[0]["description"] == "About a."
    assert {json.dumps(line["executed"]) for line in shown} == {
        '{"status": "unavailable", "source": "none"}'
    }


async def test_a_model_that_gives_nothing_usable_leaves_the_order(llm: LlmServer) -> None:
    llm.script("rerank", good({"ranking": [["No", "such"]]}))
    found = await Scripted().judged("llm-rerank", model=llm.model())
    assert found.rankings["llm-rerank"] == ORDER
    assert "ordered by evidence alone" in found.notes[0]


@pytest.mark.parametrize(
    ("names", "model", "faults", "chosen"),
    [
        (None, False, False, ("retrieval", "plain-rule", "no-simulation", "full")),
        (None, False, True, ("retrieval", "plain-rule", "no-simulation", "full", "oracle")),
        (None, True, True, PIPELINES),
        (["full", "retrieval", "full"], False, False, ("retrieval", "full")),
        (["full"], False, True, ("full", "oracle")),
        (["oracle"], False, False, ("oracle",)),
    ],
)
def test_pipelines_are_chosen_by_name(
    names: list[str] | None, model: bool, faults: bool, chosen: tuple[str, ...]
) -> None:
    assert choose_pipelines(names, model=model, faults=faults) == chosen


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["full", "best"], "'best' is unknown. Use retrieval, llm-rerank"),
        ([], "names no pipeline"),
        (["llm-rerank"], "llm-rerank needs a model. Name one with --model"),
    ],
)
def test_pipelines_that_cannot_run_are_refused(names: list[str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        choose_pipelines(names, model=False, faults=True)


def test_usage_is_summed_by_stage_and_time_is_the_slowest() -> None:
    one = Usage(llm_calls=1, prompt_tokens=5, money_usd=0.25, ms=100)
    two = Usage(llm_calls=1, completion_tokens=7, money_usd=0.5, ms=300)
    steps = {"plan:a:1": one, "plan:b:1": two, "rerank:1": Usage(ms=2)}
    assert by_stage({name: usage.model_dump() for name, usage in steps.items()}) == {
        "plan": Usage(llm_calls=2, prompt_tokens=5, completion_tokens=7, money_usd=0.75, ms=300),
        "rerank": Usage(money_usd=0, ms=2),
    }
