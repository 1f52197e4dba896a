"""The API documents of the example, with the ports filled in that its servers run on."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from gretel.catalog import Catalog

SPECS = Path(__file__).parent / "specs"
LIVE_PORT, DEAD_PORT = 8731, 8732
"""The ports that the documents name: that of the server, and one where nothing answers."""

Document: TypeAlias = Mapping[str, Any]


def read_documents() -> list[Document]:
    """All documents of the example, by file name."""
    return [yaml.safe_load(path.read_bytes()) for path in sorted(SPECS.glob("*.yaml"))]


def base_path(document: Document) -> str:
    """The path under which a document's server stands, such as `/kayak`."""
    url: str = document["servers"][0]["url"]
    return "/" + url.rstrip("/").rsplit("/", 1)[1]


def is_dead(document: Document) -> bool:
    """Whether the document names a server that does not exist."""
    return int(document["servers"][0]["variables"]["port"]["default"]) == DEAD_PORT


def with_ports(document: Document, *, live: int, dead: int) -> Document:
    """A copy of a document as read, whose server is on port `live`; if it `is_dead`, on `dead`."""
    server = document["servers"][0]
    port = {"default": str(dead if is_dead(document) else live)}
    return {**document, "servers": [{**server, "variables": {"port": port}}]}


def catalogue(documents: Iterable[Document]) -> Catalog:
    """One catalogue of all documents."""
    return sum((Catalog.from_openapi(document) for document in documents), Catalog())
