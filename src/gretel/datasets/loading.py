"""Data sets: a folder → a catalogue with judged requests."""

import hashlib
from dataclasses import replace
from pathlib import Path

from gretel.contracts.errors import InputError
from gretel.datasets.acebench import read_acebench
from gretel.datasets.apibank import read_apibank
from gretel.datasets.beir import read_beir
from gretel.datasets.halves import Half, take_half
from gretel.datasets.judged import Dataset, GoldCall, JudgedRequest
from gretel.datasets.no_tool import load_no_tool

__all__ = ["Dataset", "GoldCall", "Half", "JudgedRequest", "load_dataset", "load_no_tool"]


def load_dataset(path: Path, *, qrels: str = "test", half: Half | None = None) -> Dataset:
    """The data set in a folder; its files say of which kind it is.

    Kinds: BEIR (`corpus.jsonl`, `queries.jsonl`, `qrels/NAME.tsv`), ACEBench (`normal.jsonl`,
    `special_and_agent.jsonl`) and API-Bank (`tools.jsonl`, `calls.jsonl`). The last two have one
    set of judgements, `test`. With `half`, only the requests of that one (`halves.take_half`).

    Raises:
        InputError: no such folder or judgements, no tools, or none of the requests is left.
        CatalogError: a file cannot be read, or contradicts itself.
    """
    dataset = _read(path, qrels)
    if half is not None:
        kept, spanning = take_half(dataset.requests, dataset.catalog, half)
        digest = hashlib.sha256(f"{dataset.digest} {half}".encode()).hexdigest()
        problems = dataset.problems + spanning
        dataset = replace(dataset, requests=kept, problems=problems, digest=digest)
    _check_usable(dataset, f"{path} {qrels}" + (f", {half} half" if half else ""))
    return dataset


def _check_usable(dataset: Dataset, place: str) -> None:
    if not dataset.requests:
        first = "; ".join(problem.reason for problem in dataset.problems[:1])
        message = f"no judged request is left{f' ({first}, …)' if first else ''}"
        raise InputError(message, field=place, remedy="Give other judgements, or the other half")
    if not len(dataset.catalog):
        raise InputError("has no tools", field=place, remedy="Give those that the judgements name")


def _read(path: Path, qrels: str) -> Dataset:
    if (path / "qrels").is_dir():
        return read_beir(path, qrels)
    for mark, reader in (("normal.jsonl", read_acebench), ("calls.jsonl", read_apibank)):
        if (path / mark).is_file():
            if qrels != "test":
                message = f"has no judgements {qrels!r}"
                raise InputError(message, field=str(path), remedy="It has only `test`")
            return reader(path)
    remedy = "Give a folder with corpus.jsonl, queries.jsonl and qrels/NAME.tsv"
    raise InputError("is not a data set", field=str(path), remedy=remedy)
