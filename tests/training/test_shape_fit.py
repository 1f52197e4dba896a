"""The weights of what operations are made of, as they are shipped."""

import json
from importlib.resources import files

from gretel.nodes.retrieve.stage.shape import FEATURES


def test_left_out_no_real_service_loses_and_no_public_collection_of_size_does() -> None:
    text = files("gretel.nodes.retrieve.stage").joinpath("shape.json").read_text("utf-8")
    fitted = json.loads(text)

    assert set(fitted["weights"]) == set(FEATURES)
    for name, figures in fitted["nDCG@5"].items():
        if fitted["requests"][name] >= 50:
            assert figures["with shapes, left out"] >= figures["own"] - 0.003, name
