"""A few hundred of the documents and answers that `make soak` generates by the ten thousand."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks"))

from fuzz import GROWN_MB, run


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
async def test_no_generated_document_or_answer_breaks_or_stalls_anything() -> None:
    fuzz, grown = await run(300, 300, seed=1_000_000)
    # How long the loop was held is measured by the soak, where nothing else runs.
    broken = [finding for finding in fuzz.findings if "held the loop" not in finding.what]
    assert not broken
    assert grown < GROWN_MB
    assert fuzz.ends["trial: succeeded"] and fuzz.ends["trial: failed"]
    assert fuzz.server.came["GET"]
