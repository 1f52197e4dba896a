"""URLs that are no MCP endpoint, or not to everybody: the error says what to do."""

from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gretel.contracts.errors import ServiceUnreachable
from gretel.integrations.mcp import McpServers
from gretel.sandbox.permission.policy import Policy
from loopback import Loopback

NO_ENDPOINT = r"\(HTTP {}, {}\)\. Is this the URL of an MCP endpoint\? Its path is often /mcp\.$"


async def page(request: Request) -> Response:
    """A page with the status that its path says."""
    kind = "application/json" if request.url.path.endswith("/json") else "text/html"
    return Response(b'"x"', int(request.path_params["status"]), media_type=kind)


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    methods = ["GET", "POST", "DELETE"]
    with Loopback(Starlette(routes=[Route("/{status}/{kind}", page, methods=methods)])) as server:
        yield server.url


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("200/html", NO_ENDPOINT.format(200, "text/html")),
        ("404/html", NO_ENDPOINT.format(404, "text/html")),
        ("404/json", NO_ENDPOINT.format(404, "application/json")),
        ("405/html", NO_ENDPOINT.format(405, "text/html")),
        ("401/json", r"\(HTTP 401, application/json\)\. It wants credentials"),
        ("503/html", r"\(HTTP 503, text/html\)$"),
        ("200/json", "web: It sent something that is not a JSON-RPC message.$"),
    ],
)
async def test_what_is_no_endpoint_is_called_that(web: str, path: str, said: str) -> None:
    host = web.split("/")[2]
    servers = McpServers({"web": f"{web}/{path}"}, Policy(allow_hosts=frozenset({host})))
    with pytest.raises(ServiceUnreachable, match=said):
        await servers.catalog()
    await servers.aclose()


async def test_a_closed_host_is_to_be_opened() -> None:
    servers = McpServers({"web": "https://mcp.example.com/mcp"})
    said = r"^web: mcp.example.com is not an allowed host. Add it to Policy\(allow_hosts="
    with pytest.raises(ServiceUnreachable, match=said):
        await servers.catalog()
