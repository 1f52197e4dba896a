"""Mutated real documents: whatever is changed, a catalogue or one clear error comes of it."""

import copy
import json
import os
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from gretel.catalog import Catalog
from gretel.catalog.arguments import argument_problems
from gretel.catalog.document import decode, parse_document
from gretel.catalog.retrieval_text import retrieval_text
from gretel.contracts.errors import InputError

HERE = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("GRETEL_DATA") or HERE.parent / "shared" / "data") / "openapi"
LARGEST = 60_000
"""Bytes of the documents that are mutated."""
ROUNDS = 120
VALUES: tuple[Any, ...] = (
    *(None, True, -1, 10**400, 1.5, "", "x" * 10_000, "\u202e\u200b", "\ud800", [], {}, [[]]),
    *({"$ref": "#"}, {"$ref": "#/paths"}, {"$ref": "file:///etc/passwd"}, {"allOf": [{}]}),
    *({"type": ["object", "null"]}, {"pattern": "^(a+)+$"}, {"__proto__": {}}, [1] * 1_000),
)

needs_data = pytest.mark.skipif(
    not DATA.is_dir(), reason="the OpenAPI documents are not here (set GRETEL_DATA)"
)


@cache
def documents() -> tuple[bytes, ...]:
    """Small real documents, in one order."""
    files = sorted(file for file in DATA.rglob("*") if file.suffix in (".json", ".yaml"))
    return tuple(f.read_bytes() for f in files if f.stat().st_size <= LARGEST)


def containers(value: Any) -> list[Any]:
    """Every object and array with something in it."""
    found, pending = [], [value]
    while pending:
        item = pending.pop()
        if isinstance(item, dict | list) and item:
            found.append(item)
            pending.extend(item.values() if isinstance(item, dict) else item)
    return found


def mutate(content: Any, rng: random.Random) -> Any:
    """The document with a few parts replaced, removed, doubled, renamed or moved."""
    changed = copy.deepcopy(content)
    for _ in range(rng.randint(1, 6)):
        places = containers(changed)
        if not places:
            return changed
        here, there = rng.choice(places), rng.choice(places)
        key = rng.choice(list(here) if isinstance(here, dict) else range(len(here)))
        match rng.randrange(4):
            case 0:
                here[key] = copy.deepcopy(rng.choice(VALUES))
            case 1:
                del here[key]
            case 2:
                here[key] = copy.deepcopy(there)
            case _ if isinstance(here, dict):
                here[rng.choice(("$ref", "\u202e", "n" * 2_000, "type", "paths"))] = here.pop(key)
    return changed


def corrupt(data: bytes, rng: random.Random) -> bytes:
    """The bytes with a few of them replaced, removed or doubled."""
    broken = bytearray(data)
    for _ in range(rng.randint(1, 8)):
        start = rng.randrange(len(broken) + 1)
        end = start + rng.choice((0, 1, 1, 2, 50))
        broken[start:end] = rng.choice(
            (b"", b"\0", b"\xff\xfe", b"{", b"]", b"*a", b"&a ", b"<<: ", broken[start:end] * 3)
        )
    return bytes(broken)


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
@pytest.mark.parametrize("seed", range(4))
def test_any_change_of_a_real_document(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(ROUNDS // 4):
        data = rng.choice(documents())
        try:
            content = parse_document(decode(data, place="x"), place="x")
        except InputError:
            continue
        exercise(json.dumps(mutate(content, rng)).encode())


@needs_data
@pytest.mark.parametrize("seed", range(4))
def test_any_broken_bytes_of_a_real_document(seed: int) -> None:
    rng = random.Random(100 + seed)
    for _ in range(ROUNDS // 4):
        exercise(corrupt(rng.choice(documents()), rng))
