"""Tools behind a StableToolBench server: one POST of `/virtual` calls them all."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

import httpx
import pytest
import respx
from sandbox_runs import MakeExecutor

from fakes import param, plan, tool
from gretel.contracts.budget import Budget
from gretel.contracts.errors import ArgumentsError
from gretel.contracts.tool import Tool, VirtualBinding
from gretel.contracts.trial import CallResult
from gretel.sandbox.http.stabletoolbench import virtual_request
from gretel.sandbox.network.origin import parse_server
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.secrets.environment import EnvironmentCredentials

BASE = "http://127.0.0.1:9000"
CANARY = "canary-5f2a91"


def news(method: str = "GET") -> Tool:
    binding = VirtualBinding(category="Data", tool_name="SEO API", api_name="News", method=method)
    return tool("seo.news", params=[param("q")], binding=binding)


async def called(
    executor: MakeExecutor,
    asked: Tool,
    policy: Policy,
    environment: Mapping[str, str] | None = None,
) -> tuple[CallResult, respx.Route]:
    """A call of `asked` for cats, and the server's side of it."""
    router = respx.MockRouter(assert_all_called=False)
    route = router.post(f"{BASE}/virtual").respond(
        json={"error": "", "response": f"{{'articles': [{{'title': 'Cats', 'by': '{CANARY}'}}]}}"}
    )
    http = executor(
        asked,
        policy=policy,
        transport=httpx.MockTransport(router.async_handler),
        credentials=EnvironmentCredentials(environment or {}),
    )
    return await http.call(plan("seo.news", q="cats"), budget=Budget()), route


async def test_a_call_is_answered(executor: MakeExecutor) -> None:
    result, route = await called(executor, news(), Policy(base_url=BASE))
    articles = [{"title": "Cats", "by": CANARY}]
    assert result.outcome.status == "succeeded"
    assert json.loads(result.outcome.excerpt) == result.body == {"articles": articles}
    sent = json.loads(route.calls[0].request.content)
    assert (sent["tool_input"], sent["toolbench_key"]) == ({"q": "cats"}, "")


async def test_the_server_s_key_goes_along_and_is_redacted(executor: MakeExecutor) -> None:
    name = "GRETEL_CREDENTIAL_127_0_0_1_9000___TOOLBENCH_KEY"
    result, route = await called(executor, news(), Policy(base_url=BASE), {name: CANARY})
    assert json.loads(route.calls[0].request.content)["toolbench_key"] == CANARY
    assert result.outcome.status == "succeeded"
    assert CANARY not in result.outcome.model_dump_json()


@pytest.mark.parametrize(
    ("policy", "method", "kind"),
    [
        (Policy(), "GET", "no_binding"),
        (Policy(base_url=BASE), "POST", "unsafe_method"),
        (Policy(base_url=BASE, unsafe_tools=frozenset({news().tool_id})), "GET", "unsafe_method"),
        (Policy(base_url="http://169.254.169.254"), "GET", "host_not_allowed"),
    ],
)
async def test_what_policy_forbids_is_not_sent(
    policy: Policy, method: str, kind: str, executor: MakeExecutor
) -> None:
    result, route = await called(executor, news(method), policy)
    failure = result.outcome.failure
    assert failure is not None and (failure.kind, failure.fault) == (kind, "ours")
    assert not route.called


async def test_without_a_server_the_remedy_is_named(executor: MakeExecutor) -> None:
    result, _ = await called(executor, news(), Policy())
    assert result.outcome.failure is not None
    assert "StableToolBench server" in result.outcome.failure.detail


@pytest.mark.parametrize("base", [BASE, f"{BASE}/virtual/"])
def test_the_request(base: str) -> None:
    request = virtual_request(news(), {"q": "cats"}, parse_server(base))
    assert (request.method, str(request.url)) == ("POST", f"{BASE}/virtual")
    assert json.loads(request.content or b"") == {
        "category": "Data",
        "tool_name": "SEO API",
        "api_name": "News",
        "tool_input": {"q": "cats"},
        "strip": "",
        "toolbench_key": "",
    }


def test_an_unknown_argument_is_refused() -> None:
    with pytest.raises(ArgumentsError, match="no such parameter"):
        virtual_request(news(), {"extra": 1}, parse_server(BASE))


OWNERS = {
    "sandbox/http/stabletoolbench.py",
    "sandbox/http/adapter.py",
    "src/gretel/catalog/formats/toolbench.py",
    "src/gretel/cli/mock.py",
    "src/gretel/contracts/tool.py",
    "src/gretel/evaluation/mock/virtual.py",
}
"""What speaks the protocol, the row that leads there, what makes its tools, and its stand-in."""


def test_only_what_speaks_the_protocol_knows_of_it(root: Path) -> None:
    modules = [
        file
        for room in ("graph", "nodes", "prompts", "sandbox", "src")
        for file in (root / room).rglob("*.py")
    ]
    named = re.compile(r"stable.?tool.?bench|\"virtual\"", re.I)
    knowing = {
        m.relative_to(root).as_posix() for m in modules if named.search(m.read_text("utf-8"))
    }

    assert knowing == OWNERS
