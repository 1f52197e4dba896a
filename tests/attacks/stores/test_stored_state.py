"""What hostile answers and documents leave in stored state stays data; so does a forged store."""

import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import ormsgpack
import pytest
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.event_hooks import register_serde_event_listener
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from fakes import FakeRetriever, tool
from gretel.catalog import Catalog
from gretel.contracts.ranking import Message
from gretel.contracts.tool import HttpBinding
from gretel.graph.checkpoints import strict
from gretel.graph.selector import Selector
from gretel.sandbox.permission.policy import Policy
from hostile_server import HostileServer, answer
from lanes import every

MARK = "gretel-was-here"
COMMAND = f"touch {MARK}"
CONSTRUCTORS: list[dict[str, Any]] = [
    {"lc": 1, "type": "constructor", "id": ["os", "system"], "kwargs": {"command": COMMAND}},
    {"lc": 2, "type": "constructor", "id": ["os", "system"], "args": [COMMAND]},
    {"lc": 2, "type": "constructor", "id": ["subprocess", "getoutput"], "args": [COMMAND]},
    {"lc": 1, "type": "secret", "id": ["PATH"]},
]
SURROGATE = "half \ud800 character"
FORGED = [
    ormsgpack.Ext(0, ormsgpack.packb(("os", "system", COMMAND))),
    ormsgpack.Ext(1, ormsgpack.packb(("subprocess", "getoutput", (COMMAND,)))),
    ormsgpack.Ext(2, ormsgpack.packb(("subprocess", "getoutput", {"cmd": COMMAND}))),
    ormsgpack.Ext(3, ormsgpack.packb(("os", "system", COMMAND, "__call__"))),
    ormsgpack.Ext(4, ormsgpack.packb(("subprocess", "Popen", {"args": ["touch", MARK]}, "x"))),
    ormsgpack.Ext(5, ormsgpack.packb(("os", "system", COMMAND, "x"))),
]
"""Hand-made extensions of langgraph's serialiser, one for each way in which it builds objects."""
ROOMS = (
    "catalog", "cli", "contracts", "evaluation", "graph", "integrations", "llm", "nodes",
    "prompts", "sandbox", "src", "training",
)  # fmt: skip


@pytest.fixture(autouse=True)
def unmarked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The test's own folder, in which no command may have left its mark."""
    monkeypatch.chdir(tmp_path)
    yield
    assert not (tmp_path / MARK).exists()


@pytest.fixture(params=["memory", "sqlite"])
async def saver(
    request: pytest.FixtureRequest, tmp_path: Path
) -> AsyncIterator[BaseCheckpointSaver[Any]]:
    if request.param == "memory":
        yield InMemorySaver()
        return
    async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "state.db")) as made:
        yield made


@pytest.mark.parametrize(
    "evil", every(3, CONSTRUCTORS), ids=lambda evil: f"lc{evil['lc']}-{evil['id'][-1]}"
)
async def test_constructors_in_answers_requests_and_documents_are_data(
    saver: BaseCheckpointSaver[Any], evil: dict[str, Any]
) -> None:
    text = json.dumps(evil)
    async with HostileServer({"evil": answer(text.encode())}) as api:
        binding = HttpBinding(method="GET", path="/evil", servers=(api.url(),))
        tools = [tool("A.evil", text, binding=binding)]
        events = await events_of(
            saver, api, tools, request=text, context={"fact": evil, "lc": 1, "type": "constructor"}
        )
    assert events == []


async def test_lone_surrogates_do_not_reach_the_fallback(saver: BaseCheckpointSaver[Any]) -> None:
    """langgraph once fell back to revivable JSON where msgpack met one (CVE-2025-64439)."""
    body = json.dumps({"id": 1, "name": SURROGATE, **CONSTRUCTORS[1]}).encode()
    async with HostileServer({"evil": answer(body)}) as api:
        binding = HttpBinding(method="GET", path="/evil", servers=(api.url(),))
        tools = [tool("A.evil", "Find things.", binding=binding)]
        assert await events_of(saver, api, tools, request="Find things.") == []


@pytest.mark.parametrize(
    "said",
    [
        {"messages": [{"role": "tool", "content": SURROGATE}]},
        {"messages": [Message(role="assistant", content=SURROGATE)]},
        {"context": {"city": SURROGATE}},
        {"context": {SURROGATE: [{SURROGATE: SURROGATE}]}},
    ],
    ids=["a tool's turn", "a record", "a value", "names"],
)
async def test_half_a_character_in_a_conversation_ends_no_later_request(
    saver: BaseCheckpointSaver[Any], said: dict[str, Any]
) -> None:
    """What a server answered earlier, its caller passes on."""
    async with HostileServer() as api:
        tools = [tool("A.ok", "Find things.", server=api.url())]
        assert await events_of(saver, api, tools, request="Find things.", **said) == []


async def events_of(
    saver: BaseCheckpointSaver[Any], api: HostileServer, tools: list[Any], request: str, **run: Any
) -> list[Any]:
    """What the serialiser reports over a run, and over reading all of its state back."""
    events: list[Any] = []
    stop = register_serde_event_listener(events.append)
    selector = Selector(
        Catalog.from_tools(tools),
        retriever=FakeRetriever(tools, needs_tool=1.0),
        policy=Policy(allow_hosts=frozenset({api.host})),
        checkpointer=saver,
    )
    try:
        selection = await selector.aselect(request, **run)
        states = [saved async for saved in strict(saver).alist(None)]  # type: ignore[union-attr]
    finally:
        stop()
        await selector.aclose()
    assert selection.trials and api.requests
    assert states and all(plain(saved.checkpoint["channel_values"]) for saved in states)
    return events


def plain(value: Any) -> bool:
    """Whether `value` is made of JSON's own types; langgraph's bookkeeping is left out."""
    if isinstance(value, dict):
        inner = {k: v for k, v in value.items() if not str(k).startswith(("__", "branch:"))}
        return all(isinstance(key, str) and plain(each) for key, each in inner.items())
    if isinstance(value, list):
        return all(plain(each) for each in value)
    return value is None or isinstance(value, str | int | float | bool)


@pytest.mark.parametrize("blob", FORGED, ids=range(len(FORGED)))
def test_a_forged_blob_calls_nothing(blob: ormsgpack.Ext) -> None:
    events: list[Any] = []
    stop = register_serde_event_listener(events.append)
    try:
        guarded = strict(InMemorySaver())
        assert guarded is not None
        guarded.serde.loads_typed(("msgpack", ormsgpack.packb({"plan": blob})))
    finally:
        stop()
    assert events and all("blocked" in event["kind"] for event in events)


@pytest.mark.parametrize("kind", ["pickle", "json"])
def test_other_encodings_of_a_store_construct_nothing(kind: str) -> None:
    """A pickled blob is refused, and JSON builds no objects."""
    guarded = strict(InMemorySaver())
    assert guarded is not None
    pickled = f"cos\nsystem\n(S'{COMMAND}'\ntR.".encode()
    blob = pickled if kind == "pickle" else json.dumps(CONSTRUCTORS[1]).encode()
    try:
        got = guarded.serde.loads_typed((kind, blob))
    except (NotImplementedError, ValueError):
        return
    assert got == CONSTRUCTORS[1]


async def test_sql_in_filter_keys_is_refused_or_inert(tmp_path: Path) -> None:
    async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "state.db")) as saver:
        async with HostileServer() as api:
            tools = [tool("A.ok", "Find things.", server=api.url())]
            await events_of(saver, api, tools, request="Find things.")
        for key in ("a') OR 1=1--", "x'; DROP TABLE checkpoints;--", "source') UNION SELECT 1--"):
            try:
                found = [saved async for saved in saver.alist(None, filter={key: "loop"})]
            except ValueError:
                found = []
            assert found == []
        assert [saved async for saved in saver.alist(None)]


@pytest.mark.slow
def test_our_entry_point_reads_strictly() -> None:
    """Also where the program that starts it says nothing; what the user says is kept."""
    code = (
        "import sys; from gretel import __main__ as m; import gretel.cli.app as a;"
        "a.run = lambda: None; m.main(); assert 'langgraph.checkpoint' not in sys.modules;"
        "from langgraph.checkpoint.serde import _msgpack; print(_msgpack.STRICT_MSGPACK_ENABLED)"
    )
    env = {k: v for k, v in os.environ.items() if k != "LANGGRAPH_STRICT_MSGPACK"}
    said = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert said.stdout.strip() == "True", said.stderr


def test_studio_reads_strictly(root: Path) -> None:
    settings = json.loads((root / "langgraph.json").read_text())
    assert settings["env"]["LANGGRAPH_STRICT_MSGPACK"] == "true"


UNSAFE_READS = re.compile(
    r"\bimport (?:c?pickle|dill|joblib|shelve|marshal)\b|\bfrom (?:pickle|dill|joblib|shelve)\b"
    r"|\btorch\.load\(|allow_pickle\s*=\s*True|trust_remote_code\s*=\s*True|\byaml\.(?:unsafe_)?load\("
    r"|pickle_fallback\s*=\s*True|chromadb\.(?:Async)?HttpClient|\bHttpClient\("
    r"|weights_only\s*=\s*False"
)


@pytest.mark.slow
def test_our_rooms_read_nothing_that_runs(root: Path) -> None:
    """No pickle in any form, no remote code, Chroma in this process only."""
    found = [
        f"{path.relative_to(root)}: {match[0]}"
        for room in ROOMS
        for path in sorted((root / room).rglob("*.py"))
        for match in UNSAFE_READS.finditer(path.read_text())
    ]
    assert found == []
