"""The weights of what plans show, as they are shipped."""

import json
from importlib.resources import files
from statistics import fmean

from gretel.nodes.retrieve.stage.planned import SHOWN, planned_weights

LOSES = {"callnavi": -0.018, "toolbench_g1": -0.01}
"""They pay for what services gain, whose requests say values: three requests of 172 that name words
of their tools (decision 22), and of 296, to which fine-tuned vectors give more."""


def test_a_refusal_speaks_against_a_tool_and_what_it_takes_for_it() -> None:
    assert set(planned_weights()) == set(SHOWN)
    assert planned_weights()["refused"] < 0
    assert all(planned_weights()[name] > 0 for name in SHOWN if name != "refused")


def test_left_out_no_real_service_loses_and_no_public_collection_of_size_does() -> None:
    text = files("gretel.nodes.retrieve.stage").joinpath("planned.json").read_text("utf-8")
    fitted = json.loads(text)
    gains: dict[str, list[float]] = {}
    for name, figures in fitted["nDCG@5"].items():
        if fitted["requests"][name] >= 50:
            # Groups of written requests are one collection, put together by lot.
            whole = "written" if name.startswith("written") else name
            gains.setdefault(whole, []).append(figures["planned, left out"] - figures["own"])
    for name, found in gains.items():
        assert fmean(found) >= LOSES.get(name, -0.007), name
