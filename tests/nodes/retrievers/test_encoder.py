from pathlib import Path

import numpy as np
import pytest

from gretel.contracts.errors import ConfigurationError
from gretel.nodes.retrievers.encoder import Encoder, default_model_path


def test_vectors_have_unit_length_and_tell_meaning(encoder: Encoder) -> None:
    weather, rain, bank = encoder.queries(["weather in Paris", "will it rain?", "open an account"])

    assert np.linalg.norm(weather) == pytest.approx(1)
    assert weather @ rain > weather @ bank


def test_a_folder_names_the_same_model(encoder: Encoder) -> None:
    by_path = Encoder(str(default_model_path()))

    assert np.allclose(by_path.documents(["weather"]), encoder.documents(["weather"]))


def test_an_overlong_text_is_cut(encoder: Encoder) -> None:
    assert encoder.queries(["word " * 20_000]).shape == (1, 384)


def test_a_folder_without_a_model_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"encoder: .*cannot be loaded"):
        Encoder(str(tmp_path)).queries(["weather"])


@pytest.mark.parametrize(
    ("text", "share"), [("weather", 1.0), ("погода", 0.0), ("ok 天气", 0.5), ("42", 1.0)]
)
def test_the_bundled_model_reads_latin_letters(encoder: Encoder, text: str, share: float) -> None:
    assert encoder.legible(text) == share
