"""A whole training of a rewriter that writes: what it learns, and that a stop changes nothing."""

import copy
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import torch

from gretel.contracts.errors import ConfigurationError
from gretel.nodes.retrieve.language.adapters import DOWN, UP, joined, whole
from gretel.nodes.retrieve.language.base import CausalModel
from gretel.nodes.retrieve.semantic.retriever import SemanticRetriever
from gretel.nodes.rewrite.generative.artifact import read_artifact
from gretel.nodes.rewrite.generative.rewriter import opened
from gretel.nodes.rewrite.generative.writer import Writer, Written
from gretel.training.generative.align import AlignLoop
from gretel.training.generative.held import WEIGHTS, Held
from gretel.training.generative.loop import Sample, SftLoop, foretold
from gretel.training.generative.samples import Split, answer_of
from gretel.training.generative.search import Measured, Search
from gretel.training.generative.settings import Settings, Source
from gretel.training.generative.train import train
from gretel.training.masstool.data import Examples
from gretel.training.masstool.first import Asked
from toolgen_models import quietly, stopping_at, tiny

QUICK = Settings(
    epochs=1,
    rounds=1,
    samples=2,
    requests=8,
    held=3,
    batch=4,
    micro=2,
    rate=5e-3,
    align_rate=5e-3,
    keep=1,
    tuned=0.5,
    lora=4,
    patience=2,
)
SOURCE = Source(str(tiny()))


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model of random weights mostly runs on: it is stopped soon."""
    monkeypatch.setattr("gretel.nodes.rewrite.generative.writer.MOST", 24)


@pytest.fixture(scope="module")
def search(examples: Examples, tmp_path_factory: pytest.TempPathFactory) -> Search:
    return Search(examples.tools, tmp_path_factory.mktemp("search"), None)


@pytest.fixture(scope="module")
def unstopped(examples: Examples, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    """Where a training lies that nobody stopped; made by the first test that asks."""

    @cache
    def made() -> Path:
        out = tmp_path_factory.mktemp("whole") / "art"
        train(examples, QUICK, SOURCE, out, quietly)
        return out

    return made


def test_the_retriever_that_rewards_is_the_one_at_work(search: Search) -> None:
    semantic = search._retriever._retriever
    assert isinstance(semantic, SemanticRetriever)
    assert semantic._index.tuned_cosines(semantic._encoder.queries(["rain in Oslo"])) is not None


class Knows(Writer):
    """A writer that says the right tools' descriptions, or a wrong one's."""

    def __init__(self, examples: Examples, *, right: bool) -> None:
        super().__init__(CausalModel(str(tiny())))
        asked = [examples.train, examples.dev]
        self._gold = {t: g for part in asked for t, g in zip(part.texts, part.gold, strict=True)}
        self._tools, self._right = examples.tools, right

    def write(self, requests: Sequence[str]) -> list[Written]:
        return [Written("\n".join(answer_of(self._said(text))), True) for text in requests]

    def sample(self, requests: Sequence[str], count: int, *, seed: int) -> list[list[Written]]:
        """The first of each is what is written, and the others are no queries."""
        return [[each, *[Written("", True)] * (count - 1)] for each in self.write(requests)]

    def _said(self, text: str) -> list[object]:
        gold = self._gold[text]
        places = gold if self._right else [(gold[0] + 7) % len(self._tools)]
        return [self._tools[place] for place in places]


@pytest.mark.slow
def test_a_training_makes_an_artefact_of_its_catalogue(
    examples: Examples, unstopped: Callable[[], Path]
) -> None:
    artifact = read_artifact(unstopped())
    manifest = artifact.manifest
    reached = manifest.made["align"]

    assert manifest.catalog_digest == examples.catalog.digest
    assert isinstance(reached, dict)
    assert len(reached["reward"]) == 1 + len(reached["rounds"]) > 1
    assert all(key.startswith((UP, DOWN)) for key in artifact.weights)
    assert not (unstopped() / "training").exists()
    assert opened(artifact).write(["a flight"])

    def never(done: int, total: int, what: str) -> None:
        raise AssertionError(what)

    assert train(examples, QUICK, SOURCE, unstopped(), never) == manifest


@pytest.mark.slow
@pytest.mark.parametrize("step", [2, 5, 6])
def test_a_training_that_was_stopped_ends_as_one_that_was_not(
    step: int, examples: Examples, unstopped: Callable[[], Path], tmp_path: Path
) -> None:
    with pytest.raises(KeyboardInterrupt):
        train(examples, QUICK, SOURCE, tmp_path / "art", stopping_at(step))
    again = train(examples, QUICK, SOURCE, tmp_path / "art", quietly)

    assert again.digest == read_artifact(unstopped()).manifest.digest


@pytest.mark.slow
def test_weights_of_their_own_may_learn_in_the_place_of_adapters(
    examples: Examples, tmp_path: Path
) -> None:
    settings = QUICK.model_copy(update={"lora": 0, "stages": ("sft",)})
    train(examples, settings, SOURCE, tmp_path / "art", quietly)
    weights = read_artifact(tmp_path / "art").weights

    assert weights
    assert not any(key.startswith((UP, DOWN)) for key in weights)


@pytest.mark.slow
def test_a_damaged_artefact_is_trained_anew(examples: Examples, tmp_path: Path) -> None:
    settings = QUICK.model_copy(update={"stages": ("sft",)})
    first = train(examples, settings, SOURCE, tmp_path / "art", quietly)
    (tmp_path / "art" / "base.safetensors").write_bytes(b"no")

    assert train(examples, settings, SOURCE, tmp_path / "art", quietly) == first


def test_right_answers_are_learnt(examples: Examples, tmp_path: Path) -> None:
    settings = QUICK.model_copy(update={"epochs": 12, "patience": 12, "lora": 0, "tuned": 1.0})
    writer, few = Writer(CausalModel(SOURCE.base)), Asked(("a bike",), ((0,),))
    loop = SftLoop(writer, few, few, examples.tools, settings, tmp_path, "key")
    curve = loop.run(quietly).curve

    assert curve[-1] > 3 * curve[0]


def test_nothing_of_the_request_is_learnt() -> None:
    writer = Writer(CausalModel(SOURCE.base))
    (prompt,) = writer.prompts(["a bike"])
    samples = [Sample(tuple(prompt), tuple(writer.target([text]))) for text in ("ab", "a")]
    found = foretold(writer, writer.base.model, samples)
    alone = [foretold(writer, writer.base.model, [each]) for each in samples]

    assert len(found.losses) == sum(len(each.target) for each in samples) == 5
    torch.testing.assert_close(
        found.means(found.losses), torch.cat([each.means(each.losses) for each in alone])
    )


class Unsure(Knows):
    """Two thirds of what is drawn is wrong."""

    def __init__(self, examples: Examples) -> None:
        super().__init__(examples, right=True)
        self._wrong = Knows(examples, right=False)

    def sample(self, requests: Sequence[str], count: int, *, seed: int) -> list[list[Written]]:
        pairs = zip(self.write(requests), self._wrong.write(requests), strict=True)
        return [[bad, good, bad] for good, bad in pairs]


def aligned(writer: Writer, examples: Examples, search: Search, folder: Path) -> AlignLoop:
    asked = Asked(examples.train.texts[:6], examples.train.gold[:6])
    start = copy.deepcopy(writer.base.model)
    settings = QUICK.model_copy(update={"lora": 0, "samples": 3, "rounds": 2})
    return AlignLoop(writer, start, asked, search, settings, lambda: 0.5, folder, "key", quietly)


@pytest.mark.slow
def test_what_finds_the_right_tools_is_learnt_as_far_as_it_beats_the_mean(
    examples: Examples, search: Search, tmp_path: Path
) -> None:
    loop = aligned(Unsure(examples), examples, search, tmp_path)
    (batch, *_) = loop._batches("align", 0)
    writer = Unsure(examples)
    right = {tuple(writer.target(writer.write([text])[0].queries)) for text in examples.train.texts}

    assert {each.target for each in batch} <= right
    assert np.mean([each.worth for each in batch]) == pytest.approx(1.0)
    (report,) = loop.rounds(1)
    assert report["drawn"] == report["usable"] == 18
    assert float(str(report["best"])) > float(str(report["reward"]))


@pytest.mark.slow
def test_rounds_draw_for_other_requests_and_the_same_again(
    examples: Examples, search: Search, tmp_path: Path
) -> None:
    def loop() -> AlignLoop:
        own = aligned(Knows(examples, right=True), examples, search, tmp_path)
        own._how = own._how.model_copy(update={"asked": 3})
        return own

    places = [loop()._places(number) for number in (0, 1, 0)]

    assert places[0] == places[2] != places[1]
    assert all(len(own) == 3 and set(own) <= set(range(6)) for own in places)
    assert loop()._round(0).drawn == 9


@pytest.mark.slow
def test_a_round_in_which_nothing_is_better_ends_it(
    examples: Examples, search: Search, tmp_path: Path
) -> None:
    class Same(Knows):
        def sample(self, requests: Sequence[str], count: int, *, seed: int) -> list[list[Written]]:
            return [[each] * count for each in self.write(requests)]

    writer = Same(examples, right=True)
    before = {name: w.detach().clone() for name, w in writer.base.weights.known.items()}
    reached = aligned(writer, examples, search, tmp_path).run(quietly)

    assert reached.curve == (0.5, 0.5, 0.5)
    assert all(torch.equal(w, before[name]) for name, w in writer.base.weights.known.items())


@pytest.mark.slow
def test_a_second_stage_that_gains_nothing_leaves_what_it_began_with(
    examples: Examples, search: Search, tmp_path: Path
) -> None:
    """Its rounds do change weights, and the reward of held-out requests stays what it was."""
    writer = Unsure(examples)
    before = {name: w.detach().clone() for name, w in writer.base.weights.known.items()}
    loop = aligned(writer, examples, search, tmp_path)
    moved: list[bool] = []

    def measure() -> float:
        known = writer.base.weights.known.items()
        moved.append(any(not torch.equal(w, before[name]) for name, w in known))
        return 0.5

    loop._measure = measure
    loop.run(quietly)

    assert moved == [False, True, True]
    assert all(torch.equal(w, before[name]) for name, w in writer.base.weights.known.items())


def test_going_away_from_where_it_began_costs(
    examples: Examples, search: Search, tmp_path: Path
) -> None:
    writer = Knows(examples, right=True)
    loop = aligned(writer, examples, search, tmp_path)
    (prompt,) = writer.prompts(["a bike"])
    part = [Sample(tuple(prompt), tuple(writer.target(["abc"])))]

    def extra() -> float:
        with torch.no_grad():
            found = foretold(writer, writer.base.model, part)
            costs = loop._costs(part, found)
        return float(costs.sum() - found.means(found.losses).sum())

    assert extra() == pytest.approx(0, abs=1e-5)
    with torch.no_grad():
        writer.base.weights.known["model.norm.weight"].mul_(3)
    assert extra() > 0.01


def parts(examples: Examples, new: float) -> Split:
    nobody = Asked((), ())
    half = len(examples.dev.texts) // 2
    texts, gold = examples.dev.texts, examples.dev.gold
    known, unseen = Asked(texts[:half], gold[:half]), Asked(texts[half:], gold[half:])
    return Split(nobody, nobody, known, unseen, new)


class Scripted:
    """A search that says what queries are worth: right ones help known tools, and harm others."""

    def __init__(self, known: Asked, harm: float) -> None:
        self._known, self._harm = set(known.texts), harm

    def measured(
        self, asked: Asked, queries: Sequence[Sequence[str]], weight: float
    ) -> list[Measured]:
        return [each for (each,) in self.ways(asked, queries, [weight])]

    def ways(
        self, asked: Asked, queries: Sequence[Sequence[str]], weights: Sequence[float]
    ) -> list[list[Measured]]:
        gains = [0.4 if text in self._known else -self._harm for text in asked.texts]
        return [
            [Measured(0.5 + weight * gain * bool(own), 0.5) for weight in weights]
            for gain, own in zip(gains, queries, strict=True)
        ]


@pytest.mark.parametrize(
    ("new", "harm", "weight"), [(0.2, 0.0, max(WEIGHTS)), (0.2, 1.0, max(WEIGHTS)), (0.8, 1.0, 0)]
)
def test_queries_are_silent_where_they_would_harm_what_is_asked_for(
    new: float, harm: float, weight: float, examples: Examples
) -> None:
    own = parts(examples, new)
    search = Scripted(own.known, harm)
    held = Held(own, search, Knows(examples, right=True))  # type: ignore[arg-type]
    calibration, report = held.calibrated()

    assert calibration.weight == weight
    assert (float(str(report["gain"])) > 0) == (weight > 0)


@pytest.mark.slow
def test_the_retriever_finds_more_by_right_queries_and_the_same_by_none(
    examples: Examples, search: Search
) -> None:
    asked = examples.dev
    right = [answer_of(examples.tools[place] for place in gold) for gold in asked.gold]
    alone, with_none, with_right = (
        np.mean([each.ndcg for each in search.measured(asked, queries, weight)])
        for queries, weight in (([()] * len(right), 0.0), ([()] * len(right), 0.5), (right, 0.9))
    )

    assert alone == with_none < with_right == 1.0


def test_factors_of_two_stages_add_up() -> None:
    drawn = torch.Generator().manual_seed(1)
    pairs = [
        {f"{UP}a": torch.randn(5, 2, generator=drawn), f"{DOWN}a": torch.randn(2, 3)}
        for _ in range(2)
    ]
    known = {"a": torch.zeros(5, 3)}
    both = whole(joined(pairs[0], pairs[1]), known)["a"]

    torch.testing.assert_close(both, sum(whole(each, known)["a"] for each in pairs))
    assert joined({}, pairs[0]) == pairs[0]


def test_a_base_that_is_none_is_an_error(examples: Examples, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot be used"):
        train(examples, QUICK, Source(str(tmp_path / "none")), tmp_path / "art", quietly)
