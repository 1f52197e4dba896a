"""Requests that ask for a tool and requests that need none, from their development parts."""

import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from gretel.datasets import acebench
from gretel.datasets.acebench_rows import read_ace_rows
from gretel.datasets.acebench_turns import read_conversation
from gretel.datasets.halves import half_of
from gretel.datasets.no_tool import read_prompts
from gretel.datasets.reading import contents_digest, read_lines, same_text
from gretel.training.data.judged import Collection
from gretel.training.data.written import written_files, written_texts

AWARE = "metatool_awareness/awareness.jsonl"
NO_TOOL = "tooldet/negatives.jsonl"

WRITTEN = "written"
"""Requests written by hand, because the collections know few short orders, and the other requests
that need no tool are few or of one kind. One a line; learnt from, never measured on."""
WRITTEN_TOOL, WRITTEN_NO_TOOL = (
    Path(__file__).with_name(f"{kind}_requests.txt") for kind in ("tool", "no_tool")
)

OPERATIONS = "operations"
"""Requests that a language model wrote for operations of real documents (`benchmarks/written`), in
English: orders and questions after the records of a system, in words that its documents lack."""
DRAWN = 5_000
"""Of those of the train part, less than half; their weight does not grow with their number."""

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


def requests_of(data: Path, written: Path, collections: Iterable[Collection]) -> list[Requests]:
    """What the wording is learnt from: the collections, and files without a catalogue."""
    found = [
        Requests(one.name, True, tuple(request.text for request in one.requests))
        for one in collections
    ]
    found += [
        Requests(name, True, tuple(str(row[key]) for _, row in read_lines(data / file)))
        for name, file, key in PLAIN
    ]
    found.append(Requests("acebench_en", True, tuple(_acebench(data / "acebench_en"))))
    needed, no_tool = (_prompts(data / AWARE, needs_tool=asks) for asks in (True, False))
    return [
        *found,
        Requests("metatool_toole", True, needed),
        Requests("metatool_awareness", False, no_tool),
        Requests("tooldet", False, _prompts(data / NO_TOOL, needs_tool=False)),
        Requests(OPERATIONS, True, _drawn(written_texts(written, "train"))),
        Requests(WRITTEN, True, tuple(WRITTEN_TOOL.read_text("utf-8").splitlines())),
        Requests(WRITTEN, False, tuple(WRITTEN_NO_TOOL.read_text("utf-8").splitlines())),
    ]


def aware(data: Path) -> frozenset[str]:
    """Texts of `AWARE`, without what copies differ in: many stand in metatool_toole, too."""
    return frozenset(same_text(prompt.text) for prompt in read_prompts(data / AWARE))


def folds(texts: Sequence[str], count: int, *, seed: int) -> list[list[int]]:
    """Places of the texts, dealt out to `count` hands."""
    places = list(range(len(texts)))
    random.Random(seed).shuffle(places)
    return [sorted(places[start::count]) for start in range(count)]


def files_digest(data: Path, written: Path) -> str:
    """SHA-256 of the files that are no collection, what was written among them."""
    named = (AWARE, NO_TOOL, *(file for _, file, _ in PLAIN))
    conversations = (data / "acebench_en" / name for name in acebench.FILES)
    return contents_digest(
        [
            *(data / name for name in named),
            *conversations,
            WRITTEN_TOOL,
            WRITTEN_NO_TOOL,
            *written_files(written),
        ]
    )


def _drawn(texts: Sequence[str]) -> tuple[str, ...]:
    """`DRAWN` of them, the same for the same texts."""
    shuffled = list(texts)
    random.Random(7).shuffle(shuffled)
    return tuple(shuffled[:DRAWN])


def _prompts(path: Path, *, needs_tool: bool) -> tuple[str, ...]:
    """Those of the dev half."""
    return tuple(
        prompt.text
        for prompt in read_prompts(path)
        if prompt.needs_tool is needs_tool and half_of(prompt.prompt_id) == "dev"
    )


def _acebench(folder: Path) -> Iterator[str]:
    """Last turns of the conversations whose every right tool belongs to the dev half."""
    for row in read_ace_rows(folder / acebench.FILES[0]):
        if row.calls and all(half_of(call.written) == "dev" for call in row.calls):
            yield read_conversation(row.content).text
