"""Tampered index and artefact folders, generated: each is read, or refused by a typed error.

    python benchmarks/robustness/fuzz_stores.py [--stores 2000] [--seed 0]

Each store is a good folder of which one to three files were tampered with: bytes flipped, cut,
added or doubled, numbers and texts of a head changed, its digests forged to fit, files swapped, or
replaced by links, pipes, devices and files of a terabyte. What is not read must end as
`IndexCorrupt` or `ConfigurationError`; no file outside the folder changes, nothing leaves a mark,
and resident memory does not grow by more than 200 MB. Prints the counts; exits with 1 where
something else happened, and names the store. Needs /proc (Linux).
"""

import argparse
import hashlib
import json
import os
import random
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from fakes import tool
from gretel.contracts.errors import ConfigurationError, IndexCorrupt
from gretel.nodes.retrieve.encoding.store import EmbeddingStore
from gretel.nodes.retrieve.masstool.artifact import (
    Artifact,
    Calibration,
    Manifest,
    read_artifact,
    write_artifact,
)
from gretel.nodes.retrieve.masstool.config import Shape
from gretel.nodes.retrieve.masstool.model import MassTool
from gretel.nodes.retrieve.masstool.pool import Pool
from gretel.nodes.retrieve.masstool.reader import Reader, opened_model
from gretel.nodes.retrieve.stage.pins import Pins

WIDTH = 8
KEYS = [hashlib.sha256(bytes([number])).hexdigest() for number in range(6)]
TOOLS = [tool("Sky.now", "The weather now."), tool("Sea.waves", "Heights of waves.")]
MOST_MB = 200.0
MARK = "gretel-was-here"
NUMBERS = (-1, 0, 1, 7, 2**31, 2**63, 10**30, 1e308, -0.0, float("nan"), True, None, "", [], {})
TEXTS = ("", "..", "/etc/passwd", "\x00", "é" * 99, "__reduce__", "torch.load", f"touch {MARK}")


def main() -> int:
    """Fuzz as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--stores", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    ends, wrong = fuzz(options.stores, options.seed)
    sys.stdout.write("".join(f"{end}: {count}\n" for end, count in sorted(ends.items())))
    sys.stdout.write("".join(f"WRONG {each}\n" for each in wrong))
    return 1 if wrong else 0


def fuzz(stores: int, seed: int) -> tuple[Counter[str], list[str]]:
    """How the stores ended, and which ended as none may."""
    ends: Counter[str] = Counter()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        good = _good(place / "good")
        (place / "victim").write_text("mine")
        _end_of(good)
        before = memory_mb()
        for number in range(stores):
            end = _end_of(_tampered(good, place, random.Random(f"{seed} {number}")))
            ends[end] += 1
            grown = memory_mb() - before
            if end.startswith("raw") or grown > MOST_MB or not _unharmed(place):
                wrong.append(f"store {number} of seed {seed}: {end}, {grown:.0f} MB grown")
    return ends, wrong


def memory_mb() -> float:
    """The most memory that this process ever had (it cannot be set back without privileges)."""
    found = re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def _unharmed(place: Path) -> bool:
    return (place / "victim").read_text() == "mine" and not Path(MARK).exists()


def _good(folder: Path) -> Path:
    """An index with a batch beside it, and an artefact."""
    rows = np.random.default_rng(7).normal(size=(len(KEYS), WIDTH)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    store = EmbeddingStore(folder / "index", model="m")
    store.seal(dict(zip(KEYS[:4], rows, strict=False)), catalog_digest="c")
    store.write(KEYS[4:], rows[4:])
    Pins(folder / "index").renew(TOOLS)
    shape = Shape(width=WIDTH)
    manifest = Manifest(
        encoder=None,
        encoder_digest="0",
        shape=shape,
        calibration=Calibration(),
        catalog_digest="0",
        tools={"Sky.now": "a", "Sea.waves": "b"},
        files={},
        made={"key": "1"},
    )
    pool = Pool(torch.eye(WIDTH)[:3], ((0,), (1,), (0, 1)))
    weights = MassTool(shape).state_dict()
    write_artifact(Artifact(manifest, weights, {}, pool, torch.eye(WIDTH)[:2]), folder / "art")
    return folder


def _end_of(folder: Path) -> str:
    """How reading and writing the folder ends."""
    try:
        pins = Pins.read(folder / "index")
        store = EmbeddingStore(folder / "index", model="m")
        found = store.read(set(KEYS), width=WIDTH)
        artifact = read_artifact(folder / "art")
        reader = Reader(opened_model(artifact), artifact.pool, artifact.texts)
        if found:
            store.seal(found, catalog_digest="d")
        pins.renew(TOOLS)
    except (IndexCorrupt, ConfigurationError) as error:
        return type(error).__name__ if str(error) else "raw: no words"
    except Exception as error:
        return f"raw {type(error).__name__}: {error}"[:200]
    return "read" if torch.isfinite(reader.texts).all() else "raw: no numbers"


def _tampered(good: Path, place: Path, drawn: random.Random) -> Path:
    folder = place / "tampered"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(good, folder)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    for path in drawn.sample(files, drawn.choice((1, 1, 1, 2, 3))):
        drawn.choice(WAYS)(path, drawn)  # none has been at this file before
        if drawn.random() < 0.7:
            with suppress(
                ValueError, OSError, TypeError, AttributeError, LookupError, RecursionError
            ):
                _forge(path)
    return folder


def _flip(path: Path, drawn: random.Random) -> None:
    content = bytearray(path.read_bytes())
    for _ in range(drawn.choice((1, 1, 4, 64))):
        place = drawn.randrange(drawn.choice((len(content), min(200, len(content)))))
        content[place] = drawn.randrange(256)
    path.write_bytes(content)


def _cut(path: Path, drawn: random.Random) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: drawn.randrange(len(content))])


def _add(path: Path, drawn: random.Random) -> None:
    content = path.read_bytes()
    path.write_bytes(content + drawn.choice((b"\x00", b"\n", b"[" * 9_999, content)))


def _say(path: Path, drawn: random.Random) -> None:
    """Another word or number in a head."""
    content = path.read_bytes()
    found = [*re.finditer(rb'-?\d+(\.\d+)?|"[^"\n]*"', content[:3_000])]
    if found:
        match = drawn.choice(found)
        said = json.dumps(drawn.choice((*NUMBERS, *TEXTS))).encode()
        path.write_bytes(content[: match.start()] + said + content[match.end() :])


def _swap(path: Path, drawn: random.Random) -> None:
    other = drawn.choice(sorted(each for each in path.parent.iterdir() if _is_small(each)))
    path.write_bytes(other.read_bytes())


def _deep(path: Path, drawn: random.Random) -> None:
    depth = drawn.choice((100, 5_000, 200_000))
    path.write_bytes(b'{"a":' * depth + b"1" + b"}" * depth)


def _many(path: Path, drawn: random.Random) -> None:
    path.write_bytes(b'{"tools":{},"new":[' + drawn.choice((b"[],", b"{},", b"1,")) * 9_000_000)


def _array(path: Path, drawn: random.Random) -> None:
    """An array whose header says that it is large."""
    with path.open("wb") as file:
        shape = drawn.choice(((10**12, 8), (2**40,), (2**63, 2**63), (0, 2**62), (-1,)))
        np.savez(file, vectors=np.ones((2, 8), np.float16), ends=np.ones(1), tools=np.ones(1))
    content = path.read_bytes()
    path.write_bytes(content.replace(b"(2, 8)", str(shape).encode()))


def _header(path: Path, drawn: random.Random) -> None:
    """Tensors whose header says that it, or one of them, is large."""
    head = {
        "a": {"dtype": "F32", "shape": [2 ** drawn.choice((10, 40, 62))], "data_offsets": [0, 4]}
    }
    length = drawn.choice((len(json.dumps(head)), 2**31, 2**63))
    path.write_bytes(length.to_bytes(8, "little") + json.dumps(head).encode() + b"\x00" * 4)


def _sparse(path: Path, drawn: random.Random) -> None:
    with path.open("r+b") as file:
        file.truncate(drawn.choice((1 << 33, 1 << 40)))


def _other(path: Path, drawn: random.Random) -> None:
    """No file, or another one's name."""
    victim = path.parents[2] / "victim"
    path.unlink()
    drawn.choice(
        (
            lambda: None,
            path.mkdir,
            lambda: os.mkfifo(path),
            lambda: path.symlink_to("/dev/zero"),
            lambda: path.symlink_to(path),
            lambda: path.symlink_to(victim),
            lambda: os.link(victim, path),
        )
    )()


def _draft(path: Path, drawn: random.Random) -> None:
    """Links where a draft may come to stand."""
    for name in (f".{path.name}", f"{path.stem}.new", f"{path.stem}.part", f"{path.name}.tmp"):
        (path.parent / name).symlink_to(path.parents[2] / "victim")


WAYS: tuple[Callable[[Path, random.Random], None], ...] = (
    *(_flip, _flip, _flip, _cut, _add, _say, _say, _say, _swap),
    *(_deep, _many, _array, _header, _sparse, _other, _draft),
)


def _is_small(path: Path) -> bool:
    return path.is_file() and 0 < path.stat().st_size < 1 << 20


def _read_for(path: Path) -> list[Path]:
    return [path, path.with_name("manifest.json")] if path.parent.name == "art" else [path]


def _forge(path: Path) -> None:
    """Digests that fit, so that what stands behind them is met; not of what is large."""
    if not all(map(_is_small, _read_for(path))):
        return
    if path.suffix == ".bin":
        line, _, rows = path.read_bytes().partition(b"\n")
        head = json.loads(line) | {"content": hashlib.sha256(rows).hexdigest()}
        path.write_bytes(json.dumps(head).encode() + b"\n" + rows)
    elif path.parent.name == "art":
        manifest = path.with_name("manifest.json")
        content = json.loads(manifest.read_bytes())
        if path != manifest:
            content["files"][path.name] = hashlib.sha256(path.read_bytes()).hexdigest()
        text = Manifest.model_validate(content).content_digest
        manifest.write_text(json.dumps(content | {"digest": text}))


if __name__ == "__main__":
    sys.exit(main())
