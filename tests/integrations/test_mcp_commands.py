"""MCP servers that are commands: written as in a shell, and what is said of those that are none."""

import shlex
import sys

import pytest

from gretel.contracts.errors import ConfigurationError, ServiceUnreachable
from gretel.integrations.mcp import McpServers

SERVER = """
from mcp.server.mcpserver import MCPServer
server = MCPServer("clock")
@server.tool()
def now(zone: str) -> str:
    "What time it is."
    return zone
server.run("stdio")
"""

GREETED = """
import json, sys
TOOLS = [{"name": "now", "inputSchema": {"type": "object"}}]
ANSWERS = {
    "initialize": {
        "protocolVersion": "2025-11-25",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "old", "version": "1"},
    },
    "server/discover": {
        "supportedVersions": ["2026-07-28"],
        "capabilities": {"tools": {}},
        "ttlMs": 0,
        "cacheScope": "public",
        "resultType": "complete",
    },
    "tools/list": {
        "tools": TOOLS, "ttlMs": 0, "cacheScope": "public", "resultType": "complete"
    },
}
for line in sys.stdin:
    asked = json.loads(line)
    if asked["method"] == sys.argv[1]:
        if sys.argv[2] == "ends":
            sys.exit("expected an initialize request")
        error = {"code": int(sys.argv[2]), "message": "Unknown method"}
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "error": error}), flush=True)
    elif "id" in asked:
        result = ANSWERS[asked["method"]]
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
"""
"""A server that does not know one word: it ends, or answers with a number."""


@pytest.mark.parametrize(
    ("word", "answer"),
    [("server/discover", "ends"), ("initialize", "-32601"), ("initialize", "-32022")],
)
async def test_a_command_is_greeted_by_the_word_that_it_knows(word: str, answer: str) -> None:
    servers = McpServers({"old": shlex.join([sys.executable, "-c", GREETED, word, answer])})
    try:
        assert [tool.tool_id for tool in await servers.catalog()] == ["old.now"]
    finally:
        await servers.aclose()


@pytest.mark.slow
async def test_a_command_may_be_written_as_in_a_shell() -> None:
    servers = McpServers({"clock": shlex.join([sys.executable, "-c", SERVER])})
    try:
        assert [tool.tool_id for tool in await servers.catalog()] == ["clock.now"]
    finally:
        await servers.aclose()


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (shlex.join([sys.executable, "-c", "raise SystemExit(3)"]), "clock: .*the command ended"),
        ("no-such-command --stdio", "clock: there is no such command: 'no-such-command'"),
        ("localhost:8000/mcp", "clock: there is no such command: 'localhost:8000/mcp'"),
    ],
)
async def test_a_command_that_serves_nothing_says_so(command: str, said: str) -> None:
    servers = McpServers({"clock": command})
    with pytest.raises(ServiceUnreachable, match=said):
        await servers.catalog()
    await servers.aclose()


@pytest.mark.parametrize("server", ["", "  ", "a 'quote"])
def test_what_is_neither_a_url_nor_a_command_is_bad_input(server: str) -> None:
    with pytest.raises(ConfigurationError, match="^clock: is neither a URL nor a command") as bad:
        McpServers({"clock": server})
    assert "uvx" in bad.value.remedy
