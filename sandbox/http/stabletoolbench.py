"""Tools behind a StableToolBench server (Guo et al., ACL Findings 2024).

One POST of `/virtual` calls any API by its names, and is answered with status 200 and
`{"error": text, "response": anything}`, whatever the API answered (toolbench/inference/server.py).
"""

import json
from dataclasses import replace

import httpx

from gretel.contracts.record import JsonObject
from gretel.contracts.tool import SecurityScheme, Tool, VirtualBinding
from gretel.literals import read_literal
from gretel.sandbox.answers.answer import Answer, read_answer
from gretel.sandbox.http.payload import json_payload
from gretel.sandbox.http.request import arguments_of
from gretel.sandbox.network.addresses import parse_address, scope
from gretel.sandbox.network.body import Parsed, parse_json
from gretel.sandbox.network.wire_request import BASE_HEADERS, WireRequest
from gretel.sandbox.secrets.attached import Attached
from gretel.sandbox.secrets.credentials import CredentialResolver, resolved
from gretel.sandbox.secrets.lacking import in_clear
from gretel.sandbox.secrets.oauth import TokenIssuers

KEY_SCHEME = SecurityScheme(name="toolbench_key", kind="apiKey")
"""What a server of the protocol may ask for; always optional."""

_SURMISED = "message error"
"""An error of the server that says no more than that the response holds a key `message`."""

_MAX_LITERAL = 100_000
"""Characters of a Python literal that are read; parsing one costs far more than JSON."""


def virtual_request(tool: Tool, values: JsonObject, server: httpx.URL) -> WireRequest:
    """The POST of `/virtual` that calls `tool` with `values`; `toolbench_key` is left empty.

    Raises:
        ArgumentsError: an argument is unknown, or cannot be written as JSON.
    """
    arguments_of(tool, values)
    assert isinstance(tool.binding, VirtualBinding)
    base = str(server).rstrip("/")
    url = httpx.URL(base if base.endswith("/virtual") else f"{base}/virtual")
    payload = json_payload(
        {
            "category": tool.binding.category,
            "tool_name": tool.binding.tool_name,
            "api_name": tool.binding.api_name,
            "tool_input": values,
            "strip": "",
            "toolbench_key": "",
        }
    )
    return WireRequest("POST", url, (*BASE_HEADERS, *payload.headers), payload.content)


async def attach_key(
    request: WireRequest, tool: Tool, resolver: CredentialResolver, issuers: TokenIssuers | None
) -> Attached:
    """`request` with the server's `toolbench_key`, where `resolver` has one.

    Over plain HTTP it goes no further than the machine or network whose address the user wrote.
    """
    if in_clear(request.origin) and not _is_inside(request.origin.host):
        return Attached(request)
    secret = await resolved(request.origin, KEY_SCHEME, resolver)
    if not isinstance(secret, str) or not secret:
        return Attached(request)
    body = json.loads(request.content or b"{}")
    content = json.dumps({**body, "toolbench_key": secret}).encode()
    return Attached(replace(request, content=content), (secret,))


def _is_inside(host: str) -> bool:
    """Whether a host is an address of a private network, written out."""
    address = parse_address(host)
    return address is not None and scope(address) == "local"


def read_relayed(method: str, status: int, content_type: str, text: str) -> Answer:
    """The API's answer inside the server's reply, which is often the text of JSON or of a Python
    literal. A reply of another shape is left as it is.
    """
    answer = read_answer(method, status, content_type, text)
    reply = answer.value
    if answer.status != 200 or not isinstance(reply, dict) or "response" not in reply:
        return answer
    inner = reply["response"]
    error = reply.get("error")
    outer = error if isinstance(error, str) else json.dumps(error)
    outer_error = outer.strip() if error and outer.strip() else None
    text = inner if isinstance(inner, str) else json.dumps(inner)
    read = _read_text(inner) if isinstance(inner, str) else Parsed(inner)
    if isinstance(read.value, str):  # a text that was encoded twice, and may be JSON again
        text, read = read.value, _read_text(read.value)
    return answer._replace(
        content_type="",
        text=text,
        is_json=read.error is None,
        value=read.value,
        relayed=True,
        outer_error=outer_error,
        is_surmised=bool(outer_error and outer_error.lower().startswith(_SURMISED)),
    )


def _read_text(text: str) -> Parsed:
    """A response text as JSON, else as a Python literal."""
    parsed = parse_json(text)
    literal = text.lstrip().startswith(("{", "[")) and len(text) <= _MAX_LITERAL
    if parsed.error is None or not literal:
        return parsed
    try:
        return parse_json(json.dumps(read_literal(text), default=str))
    except (ValueError, TypeError, RecursionError):
        return parsed
