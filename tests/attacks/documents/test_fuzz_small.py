"""A few hundred of the documents and answers that `make soak` generates by the ten thousand."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[3] / "benchmarks" / "robustness"))

from fuzz import GROWN_MB, run, total


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
async def test_no_generated_document_or_answer_breaks_or_stalls_anything() -> None:
    found = total([piece async for piece in run(300, 300, seed=1_000_000)])
    # How long the loop was held is measured by the soak, where nothing else runs.
    assert not [what for _, _, what in found.findings if "held the loop" not in what]
    assert found.grown_mb < GROWN_MB
    assert found.ends["trial: succeeded"] and found.ends["trial: failed"]
    assert found.cases == 600 and found.sent
