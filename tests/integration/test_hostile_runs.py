"""One whole run for each hostile part: it ends in a selection or abstention with a reason, or in
one clear error; never in a traceback of ours."""

from itertools import product
from typing import Any

import pytest

from fakes import FakeRetriever, tool
from gretel.catalog import Catalog
from gretel.contracts.errors import ConfigurationError
from gretel.contracts.tool import Tool
from gretel.contracts.trial import SIMULATED_FAILURES
from gretel.graph.selector import BoundSelection, Selector
from gretel.llm.model import ModelLimits
from gretel.sandbox.permission.policy import Policy
from hostile_server import HostileServer
from lanes import every
from llm_server import (
    DROP,
    HANG,
    LlmServer,
    Reply,
    fenced,
    good,
    refusal,
    shown_order,
    status,
    text,
)

REQUEST = "Find me a one-way flight to Oslo."
BRIEF = ModelLimits(request_s=0.3, total_s=0.8, attempts=2, wait_s=0.01, wait_max_s=0.05)


def tools_at(api: HostileServer, *behaviours: str) -> list[Tool]:
    return [tool(f"Air.{name}", "Search flights.", server=api.url("")) for name in behaviours]


async def selected(
    tools: list[Tool], api: HostileServer | None = None, request: str = REQUEST, **parts: Any
) -> BoundSelection:
    hosts = frozenset({api.host}) if api else frozenset()
    selector = Selector(
        Catalog.from_tools(tools),
        retriever=FakeRetriever(tools, needs_tool=1.0),
        policy=Policy(allow_hosts=hosts),
        calibration="all",
        **parts,
    )
    try:
        return await selector.aselect(request, budget={"call_s": 0.5, "bytes_wire": 100_000})
    finally:
        await selector.aclose()


def assert_explained(selection: BoundSelection) -> None:
    if selection.abstention is not None:
        assert selection.abstention.detail
    else:
        assert selection.tools
    if selection.ranking is not None:
        assert all(ranked.reason for ranked in selection.ranking.tools)
        assert len(selection.ranking.tools) == len(selection.trials)


UNKNOWN = good({"ranking": [["Nobody", "nothing"], ["Air", "echo"], ["Air", "echo"]]})
BAD_REPLIES = {
    "not JSON": text("I would rather sing."),
    "fenced": fenced({"ranking": [["Air", "echo"]]}),
    "unknown tools": UNKNOWN,
    "omitted tools": good({"ranking": []}),
    "wrong shape": good({"ranking": "Air.ok"}),
    "list": good([1, 2]),
    "refusal": refusal(),
    "empty": text(""),
    "huge": text("x" * 2_000_000),
    "surrogate": text('{"ranking": [["\\ud800", "x"]]}'),
    "nested": text("[" * 100_000),
}


@pytest.mark.parametrize(
    ("step", "reply"),
    every(
        4,
        [
            *(("rerank", each) for each in BAD_REPLIES),
            *product(("rewrite", "plan"), ("not JSON", "list")),
        ],
    ),
)
async def test_bad_replies_of_the_model(
    llm: LlmServer, api: HostileServer, step: str, reply: str
) -> None:
    llm.script(step, BAD_REPLIES[reply])
    selection = await selected(tools_at(api, "ok", "echo"), api, model=llm.model())
    assert_explained(selection)
    assert not selection.abstained


async def test_unknown_tools_are_reported_and_omitted_ones_kept(
    llm: LlmServer, api: HostileServer
) -> None:
    llm.script("rerank", UNKNOWN)
    selection = await selected(tools_at(api, "ok", "echo"), api, model=llm.model())
    assert [offered.tool_id for offered in selection.tools] == ["Air.echo", "Air.ok"]
    assert any("Nobody" in note for note in selection.notes)


@pytest.mark.parametrize(
    "reply", every(4, [HANG, DROP, status(500), status(429)]), ids=["hangs", "drops", "500", "429"]
)
async def test_a_model_that_does_not_answer_at_first_costs_that_step_alone(
    llm: LlmServer, api: HostileServer, reply: Reply
) -> None:
    """Once it has answered, `attacks/models/test_model_replies.py` asks it in every step."""
    llm.script("rewrite", reply)
    selection = await selected(tools_at(api, "ok", "echo"), api, model=llm.model(limits=BRIEF))
    assert {offered.tool_id for offered in selection.tools} == {"Air.ok", "Air.echo"}
    assert any(note.startswith("rewrite") and "openai:test" in note for note in selection.notes)


async def test_429_and_then_success(llm: LlmServer, api: HostileServer) -> None:
    llm.script(
        "plan",
        status(429, retry_after="0"),
        good({"arguments": {}, "missing": [], "off_topic": False, "quotes": {}}),
    )
    llm.script("rerank", status(429), shown_order)
    selection = await selected(tools_at(api, "ok"), api, model=llm.model())
    assert [offered.tool_id for offered in selection.tools] == ["Air.ok"]
    assert len(llm.asked("plan")) == 2


@pytest.mark.slow
async def test_a_wrong_key_is_one_clear_error_without_the_key(api: HostileServer) -> None:
    with LlmServer(api_key="right-key") as server:
        model = server.model()
        server.api_key = "another-key"
        with pytest.raises(ConfigurationError) as caught:
            await selected(tools_at(api, "ok"), api, model=model)
    assert "right-key" not in str(caught.value)


BEHAVIOURS = (
    "endless", "slow_body", "flood", "endless_chunks", "redirect", "html", "gzip_bomb",
    "broken_gzip", "short_body", "big_header", "many_headers", "not_http", "tcp_cut", "close",
    "bad_utf8", "surrogate", "deep_json", "huge_number", "nan",
)  # fmt: skip


@pytest.mark.parametrize("behaviour", every(8, BEHAVIOURS))
async def test_a_hostile_api_beside_a_good_one(api: HostileServer, behaviour: str) -> None:
    selection = await selected(tools_at(api, behaviour, "ok"), api)
    assert_explained(selection)
    assert not selection.abstained
    trials = {trial.tool_id: trial for trial in selection.trials}
    assert trials["Air.ok"].executed.status == "succeeded"
    hostile = trials[f"Air.{behaviour}"]
    assert len(hostile.executed.excerpt.encode()) <= 2_048
    if hostile.executed.status != "succeeded":
        assert hostile.executed.failure is not None
        if hostile.executed.failure.kind not in SIMULATED_FAILURES:
            assert selection.tools[0].tool_id == "Air.ok"


@pytest.mark.parametrize("behaviour", ["redirect", "html", "flood", "tcp_cut"])
async def test_a_hostile_api_alone_abstains(api: HostileServer, behaviour: str) -> None:
    selection = await selected(tools_at(api, behaviour), api)
    assert selection.abstention is not None
    assert selection.abstention.reason == "all_failed"


async def test_a_hanging_api_alone_is_simulated(api: HostileServer) -> None:
    selection = await selected(tools_at(api, "endless"), api)
    [trial] = selection.trials
    assert trial.executed.failure is not None
    assert trial.executed.failure.kind in SIMULATED_FAILURES
    assert trial.outcome.source == "simulated"


@pytest.mark.parametrize(
    "request_text",
    ["flights " * 12_500, "帮我找一个去奥斯陆的航班", "\x00\u202e flight", "🛫" * 50],
)
async def test_unusual_requests(api: HostileServer, request_text: str) -> None:
    assert_explained(await selected(tools_at(api, "ok"), api, request_text))


@pytest.mark.slow
async def test_catalogues_of_no_and_of_one_tool_with_the_real_retriever() -> None:
    one = tool("Air.search", "Search flights to a city.")
    for tools in ([], [one]):
        selector = Selector(Catalog.from_tools(tools))
        for text_ in (REQUEST, "帮我找航班", "flights " * 12_500):
            selection = await selector.aselect(text_, abstain_below=0.0)
            assert_explained(selection)
            assert len(selection.trials) == len(tools)
        await selector.aclose()
