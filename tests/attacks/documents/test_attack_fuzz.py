"""Mutated real documents: whatever is changed, a catalogue or one clear error comes of it."""

import os
import random
import sys
from functools import cache
from pathlib import Path

import pytest

from lanes import every

sys.path.append(str(Path(__file__).resolve().parents[3] / "benchmarks" / "robustness"))

from fuzz_values import corrupted, mutated, written

from gretel.catalog import Catalog
from gretel.catalog.arguments import argument_problems
from gretel.catalog.document import decode, parse_document
from gretel.catalog.retrieval_text import retrieval_text
from gretel.contracts.errors import InputError

HERE = Path(__file__).resolve().parents[3]
DATA = Path(os.environ.get("GRETEL_DATA") or HERE.parent / "shared" / "data") / "openapi"
LARGEST = 60_000
"""Bytes of the documents that are mutated."""
ROUNDS = 120

needs_data = pytest.mark.skipif(
    not DATA.is_dir(), reason="the OpenAPI documents are not here (set GRETEL_DATA)"
)


@cache
def documents() -> tuple[bytes, ...]:
    """Small real documents, in one order."""
    files = sorted(file for file in DATA.rglob("*") if file.suffix in (".json", ".yaml"))
    return tuple(f.read_bytes() for f in files if f.stat().st_size <= LARGEST)


def exercise(data: bytes) -> None:
    """A catalogue whose tools can be stored, found and checked; or an error with a remedy."""
    try:
        catalog = Catalog.from_openapi(data)
    except InputError as error:
        assert error.field and error.remedy and len(str(error)) < 2_000
        return
    for tool in list(catalog)[:5]:
        assert tool == tool.model_validate_json(tool.model_dump_json())
        assert len(retrieval_text(tool)) < 8_000
        argument_problems(tool, {"id": "x", "q": [1]})
    assert len(catalog.digest) == 64


@needs_data
@pytest.mark.parametrize("seed", every(4, range(4)))
def test_any_change_of_a_real_document(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(ROUNDS // 4):
        data = rng.choice(documents())
        try:
            content = parse_document(decode(data, place="x"), place="x")
        except InputError:
            continue
        exercise(written(mutated(rng, content)))


@needs_data
@pytest.mark.parametrize("seed", range(4))
def test_any_broken_bytes_of_a_real_document(seed: int) -> None:
    rng = random.Random(100 + seed)
    for _ in range(ROUNDS // 4):
        exercise(corrupted(rng, rng.choice(documents())))
