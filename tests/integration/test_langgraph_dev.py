"""A real `langgraph dev` server, started as a user would, and asked through its SDK."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

pytestmark = pytest.mark.slow

START_S = 120
REQUEST = "Find me a one-way flight from San Francisco to New York for next Tuesday."


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def server(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """URL of a server whose environment sets nothing."""
    with _serving(root, tmp_path_factory.mktemp("dev") / "log") as url:
        yield url


@contextmanager
def _serving(root: Path, log: Path, **settings: str) -> Iterator[str]:
    """URL of a server whose environment sets nothing but `settings`."""
    port = _free_port()
    plain = {k: v for k, v in os.environ.items() if not k.startswith(("GRETEL_", "OPENAI_"))}
    command = [Path(sys.executable).parent / "langgraph", "dev", "--no-browser", "--no-reload"]
    with log.open("wb") as out:
        process = subprocess.Popen(
            [*command, "--port", str(port)],
            cwd=root,
            env={**plain, **settings, "LANGGRAPH_CLI_NO_ANALYTICS": "1"},
            stdout=out,
            stderr=out,
            start_new_session=True,
        )
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_until_up(url, process, log)
        yield url
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(30)


def _wait_until_up(url: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    end = time.monotonic() + START_S
    while time.monotonic() < end:
        if process.poll() is not None:
            pytest.fail(f"langgraph dev ended:\n{log.read_text()[-3000:]}")
        try:
            if httpx.get(f"{url}/ok", timeout=5, trust_env=False).is_success:
                return
        except httpx.TransportError:
            time.sleep(0.3)
    pytest.fail(f"langgraph dev did not come up:\n{log.read_text()[-3000:]}")


@pytest.fixture
async def client(server: str) -> AsyncIterator[LangGraphClient]:
    client = get_client(url=server)
    yield client
    await client.aclose()


async def test_a_run_ends_in_a_selection_with_no_api_server_up(client: LangGraphClient) -> None:
    state = await client.runs.wait(
        None, "gretel", input={"request": REQUEST}, context={"today": "2026-11-20"}
    )
    assert "__error__" not in state, state
    trials = {trial["tool_id"]: trial for trial in state["trials"]}
    assert trials
    assert all(trial["executed"]["source"] == "none" for trial in trials.values())
    selection = state["selection"]
    assert selection["tools"] or selection["abstention"]["reason"]
    assert all(tool["reason"] for tool in selection["tools"])


async def test_an_empty_request_is_told_to_the_client(client: LangGraphClient) -> None:
    state = await client.runs.wait(None, "gretel", input={"request": " "}, raise_error=False)
    assert "request: is empty" in str(state)


async def test_a_bad_context_value_is_told_to_the_client(client: LangGraphClient) -> None:
    state = await client.runs.wait(
        None, "gretel", input={"request": REQUEST}, context={"depth": 0}, raise_error=False
    )
    assert "greater than or equal to 1" in str(state)


async def test_studio_sees_prompts_trials_and_the_inner_graph(client: LangGraphClient) -> None:
    [assistant] = await client.assistants.search(graph_id="gretel")
    schemas = await client.assistants.get_schemas(assistant["assistant_id"])
    properties = schemas["context_schema"]["properties"]
    assert properties["prompt_plan"]["langgraph_type"] == "prompt"
    assert {"k", "depth", "rounds", "budget"} <= properties.keys()
    assert set(schemas["input_schema"]["required"]) == {"request"}
    graph = await client.assistants.get_graph(assistant["assistant_id"], xray=True)
    assert {"trial:plan", "trial:execute", "trial:simulate", "trial:record"} <= {
        node["id"] for node in graph["nodes"]
    }


async def test_the_agent_is_a_second_graph(client: LangGraphClient) -> None:
    """No server is up: it ends with what to allow, and nothing was sent."""
    [assistant] = await client.assistants.search(graph_id="agent")
    schemas = await client.assistants.get_schemas(assistant["assistant_id"])
    properties = schemas["context_schema"]["properties"]
    assert properties["prompt_act"]["langgraph_type"] == "prompt"
    assert {"steps", "approve", "budget"} <= properties.keys()
    assert set(schemas["input_schema"]["required"]) == {"request"}
    graph = await client.assistants.get_graph(assistant["assistant_id"])
    nodes = {"offer", "think", "act", "document", "argue", "approve", "execute", "observe"}
    assert nodes <= {node["id"] for node in graph["nodes"]}
    patient = {"today": "2026-11-20", "steps": 2, "budget": {"wall_s": 600}}
    state = await client.runs.wait(None, "agent", input={"request": REQUEST}, context=patient)
    assert "__error__" not in state, state
    assert state["result"]["gave_up"] and state["result"]["hosts"]
    assert [step["number"] for step in state["steps"]] == [1, 2]
    assert all(step["outcome"]["source"] == "none" for step in state["steps"])


async def test_a_forked_run_doubles_no_trial(client: LangGraphClient) -> None:
    thread = await client.threads.create()
    thread_id = thread["thread_id"]
    first = await client.runs.wait(thread_id, "gretel", input={"request": REQUEST})
    history = await client.threads.get_history(thread_id, limit=20)
    fork = next(point for point in history if point["next"] and "rerank" in point["next"])
    again = await client.runs.wait(thread_id, "gretel", input=None, checkpoint=fork["checkpoint"])
    assert [t["tool_id"] for t in again["trials"]] == [t["tool_id"] for t in first["trials"]]


async def test_each_step_of_a_trial_shows_its_result(client: LangGraphClient) -> None:
    shown: dict[str, set[str]] = {}
    async for part in client.runs.stream(
        None,
        "gretel",
        input={"request": REQUEST},
        context={"today": "2026-11-20", "depth": 3},
        stream_mode="updates",
        stream_subgraphs=True,
    ):
        if part.event.startswith("updates"):
            for node, written in part.data.items():
                shown.setdefault(node, set()).update(written)
    results = {"plan": "plan", "execute": "executed", "simulate": "simulated", "record": "trials"}
    assert all(result in shown[node] for node, result in results.items())


async def test_a_request_edited_while_a_person_is_asked_is_planned_anew(
    root: Path, tmp_path: Path
) -> None:
    """As in Studio: the run waits, the request of the trial is edited, the answer is given."""
    with _serving(root, tmp_path / "log", GRETEL_BASE_URL="http://127.0.0.1:9") as url:
        client = get_client(url=url)
        await _edit_while_asked(client)
        await client.aclose()


async def _edit_while_asked(client: LangGraphClient) -> None:
    thread_id = (await client.threads.create())["thread_id"]
    run: Any = {"assistant_id": "gretel", "context": {"approve": "ask", "depth": 1}}
    order = "Order 3 of the product with the sku 'SKU-1' for the address Fjord Lane 12."
    await client.runs.wait(thread_id, **run, input={"request": order})
    waiting = await client.threads.get_state(thread_id, subgraphs=True)
    trial: Any = waiting["tasks"][0]["state"]
    assert waiting["tasks"][0]["interrupts"], "this example needs a tool that writes"
    edited = {**trial["values"]["request"], "text": order.replace("SKU-1", "SKU-2")}
    await client.threads.update_state(
        thread_id, {"request": edited}, checkpoint=trial["checkpoint"]
    )
    await client.runs.wait(thread_id, **run, command={"resume": True})
    again = await client.threads.get_state(thread_id, subgraphs=True)
    (asked,) = again["tasks"][0]["interrupts"]
    assert "SKU-2" in str(asked["value"]["arguments"])
