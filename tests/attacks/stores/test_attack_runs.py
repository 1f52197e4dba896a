"""Lines of a run's folder that hold little and mean much: they are refused before they are read."""

import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from gretel.contracts.errors import InputError
from gretel.evaluation.calibration.run import _read
from gretel.evaluation.runs.folder import METRICS, ROWS, read_metrics
from gretel.evaluation.runs.rows import read_rows
from gretel.evaluation.runs.trial_store import _kept

LINE = b'{"key": "a", "request_id": "a", "outcome": [' + b"[]," * 3_000_000 + b"[]]}"
"""Nine MB, of which a reader makes two hundred."""


def _rows(folder: Path) -> None:
    (folder / ROWS).write_bytes(LINE + b"\n")
    read_rows(folder / ROWS)


def _metrics(folder: Path) -> None:
    (folder / METRICS).write_bytes(LINE)
    read_metrics(folder)


READERS: dict[str, Callable[[Path], object]] = {
    "trials": lambda folder: _kept(LINE, 1),
    "rows": _rows,
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
