"""What trainings are made of is read as all other data: line by line, bounded, without NaN."""

import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from gretel.contracts.errors import CatalogError
from gretel.training import fitting
from gretel.training.data import real, written
from gretel.training.evidence import _rows, _settings
from gretel.training.resume import At

FULL = b'{"_id": "a", "slice": "a", "part": "train", "text": [' + b"[]," * 900_000 + b"[]]}\n"
"""Three MB, of which a reader makes seventy."""


def _strangers(folder: Path) -> object:
    return [*fitting.rows_of([folder / "rows.jsonl"])]


def _services(folder: Path) -> object:
    return real.real_collections([folder], folder / "requests.jsonl", [], None)  # type: ignore[arg-type]


READERS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "rows of a run": ("rows.jsonl", lambda folder: [*_rows(folder)]),
    "rows of strangers": ("rows.jsonl", _strangers),
    "requests of services": ("requests.jsonl", _services),
    "written requests": ("requests.jsonl", lambda folder: written._read(folder, "train")),
}
FIRST = '{"_id": "a", "title": "a", "text": "b", "slice": "a", "part": "train", "kind": "x"}\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "slices.json").write_text('{"a": {"part": "train"}}')
    (tmp_path / "services.json").write_text("[]")
    return tmp_path


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("line", [b"{'a': 1}\n", b"\xff\n", b'{"a": ' + b"[" * 100_000, FULL])
def test_a_line_that_cannot_be_read_is_named(name: str, line: bytes, folder: Path) -> None:
    file, read = READERS[name]
    (folder / file).write_bytes(FIRST.encode() + line)
    tracemalloc.start()
    try:
        with pytest.raises(CatalogError, match=file):
            read(folder)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 130 << 20  # of which some make room for the longest document first


@pytest.mark.parametrize(
    ("file", "read"),
    [
        ("run.json", _settings),
        ("services.json", _services),
        ("slices.json", lambda folder: written._read(folder, "train")),
    ],
    ids=["a run", "services", "slices"],
)
def test_a_file_that_cannot_be_read_is_named(
    file: str, read: Callable[[Path], object], folder: Path
) -> None:
    (folder / "requests.jsonl").write_text("")
    (folder / file).write_text("{'a': 1}")
    with pytest.raises(CatalogError, match=f"{file}: is not JSON"):
        read(folder)


def test_what_is_no_number_is_none(folder: Path) -> None:
    (folder / "rows.jsonl").write_text('{"answerable": NaN, "best": 1e999, "kind": "chat"}\n')
    (row,) = fitting.rows_of([folder / "rows.jsonl"])
    assert (row["answerable"], row["best"]) == (None, None)
    assert fitting.judged([row]) == []


@pytest.mark.parametrize("best", ["NaN", "Infinity", "-Infinity", "1e999", "[" * 100_000])
def test_no_training_stands_at_what_is_no_number(best: str) -> None:
    """Nothing would ever be better than that."""
    notes = At().notes
    with pytest.raises(ValueError):
        At.of({**notes, "best": best})
    assert At.of(notes | {"best": json.dumps(0.5)}).best == 0.5
