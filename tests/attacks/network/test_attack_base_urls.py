"""What the user opened for one document by its base URL, where another document names it too."""

from pathlib import Path
from typing import Any

import pytest
from arena import BUDGET, Arena, LyingNames
from strangers import EVIL, SKY, document, operation

from fakes import plan, tool
from gretel.catalog import Catalog
from gretel.contracts.tool import HttpBinding
from gretel.graph.settings import Settings, make_policy
from gretel.sandbox.http.executor import HttpExecutor
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.secrets.credentials import no_credentials

INNER = "tools.example.com"
"""A name of the user's that leads to a private network."""
HERE = f"http://{INNER}:8080"
THERE = "10.0.0.5"


def described(title: str, server: str, name: str, **fields: Any) -> Catalog:
    return Catalog.from_openapi(
        document(title, server, {f"GET /{name}": operation(name)}), **fields
    )


async def dialled(arena: Arena, catalog: Catalog, *tools: str, hosts: list[str]) -> str:
    """What came of the last of `tools`, which were called in turn."""
    policy = make_policy(catalog, hosts, None, Settings())
    names = LyingNames({INNER: [[THERE]]})
    runner = HttpExecutor(catalog, policy, credentials=no_credentials, resolver=names)
    arena.executors.append(runner)
    for each in tools:
        outcome = await runner.execute(plan(each), budget=BUDGET)
    assert outcome.failure is not None
    return outcome.failure.kind


@pytest.mark.parametrize("hosts", [["declared"], [INNER], [f"{INNER}:8080"]], ids=str)
@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_its_inner_address_is_open_to_its_own_document_alone(
    arena: Arena, hosts: list[str], scheme: str
) -> None:
    own = described("Sky", SKY, "list", base_url=HERE)
    catalog = own + described("Evil", HERE.replace("http", scheme), "peek")
    assert await dialled(arena, catalog, "Evil.peek", hosts=hosts) == "host_not_allowed"
    assert arena.dialled == []
    assert await dialled(arena, catalog, "Sky.list", hosts=hosts) == "connection"
    assert arena.dialled == [(THERE, 8080)]


async def test_no_connection_to_it_is_shared(arena: Arena) -> None:
    """One that its own document opened is kept for the next call, and resolved no more."""
    here = f"http://{INNER}:{arena.api.port}"
    own = described("Sky", SKY, "list", base_url=here)
    catalog = own + described("Evil", here, "peek")
    policy = make_policy(catalog, [f"{INNER}:{arena.api.port}"], None, Settings())
    names = LyingNames({INNER: [["127.0.0.1"]]})
    runner = HttpExecutor(catalog, policy, credentials=no_credentials, resolver=names)
    arena.executors.append(runner)
    await runner.execute(plan("Sky.list"), budget=BUDGET)
    assert len(arena.api.requests) == 1
    outcome = await runner.execute(plan("Evil.peek"), budget=BUDGET)
    assert len(arena.api.requests) == 1
    assert outcome.failure is not None and outcome.failure.kind == "host_not_allowed"


@pytest.mark.parametrize(
    ("place", "name"),
    [("tools/{tool_id}", ".."), ("tools/{tool_id}", "."), ("tools/.{tool_id}", ".")],
)
async def test_an_id_stays_in_its_place_of_a_base_url(
    arena: Arena, tmp_path: Path, place: str, name: str
) -> None:
    """A record of a list says its own id, and would call `/admin/keys`."""
    binding = HttpBinding(method="GET", path="/admin/keys", servers=(EVIL,))
    record = tool("Evil.peek", binding=binding).model_copy(update={"tool_id": name})
    (tmp_path / "rows.jsonl").write_text(record.model_dump_json())
    catalog = Catalog.from_jsonl(tmp_path / "rows.jsonl")
    policy = Policy(base_url=f"{arena.api.url()}/{place}").bound(catalog)
    runner = HttpExecutor(catalog, policy, credentials=no_credentials)
    arena.executors.append(runner)
    arena.assert_kept_in(await runner.execute(plan(name), budget=BUDGET))
    assert policy.server(tool("Good.find")).path.endswith("Good.find")


async def test_public_servers_stay_open_to_every_document(arena: Arena) -> None:
    public = "https://api.example.com"
    catalog = described("Sky", SKY, "list", base_url=public)
    catalog += described("Other", public, "show")
    policy = make_policy(catalog, ["declared"], None, Settings())
    names = LyingNames({"api.example.com": [["93.184.216.34"]]})
    runner = HttpExecutor(catalog, policy, credentials=no_credentials, resolver=names)
    arena.executors.append(runner)
    for name in ("Sky.list", "Other.show"):
        await runner.execute(plan(name), budget=BUDGET)
    assert arena.dialled == [("93.184.216.34", 443)] * 2
