"""`Adapter`: the three steps of a call over HTTP that depend on the kind of tool."""

from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple

import httpx

from gretel.contracts.record import JsonObject
from gretel.contracts.tool import Tool
from gretel.contracts.trial import Failure
from gretel.sandbox.answers.answer import Answer, read_answer
from gretel.sandbox.http.request import build_request
from gretel.sandbox.http.stabletoolbench import attach_key, read_relayed, virtual_request
from gretel.sandbox.network.wire_request import WireRequest
from gretel.sandbox.secrets.attached import Attached
from gretel.sandbox.secrets.credentials import CredentialResolver, attach
from gretel.sandbox.secrets.oauth import TokenIssuers


class Adapter(NamedTuple):
    """How one kind of tool is called over HTTP; the rest of a call is the same for all kinds."""

    build: Callable[[Tool, JsonObject, httpx.URL], WireRequest]
    """Tool, argument values and server → the request without credentials.

    Raises:
        ArgumentsError: a value cannot be sent.
    """
    attach: Callable[
        [WireRequest, Tool, CredentialResolver, TokenIssuers | None],
        Awaitable[Attached | Failure],
    ]
    """Request, tool, source of secrets and OAuth issuers → the request with credentials, or what
    is missing. Whatever the source of secrets raises goes through.
    """
    read: Callable[[str, int, str, str], Answer]
    """Request method, response status, content type and body text → the answer to be judged."""


ADAPTERS: Mapping[str, Adapter] = {
    "http": Adapter(build_request, attach, read_answer),
    "virtual": Adapter(virtual_request, attach_key, read_relayed),
}
"""By the kind of a tool's binding; tools of other kinds are not called over HTTP."""
