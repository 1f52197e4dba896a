"""Long words and wrong parts of an MCP server where it opens, lists and fails: read in threads."""

import threading
from typing import Any

import pytest
from hostile_mcp import RESULTS, HostileMcp
from test_attack_mcp import called, servers_of

from gretel.contracts.errors import ServiceUnreachable
from gretel.integrations.mcp_bounds import Reading
from gretel.integrations.mcp_results import light
from hostile_server import answer


class Failing(HostileMcp):
    """Answers one method with an error of JSON-RPC."""

    stage = "tools/list"

    def reply(self, message: dict[str, Any], result: dict[str, Any] | None = None) -> bytes:
        if message.get("method") != self.stage:
            return super().reply(message, result)
        error = b'{"code": 1, "message": "\\u009d words"}'
        body = b'{"jsonrpc": "2.0", "id": %d, "error": %s}' % (message["id"], error)
        return answer(body, "Mcp-Session-Id: s1")


@pytest.mark.parametrize("stage", ["initialize", "tools/list", "tools/call"])
async def test_an_error_of_a_server_is_cleaned_beside_the_event_loop(
    stage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    readers: list[threading.Thread] = []
    reason = Reading.reason

    def noted(reading: Reading, error: BaseException) -> str:
        readers.append(threading.current_thread())
        return reason(reading, error)

    monkeypatch.setattr(Reading, "reason", noted)
    async with Failing() as server:
        server.stage = stage
        servers = servers_of(server, "none/such")
        if stage == "tools/call":
            await servers.catalog()
            assert (await called(servers)).outcome.failure is not None
        else:
            with pytest.raises(ServiceUnreachable):
                await servers.catalog()
        await servers.aclose()
    assert readers and threading.main_thread() not in readers


def test_of_an_opening_the_client_checks_a_little() -> None:
    info = {"name": "x", "version": "1", "icons": [5] * 100_000}
    options = {"listChanged": True, "more": {str(number): {} for number in range(9_000)}}
    opening = RESULTS["initialize"] | {"serverInfo": info, "capabilities": {"tools": options}}
    seen: Any = light(opening)
    assert len(seen["serverInfo"]["icons"]) < 30 and seen["serverInfo"]["name"] == "x"
    assert seen["capabilities"]["tools"]["listChanged"] is True
    assert len(seen["capabilities"]["tools"]["more"]) < 30
    assert light(RESULTS["initialize"]) == RESULTS["initialize"]
