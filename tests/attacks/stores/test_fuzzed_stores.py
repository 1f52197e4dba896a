"""Some of the tampered stores that `benchmarks/robustness/fuzz_stores.py` makes by the thousand."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")


@pytest.fixture
def fuzzer(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.chdir(tmp_path)
    path = root / "benchmarks" / "robustness" / "fuzz_stores.py"
    spec = importlib.util.spec_from_file_location("fuzz_stores", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_every_tampered_store_is_read_or_refused(fuzzer: ModuleType) -> None:
    ends, wrong = fuzzer.fuzz(60, seed=18)

    assert wrong == []
    assert ends["IndexCorrupt"] > 30
    assert sum(ends.values()) == 60
