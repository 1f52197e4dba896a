"""Catalogues by name, as the command line and `GRETEL_CATALOG` give them: `PATH` or `PATH@URL`."""

import os
import re
from pathlib import Path
from typing import NamedTuple

from gretel.catalog.base_url import refuse_url
from gretel.contracts.errors import CatalogError

_BASE_URL = re.compile(r"@(?=[a-z][a-z0-9+.-]*://)", re.I)
"""Before the base URL, of whatever scheme: what is none is refused as that, and not as a file. Any
other `@` belongs to the path."""
_SEPARATOR = re.escape(os.pathsep)
_ENTRY = re.compile(
    rf"(?:@?https?://(?:\[[^\]]*\]|[^/\[{_SEPARATOR}]*)(?::\d+(?![^/{_SEPARATOR}]))?"
    rf"|[^{_SEPARATOR}])+",
    re.I,
)
"""One entry of a list; a colon in its URL's host or before its URL's port separates nothing."""


class Source(NamedTuple):
    """A catalogue that a user named."""

    path: Path
    base_url: str | None = None
    """Where its tools are called, in place of the servers that it names."""
    toolkit: str | None = None
    """What the user calls it."""


def read_source(text: str) -> Source:
    """`PATH`, or `PATH@URL` with a base URL; the last `@SCHEME://` parts them.

    Raises:
        CatalogError: the path is none: empty, a URL, a pattern that nothing expanded, or no file
            where it holds an `@`: it may be a URL that was typed wrong, and is not repeated.
    """
    parts = list(_BASE_URL.finditer(text))
    path = text[: parts[-1].start()] if parts else text
    refuse_url(path)
    if not path:
        raise CatalogError(
            "names no file", field="catalogue", remedy="Give a file or folder, or FILE@URL."
        )
    is_there = os.path.exists(path)
    if "@" in path and not is_there:
        raise CatalogError(
            "is no file, and holds an @",
            field="catalogue",
            remedy="Give a file or folder, or FILE@URL as in flights.yaml@https://api.example.com.",
        )
    if re.search(r"[*?\[]", path) and not is_there:
        remedy = "Name the folder, or each file, with its own URL where it has one."
        raise CatalogError("is a pattern, which is not expanded", field=path, remedy=remedy)
    return Source(Path(path), text[parts[-1].end() :] if parts else None)


def split_sources(text: str) -> list[str]:
    """The entries of a list that is separated as `PATH` is.

    Behind a host, a colon and digits are its port.
    """
    return _ENTRY.findall(text)
