from pathlib import Path

import numpy as np
import pytest

from gretel.contracts.errors import ConfigurationError, IndexCorrupt
from gretel.nodes.retrieve.encoding.encoder import Matrix
from gretel.nodes.retrieve.encoding.store import EmbeddingStore


@pytest.fixture
def vectors() -> dict[str, Matrix]:
    rows = np.random.default_rng(7).normal(size=(5, 8)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return {str(number): row for number, row in enumerate(rows)}


@pytest.fixture
def folder(tmp_path: Path, vectors: dict[str, Matrix]) -> Path:
    made = tmp_path / "index"
    store = EmbeddingStore(made, model="m")
    store.write(list(vectors), np.stack(list(vectors.values())))
    store.seal(vectors, catalog_digest="c")
    return made


def test_vectors_come_back_bit_for_bit(folder: Path, vectors: dict[str, Matrix]) -> None:
    found = EmbeddingStore(folder, model="m").read(vectors.keys(), width=8)

    assert found.keys() == vectors.keys()
    assert all(np.array_equal(found[key], vectors[key]) for key in vectors)


def test_only_what_is_wanted_is_kept(folder: Path) -> None:
    assert EmbeddingStore(folder, model="m").read({"3", "other"}, width=8).keys() == {"3"}


def test_a_new_store_is_empty_and_unsealed(tmp_path: Path) -> None:
    store = EmbeddingStore(tmp_path / "new" / "index", model="m")

    assert store.read({"0"}, width=8) == {}
    assert not store.is_sealed("c", rows=0)


def test_a_batch_breaks_the_seal_and_the_next_seal_takes_it_in(
    folder: Path, vectors: dict[str, Matrix]
) -> None:
    store = EmbeddingStore(folder, model="m")
    assert store.is_sealed("c", rows=5)

    store.write(["6"], vectors["1"][None])
    more = store.read({*vectors, "6"}, width=8)

    assert not store.is_sealed("c", rows=5)
    assert more.keys() == {*vectors, "6"}
    store.seal(more, catalog_digest="d")
    assert store.is_sealed("d", rows=6)
    assert [path.name for path in folder.iterdir()] == ["vectors.bin"]


def test_a_seal_is_for_one_catalogue_and_holds_nothing_else(
    folder: Path, vectors: dict[str, Matrix]
) -> None:
    store = EmbeddingStore(folder, model="m")

    store.seal({"1": vectors["1"]}, catalog_digest="c")

    assert store.read(vectors.keys(), width=8).keys() == {"1"}
    assert not store.is_sealed("c", rows=5)
    assert not store.is_sealed("d", rows=1)


def test_another_model_is_refused_by_name(folder: Path) -> None:
    with pytest.raises(IndexCorrupt, match="made by the encoder 'm', not 'other'"):
        EmbeddingStore(folder, model="other")


def test_vectors_of_another_length_are_corrupt(folder: Path) -> None:
    with pytest.raises(IndexCorrupt, match="8 numbers, not 9"):
        EmbeddingStore(folder, model="m").read({"0"}, width=9)


def test_content_that_differs_from_its_seal_is_corrupt(folder: Path) -> None:
    file = folder / "vectors.bin"
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)

    with pytest.raises(IndexCorrupt, match="does not match its digest.*`gretel index` again"):
        EmbeddingStore(folder, model="m").read({"0"}, width=8)


def test_a_file_in_place_of_the_folder_is_the_callers_mistake(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")

    with pytest.raises(ConfigurationError, match="index: "):
        EmbeddingStore(tmp_path / "file", model="m")
