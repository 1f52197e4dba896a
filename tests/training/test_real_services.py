"""Collections out of what `benchmarks/real/start.py` leaves, and the requests beside it."""

import json
from pathlib import Path
from typing import Any

import pytest

from gretel.training.data import real
from gretel.training.data.judged import Collection
from gretel.training.data.real import real_collections
from unencoded import Unencoded


def asked(part: str, text: str, *operations: str, **rest: Any) -> dict[str, Any]:
    first, *others = [{"operation": name, "arguments": {}} for name in operations] or [None]
    return {
        "part": part,
        "service": "beats",
        "text": text,
        "gold": [first] if first else [],
        "also_right": others,
        **rest,
    }


@pytest.fixture
def collections(tmp_path: Path) -> list[Collection]:
    answers = {"responses": {"200": {"description": "OK"}}}
    document = {
        "openapi": "3.0.0",
        "info": {"title": "Beats", "version": "1"},
        "paths": {"/beats": {"get": answers, "post": answers}},
    }
    listing = {"tools": [{"name": "get_time", "inputSchema": {"type": "object"}}]}
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "beats.json").write_text(json.dumps(document))
    (tmp_path / "documents" / "clock.mcp.json").write_text(json.dumps(listing))
    http = {"name": "beats", "kind": "http", "base_url": "http://127.0.0.1:1", "part": "develop"}
    mcp = {"name": "clock", "kind": "mcp", "part": "develop"}
    services = [
        {**http, "document": "/gone/documents/beats.json"},
        {**mcp, "document": "/gone/documents/clock.mcp.json"},
        {**http, "part": "report", "document": "/gone/documents/unread.json"},
    ]
    (tmp_path / "services.json").write_text(json.dumps(services))
    requests = [
        asked("develop", "Which beats?", "GET /beats"),
        asked("develop", "And the time?", "get_time", service="clock", history=["Which beats?"]),
        asked("develop", "Either.", "GET /beats", "POST /beats"),
        asked("develop", "Nothing of it."),
        asked("report", "Not to be read.", "GET /beats"),
    ]
    file = tmp_path / "requests.jsonl"
    file.write_text("".join(json.dumps(each) + "\n" for each in requests))
    return real_collections([tmp_path], file, ["develop"], Unencoded())


def test_each_request_has_the_tools_of_its_service_that_are_right(
    collections: list[Collection],
) -> None:
    (found,) = collections

    names = [tool.tool_id for tool in found.index.tools]
    right = [{names[place] for place in request.gold} for request in found.requests]
    assert [len(each) for each in right] == [1, 1, 2]
    assert right[0] < right[2]
    assert right[1] == {"clock.get_time"}


def test_a_request_is_searched_for_with_what_it_leans_on(collections: list[Collection]) -> None:
    assert collections[0].requests[1].text == "Which beats?\nAnd the time?"


def test_parts_that_nobody_develops_on_are_not_read() -> None:
    assert not {"report", "check"} & set(real.PARTS)
