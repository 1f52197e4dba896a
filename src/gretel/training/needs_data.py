"""Requests that ask for a tool and requests that need none, from their development parts."""

import hashlib
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gretel.datasets.acebench_turns import read_conversation
from gretel.training.judged import Collection, is_even

AWARE = "metatool_awareness/awareness.jsonl"
IDLE = "tooldet/negatives.jsonl"

WRITTEN = "written"
"""Requests written by hand, because the collections know few short orders, and the other requests
that need no tool are few or of one kind. One a line; learnt from, never measured on."""
ASKING, IDLING = (Path(__file__).with_name(f"{kind}_requests.txt") for kind in ("asking", "idle"))

PLAIN = (
    ("nestful", "nestful/non-executable-glaive_queries.jsonl", "query"),
    ("nestful", "nestful/non-executable-sgd_queries.jsonl", "query"),
    ("comptoolbench", "comptoolbench/tasks.jsonl", "query"),
    ("apibench", "apibench_huggingface/queries.jsonl", "text"),
)
"""Source, file, and the key of the request; all of these ask for a tool."""


class Requests(NamedTuple):
    """The requests of one file or collection, all of one kind."""

    source: str
    """What is left out together: where the wording is of one hand."""
    asks: bool
    """Whether they ask for a tool."""
    texts: tuple[str, ...]


def requests_of(data: Path, collections: Iterable[Collection]) -> list[Requests]:
    """What the wording is learnt from: the collections, and files without a catalogue."""
    found = [
        Requests(one.name, True, tuple(request.text for request in one.requests))
        for one in collections
    ]
    found += [
        Requests(name, True, tuple(str(row[key]) for row in _rows(data / file)))
        for name, file, key in PLAIN
    ]
    found.append(Requests("acebench_en", True, tuple(_acebench(data / "acebench_en"))))
    judged = list(_rows(data / AWARE))
    needed, idle = (
        tuple(row["query"] for row in judged if row["needs_tool"] is asks and is_even(row["id"]))
        for asks in (True, False)
    )
    chat = tuple(row["query"] for row in _rows(data / IDLE) if is_even(row["id"]))
    return [
        *found,
        Requests("metatool_toole", True, needed),
        Requests("metatool_awareness", False, idle),
        Requests("tooldet", False, chat),
        Requests(WRITTEN, True, tuple(ASKING.read_text("utf-8").splitlines())),
        Requests(WRITTEN, False, tuple(IDLING.read_text("utf-8").splitlines())),
    ]


def aware(data: Path) -> frozenset[str]:
    """Texts of `AWARE`, without what copies differ in: many stand in metatool_toole, too."""
    return frozenset(plain(row["query"]) for row in _rows(data / AWARE))


def plain(text: str) -> str:
    """A text without what copies differ in."""
    return " ".join(text.casefold().split())


def folds(texts: Sequence[str], count: int, *, seed: int) -> list[list[int]]:
    """Places of the texts, dealt out to `count` hands."""
    places = list(range(len(texts)))
    random.Random(seed).shuffle(places)
    return [sorted(places[start::count]) for start in range(count)]


def files_digest(data: Path) -> str:
    """SHA-256 of the files that are no collection, `ASKING` and `IDLING` among them."""
    digest = hashlib.sha256()
    own = [f"acebench_en/{name}.jsonl" for name in ("normal", "special_and_agent")]
    for file in (AWARE, IDLE, *(file for _, file, _ in PLAIN), *own):
        digest.update((data / file).read_bytes())
    for written in (ASKING, IDLING):
        digest.update(written.read_bytes())
    return digest.hexdigest()


def _acebench(folder: Path) -> Iterator[str]:
    """Last turns of the conversations whose every right tool belongs to the dev half."""
    for row in _rows(folder / "normal.jsonl"):
        truth = row["ground_truth"]
        calls = truth if isinstance(truth, list) else [truth]
        names = {name for call in calls for name in call}
        if names and all(map(is_even, names)):
            yield read_conversation(row).text


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)
