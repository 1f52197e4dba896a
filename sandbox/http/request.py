"""Tool and argument values → the HTTP request, without credentials."""

import re
from collections.abc import Iterator, Mapping
from urllib.parse import quote

import httpx

from gretel.contracts.errors import ArgumentsError
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import HttpBinding, Location, Parameter, Tool
from gretel.sandbox.http.payload import encode_payload
from gretel.sandbox.http.serialise import (
    climbs,
    cookie_value,
    header_value,
    path_segment,
    query_pairs,
    unsendable,
)
from gretel.sandbox.network.origin import origin_of
from gretel.sandbox.network.wire_request import (
    HEADER_NAME,
    WireRequest,
    base_headers,
    is_own_header,
)

_TEMPLATE = re.compile(r"\{([^{}]*)\}")
_PATH_SAFE = "/:@!$&'()*+,;=-._~%"
_PLAINER = "Plan shorter or plainer values."
_MAX_URL = 16_000
"""Characters; longer ones are refused by most servers."""


def build_request(tool: Tool, values: JsonObject, server: httpx.URL) -> WireRequest:
    """The request that calls `tool` at `server` with `values`.

    Raises:
        ArgumentsError: a value cannot be sent, is unknown, or a path value is missing.
    """
    arguments = arguments_of(tool, values)
    assert isinstance(tool.binding, HttpBinding)
    payload = encode_payload(tool, arguments, tool.binding.media_type)
    url = _url(tool.binding, arguments, server)
    if not HEADER_NAME.fullmatch(tool.binding.method):
        raise ArgumentsError("no method of HTTP", field="method", remedy="Correct the document.")
    own = base_headers(tool.response.media_types)
    headers = (*own, *_headers(arguments), *_cookies(arguments), *payload.headers)
    return WireRequest(tool.binding.method.upper(), url, headers, payload.content)


Matched = list[tuple[Parameter, JsonValue]]
"""Each parameter that has a value, in the tool's own order."""


def arguments_of(tool: Tool, values: Mapping[str, JsonValue]) -> Matched:
    """Parameters of `tool` with their values.

    Raises:
        ArgumentsError: `values` names something that is no parameter of the tool.
    """
    known = {parameter.name for parameter in tool.parameters}
    for name in values:
        if name not in known:
            raise ArgumentsError("no such parameter", field=name, remedy="Leave it out.")
    return [(each, values[each.name]) for each in tool.parameters if each.name in values]


def _at(arguments: Matched, *locations: Location) -> Iterator[tuple[Parameter, JsonValue]]:
    """The arguments that go to one of `locations`."""
    return ((each, value) for each, value in arguments if each.location in locations)


def _url(binding: HttpBinding, arguments: Matched, server: httpx.URL) -> httpx.URL:
    """Server, filled path and query, put together as text and parsed once."""
    template, _, fixed_query = binding.path.partition("#")[0].partition("?")
    path = _filled(template, arguments)
    if climbs(path):
        raise ArgumentsError("no usable URL: it climbs", field="path", remedy=_PLAINER)
    pairs = [pair for each in _at(arguments, "query") for pair in query_pairs(*each)]
    if fixed_query:
        pairs = [quote(fixed_query, safe="&=%+", errors="replace"), *pairs]
    query = "&".join(pairs)
    base = str(server).rstrip("/")
    text = f"{base}/{path.lstrip('/')}" + (f"?{query}" if query else "")
    return _parsed(text, server)


def _parsed(text: str, server: httpx.URL) -> httpx.URL:
    """`text` as a URL that must still lie below the server's own."""
    try:
        if len(text) > _MAX_URL:
            raise httpx.InvalidURL(f"{len(text)} characters")
        url = httpx.URL(text)
        if origin_of(url) != origin_of(server):
            raise httpx.InvalidURL("it leaves the server")
        if not f"{url.path}/".startswith(f"{server.path.rstrip('/')}/"):
            raise httpx.InvalidURL("it leaves the server's own path")
    except (httpx.InvalidURL, ValueError) as error:
        raise ArgumentsError(f"no usable URL: {error}", field="path", remedy=_PLAINER) from None
    return url


def _filled(template: str, arguments: Matched) -> str:
    """The path with its places filled; text around them is quoted."""
    given = {parameter.wire_name: (parameter, value) for parameter, value in _at(arguments, "path")}

    def fill(name: str) -> str:
        if name not in given:
            raise ArgumentsError("it goes into the path", field=name, remedy="Give a value.")
        return path_segment(*given[name])

    pieces = _TEMPLATE.split(template)  # text and names by turns
    pieces[::2] = [quote(text, safe=_PATH_SAFE, errors="replace") for text in pieces[::2]]
    left = _MAX_URL
    for at in range(1, len(pieces), 2):  # a template may repeat a place, and so what is in it
        pieces[at] = fill(pieces[at])
        left -= len(pieces[at])
        if left < 0:
            raise ArgumentsError("no usable URL: it is too long", field="path", remedy=_PLAINER)
    return "".join(pieces)


def _headers(arguments: Matched) -> Iterator[tuple[str, str]]:
    """Header arguments; those that would set one of our own headers are not sent (OpenAPI)."""
    for parameter, value in _at(arguments, "header"):
        name = parameter.wire_name
        if not HEADER_NAME.fullmatch(name):
            raise unsendable(parameter, "goes to a header whose name is not one")
        if not is_own_header(name) and value is not None:
            yield name, header_value(parameter, value)


def _cookies(arguments: Matched) -> list[tuple[str, str]]:
    """One Cookie header for all cookie arguments, or none."""
    pairs = []
    for parameter, value in _at(arguments, "cookie"):
        if not HEADER_NAME.fullmatch(parameter.wire_name):
            raise unsendable(parameter, "goes to a cookie whose name is not one")
        if value is not None:
            pairs.append(f"{parameter.wire_name}={cookie_value(parameter, value)}")
    return [("Cookie", "; ".join(pairs))] if pairs else []
