"""The real services of `benchmarks/real`, as collections to fit on.

`start.py --out DIR` leaves `services.json` in DIR, and in `DIR/documents` what each service says of
itself; what is asked stands in `requests.jsonl`. Only parts that are developed on are read. A part
that joins them changes no file that is fitted already: each names the parts it was fitted on.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from gretel.catalog import Catalog
from gretel.catalog.document import as_list, as_object, as_text
from gretel.contracts.ranking import Message, Request
from gretel.contracts.tool import HttpBinding, Tool
from gretel.datasets.reading import read_json, read_lines
from gretel.nodes.conversation import in_view
from gretel.nodes.retrieve.semantic.signals import ToolIndex, dense_text
from gretel.training.data.judged import Collection, Judged, VectorCache

PARTS = (
    "develop",
    "develop_b",
    "develop_c",
    "develop_d",
    "develop_e",
    "develop_f",
    "develop_g",
)
Json: TypeAlias = dict[str, Any]
TODAY = "2026-01-01"
"""No date takes part in what is retrieved."""


def real_collections(
    folders: Sequence[Path], requests: Path, parts: Sequence[str], cache: VectorCache
) -> list[Collection]:
    """A collection for each part: the documents of its services, and what is asked of them.

    Args:
        folders: where services were started; together they hold those of all parts.
        requests: `requests.jsonl`.
        parts: some of `PARTS`.
        cache: of vectors.
    """
    services = [
        {**each, "document": folder / "documents" / Path(as_text(each["document"])).name}
        for folder in folders
        for each in map(as_object, as_list(read_json(folder / "services.json")))
    ]
    asked = [row for _, row in read_lines(requests)]
    return [
        real_collection(
            part,
            [each for each in services if each["part"] == part],
            [each for each in asked if each["part"] == part],
            cache,
        )
        for part in parts
    ]


def real_collection(
    part: str, services: Iterable[Json], asked: Sequence[Json], cache: VectorCache
) -> Collection:
    """One part; of its requests those that some tool serves."""
    catalog, served_by, read = Catalog(), dict[str, str](), hashlib.sha256()
    for service in services:
        found = _documented(service)
        catalog = catalog + found
        served_by |= dict.fromkeys(found.base_urls, str(service["name"]))
        read.update(service["document"].read_bytes())
    read.update(json.dumps(asked, sort_keys=True).encode())
    tools = list(catalog)
    places: dict[tuple[str, str], set[int]] = {}
    for place, tool in enumerate(tools):
        places.setdefault(_operation(tool, served_by), set()).add(place)
    requests = [Judged(_text(each), _right(each, places)) for each in asked]
    vectors = cache.documents(f"real-{part}", [dense_text(tool) for tool in tools])
    served = tuple(request for request in requests if request.gold)
    index = ToolIndex(tools, vectors, tuned=cache.tuned)
    return Collection(f"real-{part}", index, served, read.hexdigest())


def _documented(service: Json) -> Catalog:
    """The tools of one service."""
    if service["kind"] == "mcp":
        return Catalog.from_mcp(service["document"].read_bytes(), server=service["name"])
    return Catalog.from_openapi(service["document"], base_url=service["base_url"])


def _operation(tool: Tool, served_by: dict[str, str]) -> tuple[str, str]:
    """The service of a tool, and its operation as `requests.jsonl` names it."""
    binding = tool.binding
    if isinstance(binding, HttpBinding):
        return served_by[binding.servers[0]], f"{binding.method} {binding.path}"
    return tool.toolkit, tool.operation


def _text(asked: Json) -> str:
    """What is searched for."""
    said = tuple(Message(role="user", content=turn) for turn in asked.get("history", ()))
    return in_view(Request(text=asked["text"], messages=said, today=TODAY))


def _right(asked: Json, places: dict[tuple[str, str], set[int]]) -> frozenset[int]:
    """Places of the tools that serve a request."""
    calls = [*asked["gold"], *asked["also_right"]]
    found = (places.get((asked["service"], call["operation"]), set()) for call in calls)
    return frozenset[int]().union(*found)
