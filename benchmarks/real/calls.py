"""Gold calls, made directly: HTTP with httpx, tools with the MCP client."""

import base64
import json
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import quote

import httpx
from mcp import Client
from operations import Operation
from service import Place, Service

PATIENCE_S = 60.0


class Answer(NamedTuple):
    """Whether the call succeeded, and what came back."""

    good: bool
    text: str


def called(
    client: httpx.Client, service: Service, operation: Operation, arguments: Mapping[str, Any]
) -> Answer:
    """One call over HTTP. Etherpad says in the body whether it is a success."""
    method, path = operation.name.split(" ", 1)
    query: dict[str, str] = {}
    headers: dict[str, str] = {}
    for name, value in arguments.items():
        match operation.places.get(name):
            case "path":
                path = path.replace("{" + name + "}", quote(_said(value), safe="$"))
            case "query":
                query[name] = _said(value)
            case "header":
                headers[name] = _said(value)
            case where:
                raise ValueError(f"{operation.name}: {name} goes into the {where}")
    answer = client.request(method, path.lstrip("/"), params=query, headers=headers)
    good = answer.is_success
    if good and service.name == "etherpad":
        good = answer.json()["code"] == 0
    return Answer(good, f"{answer.status_code} {answer.text}")


def _said(value: object) -> str:
    """As it stands in a path or a query."""
    if isinstance(value, list):
        return ",".join(map(_said, value))
    return json.dumps(value) if isinstance(value, bool) else str(value)


def http_client(service: Service, place: Place) -> httpx.Client:
    """With the service's credentials."""
    headers = dict(service.headers())
    query: dict[str, str] = {}
    match service.name:
        case "atramhasis":  # else some answers are pages
            headers["Accept"] = "application/json"
        case "etherpad":
            query["apikey"] = service.credential
        case "kinto":
            told = base64.b64encode(service.credential.encode()).decode()
            headers["Authorization"] = f"Basic {told}"
        case "lnbits":
            headers["X-API-KEY"] = service.scheme_credentials["APIKEYHEADER"]
    url = place.url + service.base + "/"
    return httpx.Client(base_url=url, headers=headers, params=query, timeout=PATIENCE_S)


async def asked(client: Client, operation: Operation, arguments: Mapping[str, Any]) -> Answer:
    """One call of a tool."""
    result = await client.call_tool(operation.name, dict(arguments))
    texts = [getattr(part, "text", part.type) for part in result.content]
    return Answer(not result.is_error, "\n".join(texts))
