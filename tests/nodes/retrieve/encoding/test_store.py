import shutil
from pathlib import Path

import numpy as np
import pytest

from gretel.contracts.errors import ConfigurationError, IndexCorrupt
from gretel.nodes.retrieve.encoding.encoder import Matrix
from gretel.nodes.retrieve.encoding.store import EmbeddingStore


@pytest.fixture
def vectors() -> dict[str, Matrix]:
    rows = np.random.default_rng(7).normal(size=(5, 8)).astype(np.float32)
    return {str(number): row for number, row in enumerate(rows)}


@pytest.fixture
def folder(tmp_path: Path, vectors: dict[str, Matrix]) -> Path:
    made = tmp_path / "index"
    store = EmbeddingStore(made, model="m")
    store.write(list(vectors), np.stack(list(vectors.values())))
    store.seal(vectors, catalog_digest="c")
    return made


def test_vectors_come_back_bit_for_bit(folder: Path, vectors: dict[str, Matrix]) -> None:
    found = EmbeddingStore(folder, model="m").read()

    assert found.keys() == vectors.keys()
    assert all(np.array_equal(found[key], vectors[key]) for key in vectors)


def test_a_new_store_is_empty_and_unsealed(tmp_path: Path) -> None:
    store = EmbeddingStore(tmp_path / "new" / "index", model="m")

    assert store.read() == {}
    assert store.catalog_digest is None


def test_sealing_names_the_catalogue_and_a_change_breaks_the_seal(folder: Path) -> None:
    store = EmbeddingStore(folder, model="m")
    assert store.catalog_digest == "c"

    store.drop(["1", "unknown"])

    assert store.catalog_digest is None
    assert set(store.read()) == {"0", "2", "3", "4"}


def test_another_model_is_refused_by_name(folder: Path) -> None:
    with pytest.raises(IndexCorrupt, match="made by the encoder 'm', not 'other'"):
        EmbeddingStore(folder, model="other")


def test_a_file_that_is_no_database_is_corrupt(folder: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(folder, broken)
    (broken / "chroma.sqlite3").write_bytes(b"garbage" * 1_000)

    with pytest.raises(IndexCorrupt, match="gretel index"):
        EmbeddingStore(broken, model="m").read()


def test_content_that_differs_from_its_seal_is_corrupt(
    folder: Path, vectors: dict[str, Matrix]
) -> None:
    store = EmbeddingStore(folder, model="m")
    store.seal({**vectors, "0": -vectors["0"]}, catalog_digest="c")

    with pytest.raises(IndexCorrupt, match="does not match its digest"):
        store.read()


def test_a_file_in_place_of_the_folder_is_the_callers_mistake(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")

    with pytest.raises(ConfigurationError, match="index: "):
        EmbeddingStore(tmp_path / "file", model="m")
