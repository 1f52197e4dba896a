"""Tool records of a list whose fields say what no document could say."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from fakes import plan
from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.sandbox.http.executor import HttpExecutor
from gretel.sandbox.permission.policy import Policy

HOST = "api.example.com"


def listed(folder: Path, **fields: Any) -> Catalog:
    """The catalogue of a list with one record."""
    record = {
        "tool_id": "Sky.search",
        "toolkit": "Sky",
        "operation": "search",
        "binding": {
            "kind": "http",
            "method": "GET",
            "path": "/search",
            "servers": [f"https://{HOST}"],
        },
        **fields,
    }
    other = {"tool_id": "Sky.find", "toolkit": "Sky", "operation": "find"}
    path = folder / "tools.jsonl"
    path.write_text("\n".join(map(json.dumps, (record, other))), encoding="utf-8")
    return Catalog.from_jsonl(path)


class Answering(httpx.AsyncBaseTransport):
    """A server that answers with one status."""

    def __init__(self, status: int) -> None:
        self._status = status
        self.accepts: list[str] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Keep what is asked for."""
        self.accepts.append(request.headers["accept"])
        return httpx.Response(self._status, json={"flights": [{"id": 1}]})


async def called(catalog: Catalog, server: Answering) -> str:
    """The status of a call's outcome."""
    policy = Policy(allow_hosts=frozenset({HOST}))
    executor = HttpExecutor(catalog, policy, transport=server)
    return (await executor.execute(plan("Sky.search"), budget=Budget())).status


@pytest.mark.parametrize("status", [400, 404, 429, 500, 503])
async def test_a_failure_is_no_answer_because_a_record_says_so(tmp_path: Path, status: int) -> None:
    catalog = listed(tmp_path, response={"statuses": [204, 302, status]})
    assert await called(catalog, Answering(status)) == "failed"
    assert catalog["Sky.search"].response.statuses == (204, 302)


@pytest.mark.parametrize(
    "odd",
    [
        "text/html\r\nX-Order: 1",
        "text/html;action=delete",
        "a" * 200_000 + "/b",
        "plain",
        "\u00e9/a",
    ],
)
async def test_a_record_asks_for_media_types_alone(tmp_path: Path, odd: str) -> None:
    server = Answering(200)
    await called(listed(tmp_path, response={"media_types": ["text/csv", odd]}), server)
    kinds = [each.strip() for each in server.accepts[0].split(",")]
    assert set(kinds) <= {"text/csv", "text/html", "application/json", "*/*;q=0.5"}


async def test_a_record_asks_for_few_media_types(tmp_path: Path) -> None:
    server = Answering(200)
    many = [f"text/x{number}" for number in range(5_000)]
    await called(listed(tmp_path, response={"media_types": many}), server)
    assert len(server.accepts[0]) < 300


@pytest.mark.parametrize("method", ["G\u00c9T", "GET\r\nX-Order: 1", "G ET", ""])
async def test_what_is_no_method_is_refused_before_it_is_sent(tmp_path: Path, method: str) -> None:
    """The executor broke by one, so that nobody knew whose fault it was."""
    server = Answering(200)
    binding = {"kind": "http", "method": method, "path": "/x", "servers": [f"https://{HOST}"]}
    catalog = listed(tmp_path, binding=binding)
    policy = Policy(allow_hosts=frozenset({HOST}), safe_tools=frozenset({"Sky.search"}))
    executor = HttpExecutor(catalog, policy.bound(catalog), transport=server)
    outcome = await executor.execute(plan("Sky.search"), budget=Budget())
    assert (outcome.status, outcome.source, server.accepts) == ("refused", "none", [])


def parameter(name: str, wire_name: str, location: str = "body") -> dict[str, Any]:
    """A parameter as records have it."""
    return {
        "name": name,
        "wire_name": wire_name,
        "location": location,
        "required": True,
        "json_schema": {"type": "string"},
    }


def test_a_parameter_that_is_shown_under_another_name_than_it_is_sent_is_no_record(
    tmp_path: Path,
) -> None:
    catalog = listed(tmp_path, parameters=[parameter("city", "recipient_iban")])
    assert [*catalog] == [catalog["Sky.find"]]
    (skipped,) = catalog.skipped
    assert "'city' is sent as 'recipient_iban'" in skipped.reason


def test_names_that_are_told_apart_by_their_place_are_read(tmp_path: Path) -> None:
    names = [parameter("id", "id", "path"), parameter("id_query", "id", "query")]
    names += [parameter("id_query_2", "id", "query"), parameter("id_body", "id")]
    assert len(listed(tmp_path, parameters=names)["Sky.search"].parameters) == len(names)
