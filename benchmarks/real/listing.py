"""What each service says of itself: its document as published, or its tools."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from service import Place, Service

PATIENCE_S = 60.0


def saved_as(service: Service, place: Place) -> Path:
    """The file that holds what the service publishes: YAML where it publishes YAML."""
    kind = "mcp.json" if service.kind == "mcp" else service.syntax
    return place.out / "documents" / f"{service.name}.{kind}"


def save(service: Service, place: Place) -> None:
    """Write that file."""
    path = saved_as(service, place)
    path.parent.mkdir(parents=True, exist_ok=True)
    if service.kind == "mcp":
        path.write_text(asyncio.run(_tools(service, place)) + "\n")
    else:
        path.write_bytes(_document(service, place))


def _document(service: Service, place: Place) -> bytes:
    """As published, byte for byte."""
    if not service.document.startswith("/"):
        return (place.home / service.document).read_bytes()
    asked = {"Accept": "application/json", **service.headers()}
    user, _, password = service.document_login.partition(":")
    login = (user, password) if user else None
    url = place.url + service.document
    answer = httpx.get(url, headers=asked, auth=login, timeout=PATIENCE_S)
    answer.raise_for_status()
    return answer.content


@asynccontextmanager
async def session(service: Service, place: Place, log: str = "log") -> AsyncIterator[Client]:
    """With an MCP server of our own, which writes to `logs/<name>.<log>`."""
    program, *arguments = service.command(place)
    server = StdioServerParameters(
        command=program,
        args=arguments,
        env=service.variables(place),
        cwd=str(service.cwd(place)),
    )
    path = place.out / "logs" / f"{service.name}.{log}"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as stream:
        async with Client(stdio_client(server, errlog=stream), cache=None) as client:
            yield client


async def _tools(service: Service, place: Place) -> str:
    """The answer to `tools/list`, all pages in one."""
    async with asyncio.timeout(PATIENCE_S), session(service, place) as client:
        return json.dumps({"tools": await _all_pages(client)}, indent=1, ensure_ascii=False)


async def _all_pages(client: Client) -> list[dict[str, object]]:
    tools: list[dict[str, object]] = []
    cursor = None
    while True:
        page = await client.list_tools(cursor=cursor)
        tools += [
            tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in page.tools
        ]
        cursor = page.next_cursor
        if not cursor:
            return tools
