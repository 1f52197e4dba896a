"""An index folder that somebody else wrote: read or refused, nothing of it run, nothing written
elsewhere.
"""

import hashlib
import json
import os
import resource
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from fakes import FakeRetriever, tool
from gretel.catalog import Catalog
from gretel.contracts.errors import ConfigurationError, IndexCorrupt
from gretel.contracts.ranking import RetrievalQuery
from gretel.contracts.tool import Tool
from gretel.files import open_plain
from gretel.graph.entry import entry_node_retriever
from gretel.nodes.retrieve.encoding.store import EmbeddingStore
from gretel.nodes.retrieve.rewriting.artifact import write_artifact
from gretel.nodes.retrieve.rewriting.vector import TrainedVector
from gretel.nodes.retrieve.semantic.retriever import SemanticRetriever
from gretel.nodes.retrieve.stage.pins import Pins
from gretel.nodes.retrieve.stage.retriever import StagedRetriever
from gretel.nodes.retrieve.stage.switches import CandidateStage
from rewriter_models import taught

STORE = Path(__file__).parents[1] / "chroma_store.sql"
TOOLS = [tool("Sky.now", "The weather now."), tool("Sea.waves", "Heights of waves.")]
KEYS = [hashlib.sha256(bytes([n])).hexdigest() for n in range(4)]
WIDTH = 8
GIB = 1 << 30


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A sealed index of four vectors, with pins."""
    made = tmp_path / "index"
    store = EmbeddingStore(made, model="m")
    store.seal(vectors(), catalog_digest="c")
    Pins(made).renew(TOOLS)
    return made


def vectors() -> dict[str, np.ndarray]:
    rows = np.random.default_rng(7).normal(size=(len(KEYS), WIDTH)).astype(np.float32)
    return dict(zip(KEYS, rows / np.linalg.norm(rows, axis=1, keepdims=True), strict=True))


def read(folder: Path) -> None:
    EmbeddingStore(folder, model="m").read(set(KEYS), width=WIDTH)


def forged(file: Path, data: bytes | None = None, /, **said: object) -> None:
    """Other rows, and a head that fits them but for what is `said`."""
    line, _, own = file.read_bytes().partition(b"\n")
    data = own if data is None else data
    head = json.loads(line) | {"content": hashlib.sha256(data).hexdigest()} | said
    file.write_bytes(json.dumps(head).encode() + b"\n" + data)


def sparse(file: Path, size: int) -> None:
    with file.open("r+b") as opened:
        opened.truncate(size)


def replaced(file: Path, make: Callable[[Path], object]) -> None:
    file.unlink()
    make(file)


def with_numbers(value: float) -> Callable[[Path], None]:
    def tamper(file: Path) -> None:
        row = 64 + 4 * WIDTH
        rows = np.frombuffer(bytearray(file.read_bytes()[-4 * row :]), "<f4").copy()
        rows[-3] = value
        forged(file, rows.tobytes())

    return tamper


TAMPERED: dict[str, Callable[[Path], object]] = {
    "empty": lambda file: file.write_bytes(b""),
    "junk": lambda file: file.write_bytes(b"\xff" * 5_000),
    "no-line": lambda file: file.write_bytes(b"{" * 100_000),
    "deep-head": lambda file: file.write_bytes(b"[" * 9_000 + b"\n"),
    "no-object": lambda file: file.write_bytes(b"[]\n"),
    "cut": lambda file: file.write_bytes(file.read_bytes()[:-7]),
    "longer": lambda file: file.write_bytes(file.read_bytes() + b"x" * 9),
    "flipped": lambda file: file.write_bytes(file.read_bytes()[:-1] + b"\x7f"),
    "rows-below-none": lambda file: forged(file, rows=-1),
    "rows-beyond": lambda file: forged(file, rows=10**15),
    "rows-fewer": lambda file: forged(file, rows=1),
    "rows-of-text": lambda file: forged(file, rows="all"),
    "width-none": lambda file: forged(file, width=0),
    "width-beyond": lambda file: forged(file, width=10**12),
    "width-other": lambda file: forged(file, width=7),
    "digest-other": lambda file: forged(file, content="0" * 64),
    "format-other": lambda file: forged(file, format=2),
    "unknown-field": lambda file: forged(file, embedding_function="os.system"),
    "no-numbers": with_numbers(float("nan")),
    "endless-numbers": with_numbers(float("inf")),
    "huge-numbers": with_numbers(3e38),
    "not-unit": with_numbers(9.0),
    "terabyte": lambda file: sparse(file, 1 << 40),
    "folder": lambda file: replaced(file, Path.mkdir),
    "pipe": lambda file: replaced(file, os.mkfifo),
    "device": lambda file: replaced(file, lambda place: place.symlink_to("/dev/zero")),
    "screen": lambda file: replaced(file, lambda place: place.symlink_to("/dev/tty")),
    "itself": lambda file: replaced(file, lambda place: place.symlink_to(place)),
    "process": lambda file: replaced(file, lambda place: place.symlink_to("/proc/self/environ")),
}


@pytest.fixture(autouse=True)
def little_memory() -> Iterator[None]:
    """Whoever takes the memory that a file promises comes to its end."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + 4 * GIB, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.mark.parametrize("name", ["vectors.bin", "part-0123456789abcdef.bin"])
@pytest.mark.parametrize("way", TAMPERED)
def test_tampered_vectors_are_corrupt(way: str, name: str, folder: Path) -> None:
    (folder / "vectors.bin").rename(folder / name)
    read(folder)
    TAMPERED[way](folder / name)

    with pytest.raises(IndexCorrupt, match="`gretel index` again"):
        read(folder)


def test_a_store_of_another_kind_runs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An earlier release kept its vectors in Chroma, which builds the embedding function that a
    store names: here one whose code lies beside it.
    """
    monkeypatch.chdir(tmp_path)
    model, index = tmp_path / "model", tmp_path / "index"
    model.mkdir()
    index.mkdir()
    (model / "modules.json").write_text(
        '[{"idx": 0, "name": "0", "path": "", "type": "custom.Runs"}]'
    )
    (model / "config_sentence_transformers.json").write_text(
        '{"model_type": "SentenceTransformer"}'
    )
    (model / "custom.py").write_text(f"open({str(tmp_path / 'mark')!r}, 'w')\nclass Runs: pass\n")
    with sqlite3.connect(index / "chroma.sqlite3") as base:
        base.executescript(STORE.read_text().replace("MODEL_FOLDER", str(model)))

    with suppress(IndexCorrupt):
        store = EmbeddingStore(index, model="m")
        store.write(["0" * 64], np.eye(1, WIDTH, dtype=np.float32))
        store.seal({"0" * 64: np.eye(1, WIDTH, dtype=np.float32)[0]}, catalog_digest="d")

    assert not (tmp_path / "mark").exists()


async def test_pins_are_read_beside_the_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their file may be long, and whoever wrote it chose that."""
    readers: list[threading.Thread] = []

    def read(folder: Path) -> Pins:
        readers.append(threading.current_thread())
        return Pins(folder)

    monkeypatch.setattr(Pins, "read", read)
    retriever = entry_node_retriever(Catalog.from_tools(TOOLS), {"index": tmp_path})
    await retriever.retrieve([RetrievalQuery(text="rain")], k=1)
    assert readers and threading.main_thread() not in readers


async def test_pins_of_what_is_added_are_made_beside_the_event_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What a tool says is as long as a stranger made it, and all of it is hashed."""
    makers: list[threading.Thread] = []
    for name in ("add", "remove"):
        monkeypatch.setattr(Pins, name, lambda *_, **__: makers.append(threading.current_thread()))
    pinned = StagedRetriever(FakeRetriever(), Catalog.from_tools(TOOLS), CandidateStage(), Pins())
    await pinned.add(TOOLS)
    await pinned.remove([TOOLS[0].tool_id])
    assert len(makers) == 2 and threading.main_thread() not in makers


async def test_what_an_artefact_belongs_to_is_looked_up_beside_the_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    readers: list[threading.Thread] = []
    write_artifact(taught(TOOLS, {"rain": TOOLS[0]}), tmp_path)
    monkeypatch.setattr(
        Catalog, "digest", property(lambda _: readers.append(threading.current_thread()))
    )
    with pytest.raises(ConfigurationError, match="another catalogue"):
        await TrainedVector.open(tmp_path, Catalog.from_tools(TOOLS))
    assert len(readers) == 1 and threading.main_thread() not in readers


def test_vectors_that_are_a_hole_are_not_read(tmp_path: Path) -> None:
    """Zeros are no longer than a unit vector, and a terabyte of them takes hours."""
    head = {"model": "m", "rows": 1_000_000, "width": 100, "content": "0" * 64}
    with (tmp_path / "part-0.bin").open("wb") as file:
        file.write(json.dumps(head).encode() + b"\n")
        file.truncate(file.tell() + 1_000_000 * (64 + 4 * 100))

    with pytest.raises(IndexCorrupt, match="most of it is a hole"):
        EmbeddingStore(tmp_path, model="m")


@pytest.mark.slow
async def test_an_index_of_another_kind_is_made_again(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "chroma.sqlite3") as base:
        base.executescript(STORE.read_text())

    await SemanticRetriever.build(Catalog.from_tools(TOOLS), index=tmp_path)

    assert (tmp_path / "vectors.bin").is_file()


MANY = 40 << 20
PINNED: dict[str, Callable[[Path], object]] = {
    "pipe": lambda file: replaced(file, os.mkfifo),
    "device": lambda file: replaced(file, lambda place: place.symlink_to("/dev/zero")),
    "folder": lambda file: replaced(file, Path.mkdir),
    "terabyte": lambda file: sparse(file, 1 << 40),
    "lists": lambda file: file.write_text('{"tools":{},"new":[' + "[]," * (MANY // 12) + "0]}"),
    "names": lambda file: file.write_text(
        '{"new":[],"tools":{' + ",".join(f'"{n}":0' for n in range(500_000)) + "}}"
    ),
}


@pytest.mark.parametrize("way", PINNED)
def test_tampered_pins_are_corrupt(way: str, folder: Path) -> None:
    PINNED[way](folder / "pins.json")

    with pytest.raises(IndexCorrupt, match="`gretel index` again"):
        Pins.read(folder)


@pytest.mark.slow
def test_many_pins_are_read(tmp_path: Path) -> None:
    """The bounds are far from what an index holds; here each of its tools is new, too."""
    many: list[Tool] = [tool(f"A.{number}", "Does it.") for number in range(3_000)]
    pins = Pins(tmp_path)
    pins.add(many[:1])
    pins.add(many)

    assert len(Pins.read(tmp_path).later) == 2_999


@pytest.mark.parametrize(
    "name", ["pins.json", "pins.new", ".pins.json", "vectors.bin", ".vectors.bin"]
)
@pytest.mark.parametrize("link", [os.symlink, os.link], ids=["symbolic", "hard"])
def test_no_link_in_an_index_leads_a_write_elsewhere(
    name: str, link: Callable[[str, str], None], folder: Path, tmp_path: Path
) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes((folder / name).read_bytes() if (folder / name).exists() else b"mine")
    before = victim.read_bytes()
    (folder / name).unlink(missing_ok=True)
    link(str(victim), str(folder / name))

    Pins(folder).renew([tool("Other.tool", "Other words.")])
    store = EmbeddingStore(folder, model="m")
    store.write(["0" * 64], np.eye(1, WIDTH, dtype=np.float32))
    store.seal({"0" * 64: np.eye(1, WIDTH, dtype=np.float32)[0]}, catalog_digest="d")

    assert victim.read_bytes() == before
    assert store.is_sealed("d", rows=1)
    assert Pins.read(folder).digest(TOOLS[0].tool_id) is None


def test_a_killed_write_leaves_what_stood_there(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", fails)
    with pytest.raises(KeyboardInterrupt):
        EmbeddingStore(folder, model="m").seal(vectors(), catalog_digest="d")

    read(folder)
    assert EmbeddingStore(folder, model="m").is_sealed("c", rows=len(KEYS))
    assert sorted(os.listdir(folder)) == ["pins.json", "vectors.bin"]


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="descriptors are listed in /proc")
def test_a_folder_in_the_place_of_a_file_takes_no_descriptor(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(20):
        with pytest.raises(OSError, match="No plain file"):
            open_plain(tmp_path)
    assert len(os.listdir("/proc/self/fd")) == before
