"""Every fitted file that is shipped comes out of its script and its data again.

The files of relevance are made whole. The others take an hour of encoding on one core, so that a
part stands for all: every request is read and counted and the digest of all data is compared; what
the shipped weights reach on one collection is measured again; and the script is run on that
collection alone, whose weights stand in `refits.json`. A change of data, features, measures or fit
shows in one of these. `evidence.json` is made from runs that are not kept: its script is run on a
small one.
"""

import hashlib
import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from gretel.datasets.beir import beir_files
from gretel.datasets.reading import contents_digest
from gretel.nodes.retrieve.encoding.encoder import Encoder
from gretel.nodes.retrieve.semantic import fusion as fusion_product
from gretel.nodes.retrieve.semantic.fusion import Fusion
from gretel.nodes.retrieve.stage import coherence as coherence_product
from gretel.training import (
    answerable,
    coherence,
    effects,
    fusion,
    listwise,
    need_classifier,
    planned,
    relevance,
    shape,
    staged,
    tuned,
)
from gretel.training.answerable_samples import drawn_catalogues, whole_catalogues
from gretel.training.data.judged import Collection, VectorCache, loaded
from gretel.training.data.real import PARTS
from gretel.training.listwise import fit_some, ndcg, one_hot
from gretel.training.need_data import WRITTEN, Requests, files_digest, requests_of
from unencoded import Unencoded

pytestmark = pytest.mark.slow

TOOLE, SEAL = "metatool_toole", "sealtools"
OWN = Path(__file__).parents[2] / "benchmarks/written"
Fitted = dict[str, Any]


def shipped(name: str) -> Fitted:
    """A file of the package."""
    found: Fitted = json.loads(files("gretel").joinpath(name).read_text("utf-8"))
    return found


SMALL: Fitted = json.loads(Path(__file__).with_name("refits.json").read_text("utf-8"))


def near(expected: object) -> Any:
    """Equal but for what another processor computes otherwise."""
    return pytest.approx(expected, rel=0.01, abs=0.003)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> VectorCache:
    return VectorCache(tmp_path_factory.mktemp("vectors"), Encoder())


@pytest.fixture(scope="module")
def tuned_cache(tmp_path_factory: pytest.TempPathFactory) -> VectorCache:
    return VectorCache(tmp_path_factory.mktemp("vectors"), Encoder(tuned=True))


def run(module: ModuleType, monkeypatch: pytest.MonkeyPatch, *words: object) -> None:
    monkeypatch.setattr("sys.argv", ["fit", *map(str, words)])
    module.main()


def test_relevance_and_background_are_written_again(
    data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = (relevance.BACKGROUND, relevance.WEIGHTS)
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True)
    run(relevance, monkeypatch, "--data", data_dir, "--root", tmp_path)

    for name in names:
        assert json.loads((tmp_path / name).read_text("utf-8")) == shipped(name)


def whole_digest(data: Path, *read: tuple[str, str]) -> str:
    """Of all collections that a script reads."""
    each = (contents_digest(beir_files(data / folder, qrels)) for folder, qrels in read)
    return hashlib.sha256("".join(each).encode()).hexdigest()


def test_the_fusion_is_fitted_again_on_one_collection(
    data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: VectorCache
) -> None:
    known = shipped("nodes/retrieve/semantic/fusion.json")
    read = fusion.SOURCES
    assert whole_digest(data_dir, *((one.folder, one.qrels) for one in read)) == known["data"]
    monkeypatch.setattr(fusion, "SOURCES", [one for one in read if one.folder == TOOLE])
    monkeypatch.setattr(listwise, "VectorCache", lambda *_: cache)
    monkeypatch.setattr(fusion, "fitted_fusion", alone(found := [], fusion.fitted_fusion))
    run(fusion, monkeypatch, "--data", data_dir, "--out", tmp_path)

    (lists,) = found
    weights = np.array([known["coefficients"][name] for name in fusion_product.FEATURES])
    names = fusion_product.FEATURES
    reached = {name: ndcg(lists, one_hot(names, name)) for name in ("dense", "sparse")}
    recorded = known["nDCG@5"][TOOLE]
    assert reached | {"fused": ndcg(lists, weights)} == near(
        {name: recorded[name] for name in ("dense", "sparse", "fused")}
    )
    refitted = json.loads((tmp_path / "fusion.json").read_text("utf-8"))
    assert refitted["requests"] == {TOOLE: known["requests"][TOOLE]}
    assert refitted["coefficients"] == near(SMALL["fusion"])


def alone(found: list[Any], fit: Callable[..., Fitted]) -> Callable[..., Fitted]:
    """A fit of one collection, which cannot be left out of itself; its lists are kept."""

    def fitted(lists: Any) -> Fitted:
        found.extend(lists)
        return fit([*lists, lists[0]._replace(name="again")])

    return fitted


def test_the_coherence_is_fitted_again_on_one_collection(
    data_dir: Path, cache: VectorCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = shipped("nodes/retrieve/stage/coherence.json")
    read = coherence.SOURCES
    assert whole_digest(data_dir, *((one.folder, one.qrels) for one in read)) == known["data"]
    counts = {one.folder: len(loaded(one, data_dir, Unencoded(), 7).requests) for one in read}
    assert counts[SEAL] == 700
    (source,) = (one for one in read if one.folder == SEAL)
    collection = loaded(source, data_dir, cache, 7)
    lists = coherence.candidates(collection, Fusion.load(), cache)

    names = coherence_product.FEATURES
    weights = np.array([known["coefficients"][name] for name in names])
    recorded = known["nDCG@5"][SEAL]
    assert len(lists.judged) == known["requests"][SEAL]
    assert ndcg(lists, one_hot(names, "own")) == near(recorded["own"])
    assert ndcg(lists, weights) == near(recorded["coherent"])
    # No toolkit of this collection has two tools, so that votes say nothing.
    refitted = fit_some([lists], coherence_product.ALONE)
    assert dict(zip(names, refitted.tolist(), strict=True)) == near(SMALL["coherence"])


@pytest.mark.parametrize(
    ("script", "name", "step", "folder"),
    [
        (effects, "stage/effects", "with effects", "callnavi"),
        (tuned, "semantic/tuned", "tuned", "callnavi"),
        (shape, "stage/shape", "with shapes", "callnavi"),
        (planned, "stage/planned", "planned", "livemcp"),
    ],
)
def test_the_stage_is_fitted_again_on_one_collection(
    data_dir: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    cache: VectorCache,
    tuned_cache: VectorCache,
    script: ModuleType,
    name: str,
    step: str,
    folder: str,
) -> None:
    """Without the real services, whose documents are not among the data."""
    known = shipped(f"nodes/retrieve/{name}.json")
    monkeypatch.setattr(script, "SOURCES", [s for s in script.SOURCES if s.folder == folder])
    monkeypatch.setattr(staged, "real_collections", lambda *_: [])
    monkeypatch.setattr(staged, "written_collections", lambda *_: [])
    as_product = script is not effects
    monkeypatch.setattr(listwise, "VectorCache", lambda *_: tuned_cache if as_product else cache)
    found: list[listwise.Lists] = []
    monkeypatch.setattr(staged, "beside_own", lambda what, lists, *_: found.extend(lists))
    run(script, monkeypatch, "--data", data_dir, "--real", tmp_path, "--requests", tmp_path / "no",
        "--out", tmp_path, *(["--written", tmp_path] if as_product else []))  # fmt: skip

    weights = np.array([1.0, *known["weights"].values()])
    reached = listwise.beside_own(step, found, weights, lambda lists: weights)[folder]
    recorded = known["nDCG@5"][folder]
    assert {each: reached[each] for each in ("own", step)} == near(
        {each: recorded[each] for each in ("own", step)}
    )
    refitted = json.loads((tmp_path / f"{Path(name).name}.json").read_text("utf-8"))
    assert refitted["requests"] == {folder: known["requests"][folder]}
    assert refitted["weights"] == near(SMALL[Path(name).name])


@pytest.mark.parametrize(
    ("name", "written"),
    [
        *(("stage/effects", False), ("semantic/tuned", True)),
        *(("stage/shape", True), ("stage/planned", True)),
    ],
)
def test_the_command_names_the_parts_of_the_real_services_that_were_read(
    name: str, written: bool
) -> None:
    known = shipped(f"nodes/retrieve/{name}.json")
    read = [each for each in known["requests"] if each.startswith("real-")]
    parts = [each.removeprefix("real-") for each in read]
    origin = listwise.made(Path(name).name, known["data"], 7, parts=parts, written=written)

    assert parts and set(parts) <= set(PARTS)
    assert {each: known[each] for each in origin} == origin


@pytest.fixture(scope="module")
def everything(data_dir: Path) -> tuple[list[Collection], list[Requests]]:
    """All that the need for a tool is learnt from, not encoded."""
    collections = answerable.load(data_dir, Unencoded(), 7)
    return collections, requests_of(data_dir, OWN, collections)


def test_all_requests_with_and_without_need_are_read_again(
    data_dir: Path, everything: tuple[list[Collection], list[Requests]]
) -> None:
    known = shipped("nodes/retrieve/need/answerable.json")
    collections, requests = everything

    assert answerable.counted(requests) == known["requests"]
    combined = answerable.digest(collections) + files_digest(data_dir, OWN)
    assert hashlib.sha256(combined.encode()).hexdigest() == known["data"]


def test_what_is_answerable_is_fitted_again_on_one_collection(
    data_dir: Path,
    cache: VectorCache,
    everything: tuple[list[Collection], list[Requests]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = shipped("nodes/retrieve/need/answerable.json")
    monkeypatch.setattr(
        answerable, "SOURCES", [one for one in answerable.SOURCES if one.folder == SEAL]
    )
    collections = answerable.load(data_dir, cache, 7)
    prompts = [one for one in everything[1] if not one.asks and one.source != WRITTEN]

    whole = list(whole_catalogues(collections, prompts, cache, seed=7))
    chances = answerable.answerable(whole, known["plain"], None)
    suffix = ", wording unknown"
    reached = answerable._errors(whole, chances, known["threshold"], suffix)
    recorded = known["figures"][SEAL]
    assert reached == near({name: recorded[name] for name in reached})
    samples = list(drawn_catalogues(collections, prompts, cache, seed=7))
    assert answerable.fit(samples) == {
        case: near(values) for case, values in SMALL["answerable"].items()
    }


def test_the_need_for_a_tool_is_learnt_again_from_few_requests(
    cache: VectorCache, everything: tuple[list[Collection], list[Requests]]
) -> None:
    few = [
        one
        for one in everything[1]
        if one.source in (WRITTEN, "metatool_awareness") or len(one.texts) < 200
    ]
    middle = {text: row for one in few for text, row in cache.middle(one.source, one.texts).items()}
    need = need_classifier.fit(few, middle, seed=7)

    probes = [one.texts[0] for one in few]
    odds = [need.log_odds(text, middle[text]) for text in probes]
    assert odds == pytest.approx(SMALL["needs"], rel=0.05, abs=0.05)
    assert sum(need.phrases.values()) == near(SMALL["phrases"])
