"""Server URLs and hosts, read once, by the same parser that the client uses."""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

import httpx

from gretel.contracts.errors import ConfigurationError
from gretel.sandbox.network.addresses import parse_address

_DEFAULT_PORT = {"http": 80, "https": 443}
_NAME = re.compile(r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?")
_NUMERIC_LABEL = re.compile(r"(0x[0-9a-f]*|[0-9]+)\.?")
_UNSAFE = re.compile(r"[\x00-\x20\x7f\\]")
"""Characters on which URL parsers disagree."""


class Origin(NamedTuple):
    """Where a connection goes: what a browser calls an origin."""

    scheme: str
    host: str
    """Lower case, IDNA-encoded; an IPv6 address without brackets."""
    port: int

    @property
    def authority(self) -> str:
        """`host`, with the port where it is not the scheme's own."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _DEFAULT_PORT[self.scheme] else f"{host}:{self.port}"

    def __str__(self) -> str:
        return f"{self.scheme}://{self.authority}"


def origin_of(url: httpx.URL) -> Origin:
    """The origin of an absolute http or https URL.

    Raises:
        ConfigurationError: the URL has another scheme, user information, or no usable host.
    """
    if url.scheme not in _DEFAULT_PORT:
        raise _unusable(f"scheme {url.scheme!r} is neither http nor https")
    if url.userinfo:
        raise _unusable("it carries user information")
    host = _checked_host(url.raw_host.decode("ascii"))
    port = url.port if url.port is not None else _DEFAULT_PORT[url.scheme]
    if not 1 <= port <= 65535:
        raise _unusable(f"port {port} is out of range")
    return Origin(url.scheme, host, port)


@lru_cache(maxsize=4096)
def parse_server(text: str) -> httpx.URL:
    """The base URL `text`, checked, without query and fragment.

    Raises:
        ConfigurationError: the text is no absolute http or https URL, or one that parsers
            read differently.
    """
    if _UNSAFE.search(text):
        raise _unusable("it holds a backslash, a blank or a control character")
    try:
        url = httpx.URL(text)
    except (httpx.InvalidURL, UnicodeError):
        # What was read as a port may be a password.
        raise _unusable("its host or its port cannot be read") from None
    origin_of(url)
    return url.copy_with(query=None, fragment=None)


def parse_named(text: str) -> httpx.URL:
    """The URL `text` of a server that the user named, without query and fragment.

    Raises:
        ConfigurationError: it is no such URL, or has an `@` anywhere: behind a password that holds
            a sign of a URL (`user:5#word@host`) another host would be called.
    """
    if "@" in _decoded(text):
        raise _unusable("it carries user information")
    return parse_server(text)


def _decoded(text: str) -> str:
    """`text` as one reads it who wrote `:` and `@` as `%3A` and `%40`, or in full width."""
    return unicodedata.normalize("NFKC", unquote(text))


def behind_user(text: str) -> str:
    """What stands behind the last `@` of a text that may be a URL: before it stands a password."""
    return _decoded(text).rpartition("@")[2]


def allowed_entry(text: str) -> str:
    """An entry of an allow-list, `host` or `host:port`, in canonical form.

    Raises:
        ConfigurationError: the entry has a scheme, a path or a wildcard, or is no host.
    """
    entry = text.strip()
    if parse_address(entry) is not None and ":" in entry:
        entry = f"[{entry}]"
    try:
        url = httpx.URL(f"http://{entry}/")
        host = _checked_host(url.raw_host.decode("ascii"))
    except (httpx.InvalidURL, UnicodeError, ConfigurationError):
        host = ""
    # httpx drops ":80" as the default port of http: the text decides whether a port was given.
    port = re.search(r":([0-9]+)$", entry)
    if not host or _UNSAFE.search(entry) or re.search(r"[/?#@*]", entry):
        raise ConfigurationError(
            f"{behind_user(text)!r} is not a host",
            field="allow_hosts",
            remedy="Give a host or host:port, as in api.example.com or 127.0.0.1:8000.",
        )
    return host_port(host, int(port.group(1))) if port else host


def host_port(host: str, port: int) -> str:
    """`host:port`, an IPv6 address in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


@lru_cache(maxsize=4096)
def _checked_host(host: str) -> str:
    """`host`, an IPv6 address in its short form; refuses what is neither name nor address."""
    address = parse_address(host)
    if address is not None:
        if getattr(address, "scope_id", None):
            raise _unusable("an address with a zone is not supported")
        return str(address)
    # A name that ends in a number is an IPv4 address in an odd notation to some resolvers.
    last = host.removesuffix(".").rpartition(".")[2]
    if not _NAME.fullmatch(host) or len(host) > 253 or _NUMERIC_LABEL.fullmatch(last):
        raise _unusable(f"{behind_user(host)!r} is not a host name")
    if "xn--" in host:
        try:
            str(httpx.URL(f"http://{host}/").host)  # the client decodes it, too
        except (httpx.InvalidURL, UnicodeError):
            raise _unusable(f"{host!r} encodes no name") from None
    return host


def _unusable(problem: str) -> ConfigurationError:
    """The error for a URL that is not used."""
    return ConfigurationError(
        f"this URL is not used: {problem}",
        field="server URL",
        remedy="Give an absolute http or https URL without user information.",
    )
