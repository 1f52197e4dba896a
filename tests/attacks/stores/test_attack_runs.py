"""Lines of a run's folder that hold little and mean much: they are refused before they are read."""

import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from gretel.contracts.errors import InputError
from gretel.datasets.reading import read_lines
from gretel.evaluation.calibration.run import _read
from gretel.evaluation.runs.compare import read_run
from gretel.evaluation.runs.folder import METRICS, ROWS, read_metrics
from gretel.evaluation.runs.journal import Journal
from gretel.evaluation.runs.rows import Row, RowKey, RowLog, read_rows
from gretel.evaluation.runs.trial_store import _kept

LINE = b'{"key": "a", "request_id": "a", "outcome": [' + b"[]," * 3_000_000 + b"[]]}"
"""Nine MB, of which a reader makes two hundred."""

KEY = RowKey(config="c", catalog="d", seed=7)


def _rows(folder: Path) -> None:
    (folder / ROWS).write_bytes(LINE + b"\n")
    read_rows(folder / ROWS)


def _compared(folder: Path) -> None:
    (folder / METRICS).write_text("{}")
    (folder / ROWS).write_bytes(b'{"request_id": "b", "gold": ["x"]}\n' + LINE + b"\n")
    with pytest.raises(InputError, match=rf"damaged \({ROWS}:2\)"):
        read_run(folder)
    read_run(folder)


def _requests(folder: Path) -> None:
    few = LINE.replace(b"[]," * 2_800_000, b"")
    (folder / "queries.jsonl").write_bytes(b"{}\n" + few + b"\n")
    with pytest.raises(InputError, match="queries.jsonl:2: it holds too much"):
        [*read_lines(folder / "queries.jsonl")]
    [*read_lines(folder / "queries.jsonl")]


def _metrics(folder: Path) -> None:
    (folder / METRICS).write_bytes(LINE)
    read_metrics(folder)


READERS: dict[str, Callable[[Path], object]] = {
    "trials": lambda folder: _kept(LINE, 1),
    "rows": _rows,
    "rows to compare": _compared,
    "requests": _requests,
    "metrics": _metrics,
    "asked": lambda folder: [*_read([LINE], None, folder)],  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", READERS)
def test_a_line_of_a_run_takes_no_more_memory_than_one_does(name: str, tmp_path: Path) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(InputError):
            READERS[name](tmp_path)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 120 << 20  # of which some make room for the longest document first


def _few(line: int) -> dict[str, object]:
    return {"request_id": f"q{line}", "gold": [], "text": "w" * 50_000}


@pytest.mark.parametrize(("name", "longest"), [("compared", 1_000_000), ("requests", 21_000_000)])
@pytest.mark.slow
def test_lines_are_read_one_by_one(
    name: str, longest: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is kept of them may be much less than they hold, and a run may be of any length."""
    monkeypatch.setattr("gretel.catalog.document.SIZE_LIMIT", longest)  # which makes room for all
    (tmp_path / METRICS).write_text("{}")
    with (tmp_path / ROWS).open("w") as file:
        for line in range(400):
            print(json.dumps(_few(line)), file=file)
    tracemalloc.start()
    try:
        if name == "compared":
            read_run(tmp_path)
        else:
            assert sum(1 for _ in read_lines(tmp_path / ROWS)) == 400
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # a data set's file is read as a whole first, and cut into lines then
    assert most < (5 << 20 if name == "compared" else 25 << 20)


@pytest.mark.parametrize("line", [b"\n", b"1\n", LINE[:2_000] + b"\n"])
def test_a_run_that_goes_on_reads_its_lines_one_by_one(line: bytes, tmp_path: Path) -> None:
    """Two bytes of an empty line became sixteen times as many."""
    (tmp_path / ROWS).write_bytes(line * (6_000_000 // len(line)))
    tracemalloc.start()
    try:
        with Journal(tmp_path / ROWS) as journal, pytest.raises(InputError, match=f"{ROWS}:1"):
            RowLog(journal, KEY, place=tmp_path / ROWS)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 5 << 20


ODD = ['"repeated": {"a": 1%s}' % ("0" * 400), '"answerable": NaN', '"needs_tool": Infinity']


@pytest.mark.parametrize("odd", ODD, ids=["count", "chance", "need"])
def test_a_number_that_no_run_writes_makes_no_row(odd: str, tmp_path: Path) -> None:
    """Measures are reckoned with it, and charts drawn."""
    row = Row(request_id="q", key=KEY, status="answered", gold=("a",), functioning=("a",))
    (tmp_path / ROWS).write_text(f"{row.line()}\n")
    assert [*read_rows(tmp_path / ROWS)] == ["q"]
    name = odd.partition(":")[0].strip('"')
    kept = {key: value for key, value in json.loads(row.line()).items() if key != name}
    (tmp_path / ROWS).write_text(f"{json.dumps(kept)[:-1]}, {odd}}}\n")
    with pytest.raises(InputError, match=f"{ROWS}:1: is not a row"):
        read_rows(tmp_path / ROWS)


def test_what_is_added_meanwhile_is_no_line_of_the_beginning(tmp_path: Path) -> None:
    (tmp_path / ROWS).write_bytes(b"a\n\nb\nhalf")
    with Journal(tmp_path / ROWS) as journal:
        lines = iter(journal.lines)
        assert next(lines) == b"a"
        journal.append("c")
        assert [*lines] == [b"", b"b"]
        assert [*journal.lines] == [b"a", b"", b"b"]
    assert (tmp_path / ROWS).read_bytes() == b"a\n\nb\nc\n"


def test_lines_of_a_data_set_hold_no_more_than_a_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gretel.catalog.formats.lines.NODE_LIMIT", 1_000)
    path = tmp_path / "queries.jsonl"
    path.write_text((json.dumps({"metadata": [1] * 50}) + "\n") * 15)
    assert sum(1 for _ in read_lines(path)) == 15
    path.write_text((json.dumps({"metadata": [1] * 50}) + "\n") * 30)
    with pytest.raises(InputError, match="queries.jsonl: holds more than 1,000 values"):
        [*read_lines(path)]
