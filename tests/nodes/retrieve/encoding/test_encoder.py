from pathlib import Path

import numpy as np
import pytest

from gretel.contracts.errors import ConfigurationError
from gretel.nodes.retrieve.encoding.encoder import (
    MIDDLE_LAYERS,
    Encoder,
    default_model_path,
    lasting,
)


def test_vectors_have_unit_length_and_tell_meaning(encoder: Encoder) -> None:
    weather, rain, bank = encoder.queries(["weather in Paris", "will it rain?", "open an account"])

    assert np.linalg.norm(weather) == pytest.approx(1)
    assert weather @ rain > weather @ bank


@pytest.mark.slow
def test_a_folder_names_the_same_model(encoder: Encoder) -> None:
    """We read the bundled model ourselves; from a folder, sentence-transformers does."""
    by_path = Encoder(str(default_model_path()))
    texts = ["weather", "", "Погода, 天气, café and\u200b a naïve résumé", "all the words " * 90]

    assert np.allclose(by_path.documents(texts), encoder.documents(texts), atol=1e-6)
    assert encoder.documents([]).shape == (0, 384)


def test_an_overlong_text_is_cut(encoder: Encoder) -> None:
    assert encoder.queries(["word " * 20_000]).shape == (1, 384)


def test_a_folder_without_a_model_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"encoder: .*cannot be loaded"):
        Encoder(str(tmp_path)).queries(["weather"])


def test_a_reading_is_of_each_text_alone(encoder: Encoder) -> None:
    texts = ["weather", "will it rain in Paris on the day after tomorrow?", ""]

    read = encoder.embeddings(texts)

    assert read.middle.shape == (3, 384 * len(MIDDLE_LAYERS))
    assert np.allclose(read.vectors, encoder.queries(texts), atol=1e-5)
    for vector, middle, text in zip(*read, texts, strict=True):
        alone = encoder.embeddings([text])
        assert np.allclose(vector, alone.vectors[0], atol=1e-5)
        assert np.allclose(middle, alone.middle[0], atol=1e-3)


@pytest.mark.slow
def test_more_texts_than_one_batch_are_read_in_their_order(encoder: Encoder) -> None:
    texts = [f"flight number {number} " * (number % 7 + 1) for number in range(70)]

    assert np.allclose(encoder.embeddings(texts).vectors, encoder.queries(texts), atol=1e-5)


@pytest.mark.parametrize(
    ("text", "share"), [("weather", 1.0), ("погода", 0.0), ("ok 天气", 0.5), ("42", 1.0)]
)
def test_the_bundled_model_reads_latin_letters(encoder: Encoder, text: str, share: float) -> None:
    assert encoder.legible(text) == share


def test_a_folder_keeps_its_name_from_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "models" / "mine").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "models")

    assert lasting("mine") == lasting("../models/mine") == str(tmp_path.resolve() / "models/mine")


@pytest.mark.parametrize("name", [None, "", "org/a-model", "a" * 5000, "a\0b"])
def test_what_is_no_folder_keeps_its_name(name: str | None) -> None:
    assert lasting(name) == name
