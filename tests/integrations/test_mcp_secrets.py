"""What the user gave a server that he starts is in no record, whatever the server says."""

import re
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import StdioServerParameters

from fakes import plan
from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.integrations.mcp import McpServers
from gretel.integrations.mcp_secrets import secrets_of
from gretel.sandbox.permission.policy import Policy
from gretel.text.secret_parts import parts_of
from hostile_texts import orders_in

SECRET = "Zx9KqvTr8Lm5Pd2Qw7Bn4YhJ6t"
SERVER = '''
import os
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

server = MCPServer("notes")

@server.tool()
def read() -> str:
    """Read."""
    return "notes of " + os.environ["NOTES_API_KEY"]

@server.tool()
def fail() -> str:
    """Fail."""
    raise ToolError("\\x1b[2J no " + "\\x1b[0m".join(os.environ["NOTES_API_KEY"]))

server.run()
'''


@pytest.mark.parametrize(
    "arguments",
    [["--api-key", SECRET], [f"--token={SECRET}"], ["-e", f"NOTES_KEY={SECRET}", "notes"],
     ["https://mcp.example.com/sse", "--header", f"Authorization: Bearer {SECRET}"],
     ["--header", f"X-Api-Key:{SECRET}"], [f"https://mcp.example.com/{SECRET}/mcp?mode=fast"],
     [f"https://{SECRET}@mcp.example.com/"], ["--url", f"https://x.example.com/?q={SECRET}"],
     ["-c", f"TOKEN={SECRET} exec notes"], ["-c", f"export API_KEY={SECRET}; exec notes"],
     ["-c", f"exec notes --token {SECRET} --fast"], ["-u", f"bob:{SECRET}"], ["-p", SECRET],
     [f"--dsn=Server=db;User=app;Password={SECRET};Pooling=fast"],
     ["--db", f"host=db user=app password={SECRET} sslmode=fast"]],
    ids=str,
)  # fmt: skip
def test_a_secret_of_the_command_line(arguments: list[str]) -> None:
    start = StdioServerParameters(command="notes", args=arguments)
    parts = {part for secret in secrets_of(start) for part in parts_of(secret)}
    assert SECRET in parts and "fast" not in parts


def test_a_password_in_a_url_of_the_environment_or_the_command_line() -> None:
    url = f"postgres://app:{SECRET}@db.example.com/notes?sslmode=require"
    start = StdioServerParameters(
        command="notes", args=["-v", "--dir=/tmp/x", url], env={"DB": url}
    )
    assert set(secrets_of(start)) == {SECRET}
    assert secrets_of(f"https://mcp.example.com/mcp?q={SECRET}") == [SECRET]


@pytest.mark.parametrize(
    "value",
    ['{"auth": {"token": "%s"}, "mode": "fast"}', "-c password=%s", "X-Api-Key: %s, X-Mode: fast",
     "Server=db;Password=%s;Mode=fast", "machine db login bob password %s"],
)  # fmt: skip
def test_a_secret_within_a_value_of_the_environment(value: str) -> None:
    start = StdioServerParameters(command="notes", args=[], env={"SETTINGS": value % SECRET})
    assert set(secrets_of(start)) == {SECRET}


@pytest.mark.parametrize(
    "url", ["?%s", "?%s=", "?mode=fast&%s", "/key/%s/mcp", "/v1;%s", "/v1;key=%s/mcp"]
)
def test_a_key_wherever_it_stands_in_a_url(url: str) -> None:
    assert SECRET in secrets_of("https://mcp.example.com" + url % SECRET)


@pytest.mark.parametrize("url", ["?%s", "/key/%s/mcp"])
def test_a_short_key_that_stands_alone_or_behind_its_name(url: str) -> None:
    assert secrets_of("https://mcp.example.com" + url % SECRET[:12]) == [SECRET[:12]]


def test_what_a_server_is_started_with_besides() -> None:
    plain = [
        "-y",
        "@notes/server-files",
        "/home/me/notes",
        "-p",
        "8080",
        "--mode=fast",
        "-e",
        "KEY",
    ]
    env = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "NODE_ENV": "production", "DEBUG": "1"}
    assert secrets_of(StdioServerParameters(command="npx", args=plain, env=env)) == []
    for url in ("?debug", "?read-only", "/v1/token/refresh", "/mcp"):
        assert secrets_of(f"https://mcp.example.com{url}") == []


def listed(*tools: dict[str, Any], key: str) -> Catalog:
    start = StdioServerParameters(command="notes", env={"NOTES_API_KEY": key})
    return McpServers({"notes": start})._read([*tools], "notes")


def test_a_secret_that_a_server_lists_stands_in_no_tool() -> None:
    schema = {"type": "object", "properties": {"of": {"enum": [SECRET.lower()]}}}
    read = {"name": "read", "description": f"Read {SECRET[::-1]}", "inputSchema": schema}
    inner = {"type": "object", "properties": {SECRET: {"type": "string"}}}
    hidden = [{"name": f"get_{SECRET}"}, {"name": "find", "inputSchema": inner}]

    catalog = listed(read, *hidden, {"name": "list"}, key=SECRET)

    assert [tool.tool_id for tool in catalog] == ["notes.list", "notes.read"]
    said = "".join(tool.model_dump_json() for tool in catalog).lower()
    assert SECRET.lower() not in said and SECRET[::-1].lower() not in said


def test_a_password_that_is_a_word_hides_no_tool() -> None:
    (tool,) = listed({"name": "postgres_query", "description": "Ask postgres"}, key="postgres")
    assert (tool.operation, tool.description) == ("postgres_query", "Ask postgres")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["read", "fail"])
async def test_a_secret_of_the_environment(name: str, tmp_path: Path) -> None:
    path = tmp_path / "server.py"
    path.write_text(SERVER)
    start = StdioServerParameters(
        command=sys.executable, args=[str(path)], env={"NOTES_API_KEY": SECRET, "PATH": ""}
    )
    servers = McpServers({"notes": start}, Policy(safe_tools=frozenset({f"notes.{name}"})))
    await servers.catalog()
    outcome = (await servers.call(plan(f"notes.{name}"), budget=Budget(call_s=20.0))).outcome
    await servers.aclose()

    said = outcome.excerpt + (outcome.failure.detail if outcome.failure else "")
    assert outcome.source == "executed" and "[redacted]" in said and orders_in(said) == []
    assert not any(SECRET[at : at + 5] in re.sub(r"\W", "", said) for at in range(21))


def test_a_key_of_letters_that_no_person_chose_is_masked() -> None:
    key = "zqxvkjwpmtbhrgdk"
    (tool,) = listed({"name": "look", "description": f"Use {key} now."}, key=key)
    assert tool.description == "Use [redacted] now."
