"""What MassTool learns from: judged requests, tools, and requests that need no tool."""

import hashlib
import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gretel.catalog import Catalog
from gretel.contracts.errors import InputError
from gretel.contracts.tool import Tool
from gretel.training.judged import is_even, read_qrels
from gretel.training.masstool.first import Asked

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
        idle: requests that need no tool, to learn from; may be empty.
        idle_dev: the same of the development part.
        digest: SHA-256 of the files that were read.
        dropped: what of the requests and judgements could not be used, a sentence each; lines of
            the corpus are `catalog.skipped`.
    """

    catalog: Catalog
    tools: tuple[Tool, ...]
    train: Asked
    dev: Asked
    idle: tuple[str, ...]
    idle_dev: tuple[str, ...]
    digest: str
    dropped: tuple[str, ...] = ()


def read_examples(
    folder: Path, *, qrels: str = "train", negatives: Path | None = None, seed: int = 7
) -> Examples:
    """A folder in BEIR layout; only the judgements `qrels/{qrels}.tsv` are read.

    Args:
        folder: `corpus.jsonl`, `queries.jsonl`, `qrels/`.
        qrels: which judgements.
        negatives: JSONL of requests that need no tool: `{"query": …}`, rows whose `needs_tool` is
            true left out; the rows whose id (its SHA-256) is odd are left for measuring.
        seed: draws the development part.

    Raises:
        InputError: no such file, a line of it is of no use, or fewer than `FEWEST` requests have a
            known tool or, of the `negatives`, are there to be learnt.
        CatalogError: the tools cannot be read.
    """
    files = [folder / "corpus.jsonl", folder / "queries.jsonl", folder / "qrels" / f"{qrels}.tsv"]
    for path in [*files, *([negatives] if negatives else [])]:
        if not path.is_file():
            remedy = "Give a folder with corpus.jsonl, queries.jsonl and qrels/train.tsv."
            raise InputError("is no file", field=str(path), remedy=remedy)
    catalog = Catalog.from_jsonl(files[0])
    tools = tuple(sorted(catalog, key=lambda tool: tool.tool_id))
    asked, dropped = _asked(files, tools)
    if len(asked) < FEWEST:
        remedy = f"Training needs {FEWEST} judged requests at least."
        raise InputError(f"only {len(asked)} requests name a tool", field=qrels, remedy=remedy)
    random.Random(f"{seed} dev").shuffle(asked)
    held = max(1, round(len(asked) * DEV_SHARE))
    idle = _idle(negatives) if negatives else []
    random.Random(f"{seed} idle").shuffle(idle)
    held_idle = round(len(idle) * DEV_SHARE)
    digest = hashlib.sha256(b"".join(map(_digest, [*files, *([negatives] if negatives else [])])))
    return Examples(
        catalog=catalog,
        tools=tools,
        train=_together(asked[held:]),
        dev=_together(asked[:held]),
        idle=tuple(idle[held_idle:]),
        idle_dev=tuple(idle[:held_idle]),
        digest=digest.hexdigest(),
        dropped=dropped,
    )


def _asked(
    files: Sequence[Path], tools: Sequence[Tool]
) -> tuple[list[tuple[str, tuple[int, ...]]], tuple[str, ...]]:
    """Requests with the places of their tools, and what is said of all that was left out."""
    place = {tool.external_id or tool.tool_id: number for number, tool in enumerate(tools)}
    rows = _rows(files[1], "_id", "text")
    texts = {str(row["_id"]): row["text"] for row in rows}
    again = [name for name, times in Counter(str(row["_id"]) for row in rows).items() if times > 1]
    gold = _judgements(files[2])
    known = {
        name: tuple(sorted(place[tool] for tool in gold[name] if tool in place))
        for name in sorted(gold)
    }
    mute = {name for name, text in texts.items() if not isinstance(text, str) or not text.strip()}
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


def _idle(path: Path) -> list[str]:
    """Those to learn from, in the order of their ids.

    Raises:
        InputError: a row is none, or too few are left.
    """
    rows = [row for row in _rows(path, "query", check=_request) if not row.get("needs_tool")]
    ids = [str(row.get("id") or number) for number, row in enumerate(rows, 1)]
    kept = [(name, row["query"]) for name, row in zip(ids, rows, strict=True) if is_even(name)]
    if len(kept) < FEWEST:
        raise InputError(
            f"only {len(kept)} of {len(rows)} requests without need are there to be learnt: the "
            "half whose ids have odd hashes is left for measuring",
            field=str(path),
            remedy=f"Give more, each with an id of its own, so that {FEWEST} are left, or none.",
        )
    return [text for _, text in sorted(kept)]


def _request(row: dict[str, Any]) -> str:
    """What is wrong with a request that may need no tool."""
    if not isinstance(row["query"], str) or not row["query"].strip():
        return "`query` is no text"
    if not isinstance(row.get("needs_tool", False), bool):
        return "`needs_tool` is neither true nor false"
    return ""


def _rows(
    path: Path, *needed: str, check: Callable[[dict[str, Any]], str] = lambda _: ""
) -> list[dict[str, Any]]:
    """The rows of a file, each with what is `needed`, and with nothing that `check` says of it."""
    with path.open("rb") as lines:
        return [
            _row(line, f"{path}:{n}", needed, check)
            for n, line in enumerate(lines, 1)
            if line.strip()
        ]


def _row(
    line: bytes, place: str, needed: Sequence[str], check: Callable[[dict[str, Any]], str]
) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError:
        row = None
    if not isinstance(row, dict) or any(name not in row for name in needed):
        problem = f"is no JSON object with {' and '.join(needed)}"
    else:
        problem = check(row)
    if problem:
        raise InputError(problem, field=place, remedy="Mend or leave out the line.")
    return dict(row)


def _judgements(path: Path) -> dict[str, frozenset[str]]:
    try:
        return read_qrels(path)
    except (KeyError, TypeError, ValueError) as error:
        remedy = "Give columns query-id, corpus-id and score, parted by tabs, with a header."
        raise InputError("holds no judgements", field=str(path), remedy=remedy) from error


def _digest(path: Path) -> bytes:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()
