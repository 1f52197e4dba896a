"""What MassTool learns from: judged requests, tools, and requests that need no tool."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from gretel.catalog import Catalog
from gretel.contracts.errors import InputError
from gretel.contracts.tool import Tool
from gretel.datasets.beir import Query, beir_files, read_queries
from gretel.datasets.halves import half_of
from gretel.datasets.no_tool import Prompt, read_prompts
from gretel.datasets.qrels import read_qrels
from gretel.datasets.reading import files_digest
from gretel.training.masstool.first import Asked

_Row = TypeVar("_Row", Query, Prompt)

DEV_SHARE = 0.1
FEWEST = 20
"""Requests of a kind, without which nothing is learnt of it and nothing held out."""


@dataclass(frozen=True)
class Examples:
    """Requests to learn from, and those on which the training looks at itself.

    Attributes:
        catalog: the tools.
        tools: the same in tool_id order; `Asked.gold` are places in it.
        train: what is learnt from.
        dev: drawn from the same judgements, learnt from only when everything is chosen.
        no_tool: requests that need no tool, to learn from; may be empty.
        no_tool_dev: the same of the development part.
        digest: SHA-256 of the files that were read.
        dropped: what of the requests and judgements could not be used, a sentence each; lines of
            the corpus are `catalog.skipped`.
    """

    catalog: Catalog
    tools: tuple[Tool, ...]
    train: Asked
    dev: Asked
    no_tool: tuple[str, ...]
    no_tool_dev: tuple[str, ...]
    digest: str
    dropped: tuple[str, ...] = ()


def read_examples(
    folder: Path, *, qrels: str = "train", no_tool: Path | None = None, seed: int = 7
) -> Examples:
    """A folder in BEIR layout; only the judgements `qrels/{qrels}.tsv` are read.

    Args:
        folder: `corpus.jsonl`, `queries.jsonl`, `qrels/`.
        qrels: which judgements.
        no_tool: JSONL of requests that need no tool: `{"query": …}`, rows whose `needs_tool` is
            true left out; the rows whose id (its SHA-256) is odd are left for measuring.
        seed: draws the development part.

    Raises:
        InputError: no such file, a line of it is of no use, or fewer than `FEWEST` requests have a
            known tool or, of `no_tool`, are there to be learnt.
        CatalogError: the tools cannot be read.
    """
    files = beir_files(folder, qrels)
    read = [*files, no_tool] if no_tool else files
    for path in read[:2] + read[3:]:  # judgements that are not there are named by their reader
        if not path.is_file():
            layout = "a folder with corpus.jsonl, queries.jsonl and qrels/NAME.tsv"
            wanted = "JSONL of requests that need no tool" if path is no_tool else layout
            raise InputError("is not a file", field=str(path), remedy=f"Give {wanted}.")
    catalog = Catalog.from_jsonl(files[0])
    tools = tuple(sorted(catalog, key=lambda tool: tool.tool_id))
    asked, dropped = _asked(files, tools)
    if len(asked) < FEWEST:
        remedy = f"Training needs {FEWEST} judged requests at least."
        raise InputError(f"only {len(asked)} requests name a tool", field=qrels, remedy=remedy)
    random.Random(f"{seed} dev").shuffle(asked)
    held = max(1, round(len(asked) * DEV_SHARE))
    prompts = _no_tool(no_tool) if no_tool else []
    random.Random(f"{seed} idle").shuffle(prompts)  # the word decides what is drawn
    held_prompts = round(len(prompts) * DEV_SHARE)
    return Examples(
        catalog=catalog,
        tools=tools,
        train=_together(asked[held:]),
        dev=_together(asked[:held]),
        no_tool=tuple(prompts[held_prompts:]),
        no_tool_dev=tuple(prompts[:held_prompts]),
        digest=files_digest(read),
        dropped=dropped,
    )


def _asked(
    files: Sequence[Path], tools: Sequence[Tool]
) -> tuple[list[tuple[str, tuple[int, ...]]], tuple[str, ...]]:
    """Requests with the places of their tools, and what is said of all that was left out."""
    place = {tool.external_id or tool.tool_id: number for number, tool in enumerate(tools)}
    queries = list(_sound(read_queries(files[1])))
    texts = {query.query_id: query.text for query in queries}
    again = [name for name, n in Counter(query.query_id for query in queries).items() if n > 1]
    judged = read_qrels(files[2]).gold
    gold = {name: judged[name] for name in judged if judged[name]}
    known = {
        name: tuple(sorted(place[tool] for tool in gold[name] if tool in place))
        for name in sorted(gold)
    }
    mute = {name for name, text in texts.items() if not text.strip()}
    pairs = [(name, tool) for name in known for tool in sorted(gold[name])]
    strange = [name for name, _ in pairs if name not in texts]
    foreign = [tool for _, tool in pairs if tool not in place]
    toolless = [name for name in known if name in texts and not known[name]]
    said = (
        _left_out(again, f"{len(texts)} requests", "more than one line, of which the last counts"),
        _left_out(strange, f"{len(pairs)} judgements", f"no such request in {files[1].name}"),
        _left_out(foreign, f"{len(pairs)} judgements", f"no such tool in {files[0].name}"),
        _left_out(toolless, f"{len(gold)} requests", "none of their tools is known"),
        _left_out([name for name in known if name in mute], f"{len(gold)} requests", "no text"),
    )
    used = (name for name in known if known[name] and name in texts and name not in mute)
    return [(texts[name], known[name]) for name in used], tuple(filter(None, said))


def _left_out(names: Sequence[str], of: str, why: str) -> str:
    return f"{len(names)} of {of}: {why} (the first: {names[0][:80]!r})" if names else ""


def _together(asked: Sequence[tuple[str, tuple[int, ...]]]) -> Asked:
    return Asked(tuple(text for text, _ in asked), tuple(gold for _, gold in asked))


def _no_tool(path: Path) -> list[str]:
    """Those to learn from, in the order of their ids.

    Raises:
        InputError: a row is none, or too few are left.
    """
    rows = [row for row in _sound(read_prompts(path)) if not row.needs_tool]
    kept = [(row.prompt_id, row.text) for row in rows if half_of(row.prompt_id) == "dev"]
    if len(kept) < FEWEST:
        raise InputError(
            f"only {len(kept)} of {len(rows)} no-tool requests are there to be learnt: the "
            "half whose ids have odd hashes is left for measuring",
            field=str(path),
            remedy=f"Give more, each with an id of its own, so that {FEWEST} are left, or none.",
        )
    return [text for _, text in sorted(kept)]


def _sound(rows: Iterable[_Row]) -> Iterator[_Row]:
    """The rows.

    Raises:
        InputError: with one of them something is wrong.
    """
    for row in rows:
        if row.problem:
            remedy = "Correct the line, or leave it out."
            raise InputError(row.problem, field=row.place, remedy=remedy)
        yield row
