"""Error responses of tools that fail, in the shapes that real servers and gateways give them."""

from collections.abc import Mapping, Sequence

from gretel.contracts.record import JsonObject
from gretel.contracts.tool import Tool
from gretel.evaluation.mock.faults import FaultKind, seeded_choice
from gretel.evaluation.mock.replies import Reply, json_reply, page, text_reply

_UNREACHABLE: JsonObject = {
    "messages": "The API is unreachable, please contact the API provider",
    "info": "Your Client (working) ---> Gateway (working) ---> API (not working)",
}
"""What RapidAPI's gateway says of a server that is down."""
_RETRY = {"Retry-After": "1"}
_TRACE = (
    "Traceback (most recent call last):\n"
    '  File "/app/main.py", line 88, in handler\n'
    "    row = cursor.fetchone()\n"
    "OperationalError: connection refused"
)

ERROR_RESPONSES: Mapping[FaultKind, Sequence[Reply | None]] = {
    "auth": (
        json_reply(401, {"message": "Invalid API key. Go to your account to get a valid key."}),
        json_reply(401, {"error": {"code": 401, "message": "Unauthorized"}}),
        json_reply(403, {"message": "You are not subscribed to this API."}),
        json_reply(200, {"error": "Unauthorized: missing access token"}),
    ),
    "drift": (
        json_reply(404, {"message": "Endpoint '/v1' does not exist"}),
        json_reply(404, {"detail": "Not Found"}),
        page(404, "404 Not Found"),
        json_reply(410, {"error": "This version of the API was retired. Use /v3."}),
        json_reply(200, {"success": False, "message": "This endpoint is no longer available"}),
    ),
    "dead": (
        json_reply(500, {"error": "Internal Server Error", "statusCode": 500}),
        page(502, "502 Bad Gateway"),
        json_reply(503, _UNREACHABLE),
        text_reply(500, _TRACE),
        json_reply(200, {"error": True, "message": "Internal server error"}),
        Reply(200, '{"data": [', cut=True),
    ),
    "rate_limit": (
        json_reply(429, {"message": "Too many requests"}, _RETRY),
        json_reply(429, {"error": {"code": 429, "message": "Rate limit exceeded"}}, _RETRY),
        json_reply(
            429, {"message": "You have exceeded the rate limit per second for your plan, BASIC"}
        ),
    ),
    "timeout": (None, None, page(504, "504 Gateway Time-out")),
    "server_error": (
        json_reply(503, _UNREACHABLE, _RETRY),
        json_reply(503, {"error": "Service temporarily unavailable"}, _RETRY),
        page(503, "503 Service Temporarily Unavailable"),
    ),
}
"""Shapes by fault; None: the server never answers."""


def error_response(kind: FaultKind, tool: Tool, *, seed: int) -> Reply | None:
    """The failure of `tool` in the shape that it keeps to; None where it never answers.

    Raises:
        KeyError: the kind is no failure but an answer (`empty`, `irrelevant`).
    """
    return seeded_choice(ERROR_RESPONSES[kind], seed, kind, tool.tool_id)
