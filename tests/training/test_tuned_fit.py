"""What fine-tuned vectors weigh, as it is shipped."""

import json
from importlib.resources import files

from gretel.nodes.retrieve.semantic.fusion import FEATURES as GENERAL
from gretel.nodes.retrieve.semantic.tuned import FEATURES, tuned_weights


def test_the_general_features_stand_behind_in_their_order() -> None:
    assert FEATURES[-len(GENERAL) :] == GENERAL


def test_left_out_no_collection_loses_more_than_a_little_and_services_gain() -> None:
    text = files("gretel.nodes.retrieve.semantic").joinpath("tuned.json").read_text("utf-8")
    fitted = json.loads(text)

    assert set(fitted["weights"]) == set(FEATURES)
    assert all(weight > 0 for weight in tuned_weights()[: len(FEATURES) - len(GENERAL)])
    for name, figures in fitted["nDCG@5"].items():
        gain = figures["tuned, left out"] - figures["own"]
        least = 0.03 if name.startswith(("real", "written")) else -0.003
        assert gain >= least, name
