"""The base URL that a user names for one source: it takes the place of every server in it.

A base URL without a path says where the service is, and the path that a document names for itself
stays: `servers: [{url: /api/v3}]`, Swagger's `basePath`, the path of `https://example.com/v1`. One
with a path, be it `/`, says all: the document's own path is not used, and a note says so.
"""

import re
from urllib.parse import urlsplit

from gretel.catalog.bounds import URL_LIMIT
from gretel.catalog.report import Loaded, Note
from gretel.contracts.errors import CatalogError
from gretel.contracts.tool import HttpBinding

_URL = re.compile(r"https?://", re.I)
_LIKE_URL = re.compile(r"[a-z][a-z0-9+.-]+:/", re.I)
"""Of any scheme; a path of a file writes two slashes as one, and a drive is one letter."""
_AUTHORITY = re.compile(r"(?:[^/?#]*:)?//[^/?#]*")
_UNSAFE = re.compile(r"[\x00-\x20\x7f\\{}?#]")
"""What is no part of a base URL, or is read differently by different parsers."""


def refuse_url(text: str) -> None:
    """Pass what is not the URL of a document.

    Raises:
        CatalogError: it is one; what stands in it, a password perhaps, is not repeated.
    """
    if _LIKE_URL.match(text):
        raise CatalogError(
            "is a URL, and documents are not downloaded",
            field="catalogue",
            remedy="Save the document to a file and give that, with its server as FILE@URL.",
        )


def checked_base_url(text: str) -> str:
    """`text` without blanks around it.

    Raises:
        CatalogError: it is no absolute http or https URL, or holds a user name, a query, a
            fragment or a placeholder.
    """
    url = text.strip()
    problem = _problem(url)
    if problem:
        raise CatalogError(
            f"is not used: {problem}",
            field="base URL",
            remedy="Give one as in http://127.0.0.1:8000 or https://api.example.com/v1.",
        )
    return url


def move(loaded: Loaded, base_url: str, *, place: str) -> None:
    """Let everything in `loaded` that is called over HTTP be called at `base_url`.

    Raises:
        CatalogError: there is nothing of that kind in it.
    """
    own_path = urlsplit(base_url).path
    unused: dict[str, None] = {}
    moved = 0
    for at, tool in enumerate(loaded.tools):
        if not isinstance(tool.binding, HttpBinding):
            continue
        path = _path(next(iter(tool.binding.servers), ""))
        if own_path and path not in ("", own_path.rstrip("/")):
            unused[path] = None
        server = base_url if own_path else f"{base_url}{path}"
        binding = tool.binding.model_copy(update={"servers": (server,)})
        loaded.tools[at] = tool.model_copy(update={"binding": binding})
        moved += 1
    if loaded.tools and not moved:
        raise CatalogError(
            "has nothing that a base URL of its own could serve",
            field=place,
            remedy="Leave it out; --base-url names one server for all tools.",
        )
    loaded.notes += [
        Note(place, f"{path} is not used: the base URL has its own path") for path in unused
    ]
    loaded.base_urls.append(base_url)


def authority(server: str) -> str:
    """`host:port` of a server's URL as it is written; empty where it names none."""
    found = _AUTHORITY.match(server)
    return found[0].rpartition("//")[2].rpartition("@")[2] if found else ""


def _path(server: str) -> str:
    """The path of a server, which may be relative or hold variables; never leads out of a host."""
    path = re.split(r"[?#]", _AUTHORITY.sub("", server, count=1))[0]
    path = "/".join(part for part in path.split("/") if part not in ("", "."))
    return f"/{path}" if path else ""


def _problem(url: str) -> str:
    if not _URL.match(url):
        return "it does not begin with http:// or https://"
    if len(url) > URL_LIMIT:
        return f"it has more than {URL_LIMIT:,} characters"
    if _UNSAFE.search(url):
        return "it holds a blank, a control character, or one of \\ { } ? #"
    try:
        parts = urlsplit(url)
        named = parts.hostname and parts.port != 0
    except ValueError:
        named = None
    if not named:
        return "it names no host, or no port that there is"
    return "it holds a user name; credentials have variables of their own" if "@" in url else ""
