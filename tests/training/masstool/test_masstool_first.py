"""The first stage tunes what its preset says, and goes on where it was stopped."""

import math
import re
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
import torch
from torch import Tensor
from torch.nn.functional import normalize

from gretel.contracts.errors import ConfigurationError
from gretel.nodes.retrieve.masstool.backbone import Backbone, Vectors
from gretel.nodes.retrieve.masstool.config import Preset
from gretel.nodes.retrieve.masstool.pool import Pool
from gretel.training.masstool import first as training
from gretel.training.masstool.first import Asked, FirstSettings, FirstStage
from gretel.training.masstool.neighbours import vote_loss
from masstool_backbones import WIDTH, write_backbone
from masstool_data import PLACES, SCENES

EPOCHS, STEPS = 2, 3
SETTINGS = FirstSettings(epochs=EPOCHS, batch=8, warm_up=1)
TRAIN = Asked(
    tuple(
        scene.alone.format(a=place, b="Oslo")
        for scene in SCENES[:6]
        for place in PLACES[: STEPS + 1]
    ),
    tuple((number,) for number in range(6) for _ in range(STEPS + 1)),
)


class Steps:
    """Keeps the steps that were told; from a step on it raises what an impatient user sends."""

    def __init__(self, until: int | None = None) -> None:
        self.until = until
        self.done: list[int] = []

    def __call__(self, done: int, total: int, what: str) -> None:
        if what.startswith("tuning"):
            if done == self.until:
                raise KeyboardInterrupt
            self.done.append(done)


def stage(
    folder: Path,
    encoder: Path | None,
    *,
    train: Asked = TRAIN,
    settings: FirstSettings = SETTINGS,
    measure: Callable[[Pool], float] | None = None,
) -> tuple[Backbone, FirstStage]:
    """A fresh encoder, None for the bundled one, and its training; without `measure` every epoch
    is better.
    """
    torch.set_num_threads(1)
    backbone = Backbone(str(encoder) if encoder else None)
    better = count()
    return backbone, FirstStage(
        backbone, train, settings, measure or (lambda _: next(better) + 0.5), folder
    )


@pytest.fixture(scope="module")
def whole(
    tiny: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[dict[str, Tensor], Vectors]:
    """Tuned weights and vectors of a run that nobody stopped."""
    backbone, first = stage(tmp_path_factory.mktemp("whole"), tiny)
    vectors = first.run(Steps())
    return backbone.weights.tuned(), vectors


def layers(names: set[str]) -> set[int]:
    assert all(".layer." in name for name in names)
    return {int(name.split(".layer.")[1].split(".")[0]) for name in names}


def test_the_loss_is_the_cross_entropy_of_a_vote_of_the_others() -> None:
    torch.manual_seed(7)
    gold = ((0,), (0, 1), (3,), (1, 3))
    bank, batch, temperature = normalize(torch.randn(4, 6), dim=-1), [2, 1], 0.5
    made = normalize(torch.randn(2, 6), dim=-1)
    losses = []
    for vector, own in zip(made, batch, strict=True):
        others = [place for place in range(4) if place != own]
        weights = [math.exp(float(vector @ bank[place]) / temperature) for place in others]
        vote = dict.fromkeys(range(4), 0.0)
        for place, weight in zip(others, weights, strict=True):
            for tool in gold[place]:
                vote[tool] += weight / sum(weights) / len(gold[place])
        losses.append(-sum(math.log(vote[tool] + 1e-6) / len(gold[own]) for tool in gold[own]))

    own = torch.tensor(batch)[:, None] == torch.arange(4)
    loss = vote_loss(made, bank, batch, Pool(bank, gold).served(), own, temperature)
    assert loss.item() == pytest.approx(sum(losses) / 2, rel=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("preset", "tuned"), [("top-layers", {3, 4, 5}), ("full", {0, 1, 2, 3, 4, 5})]
)
def test_a_preset_tunes_its_layers(preset: Preset, tuned: set[int], tmp_path: Path) -> None:
    settings = SETTINGS.model_copy(update={"preset": preset, "epochs": 1})
    backbone, first = stage(tmp_path, None, settings=settings)
    first.run(Steps())

    assert layers(set(backbone.weights.tuned())) == tuned


def test_the_preset_none_tunes_nothing(tmp_path: Path, tiny: Path) -> None:
    backbone, first = stage(tmp_path, tiny, settings=FirstSettings(preset="none"))
    steps = Steps()
    made = first.run(steps)

    assert (backbone.weights.tuned(), steps.done) == ({}, [])
    assert torch.equal(made.final, backbone.encode(TRAIN.texts).final)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "preset", "tuned"),
    [
        *((kind, "top-layers", {2, 3}) for kind in ("bert", "distilbert", "mpnet", "roberta")),
        # names its layers otherwise
        *(("modernbert", "top-layers", {2, 3}), ("modernbert", "full", {0, 1, 2, 3})),
    ],
)
def test_a_preset_tunes_the_layers_of_other_encoders(
    kind: str, preset: Preset, tuned: set[int], tmp_path: Path
) -> None:
    settings = SETTINGS.model_copy(update={"preset": preset, "epochs": 1})
    encoder = write_backbone(kind, tmp_path)
    backbone, first = stage(tmp_path / "state", encoder, settings=settings)
    first.run(Steps())

    names = backbone.weights.tuned()
    assert {
        int(found[1]) for name in names if (found := re.search(r"\.layers?\.(\d)\.", name))
    } == tuned
    assert all(".layer" in name for name in names)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "preset"), [("albert", "full"), ("static", "top-layers")])
def test_a_preset_without_layers_to_tune_is_refused(
    kind: str, preset: Preset, tmp_path: Path
) -> None:
    settings = SETTINGS.model_copy(update={"preset": preset})
    encoder = write_backbone(kind, tmp_path)

    with pytest.raises(ConfigurationError, match=rf"preset {preset}: .*`--preset none`"):
        stage(tmp_path, encoder, settings=settings)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["albert", "static"])
def test_the_preset_none_needs_no_layers(kind: str, tmp_path: Path) -> None:
    settings, encoder = FirstSettings(preset="none"), write_backbone(kind, tmp_path)
    backbone, first = stage(tmp_path / "state", encoder, settings=settings)

    assert first.run(Steps()).final.shape == (len(TRAIN.texts), WIDTH)
    assert backbone.weights.tuned() == {}


@pytest.mark.slow
def test_requests_with_the_same_tools_come_closer(
    whole: tuple[dict[str, Tensor], Vectors], tiny: Path
) -> None:
    def together(vectors: Tensor) -> float:
        batch = list(range(len(TRAIN.gold)))
        own = torch.eye(len(batch), dtype=torch.bool)
        served = Pool(vectors, TRAIN.gold).served()
        return vote_loss(vectors, vectors, batch, served, own, 0.05).item()

    assert together(whole[1].final) < together(Backbone(str(tiny)).encode(TRAIN.texts).final)


@pytest.mark.slow
def test_neither_a_request_nor_its_double_votes_for_it(
    tmp_path: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent: dict[int, list[int]] = {}

    def loss(
        made: Tensor, _: Tensor, batch: list[int], __: object, own: Tensor, ___: float
    ) -> Tensor:
        silent.update((row, own[n].nonzero()[:, 0].tolist()) for n, row in enumerate(batch))
        return made.sum()

    monkeypatch.setattr(training, "vote_loss", loss)
    doubled = Asked((*TRAIN.texts, f" {TRAIN.texts[2].upper()}"), (*TRAIN.gold, (5,)))
    stage(tmp_path, tiny, train=doubled)[1].run(Steps())

    last = len(TRAIN.texts)
    assert silent[2] == silent[last] == [2, last]
    assert all(silent[row] == [row] for row in range(last) if row != 2)


@pytest.mark.slow
@pytest.mark.parametrize("until", [STEPS - 1, STEPS + 2])
def test_what_was_stopped_ends_as_what_ran_through(
    whole: tuple[dict[str, Tensor], Vectors], tmp_path: Path, tiny: Path, until: int
) -> None:
    _, first = stage(tmp_path, tiny)
    with pytest.raises(KeyboardInterrupt):
        first.run(Steps(until))
    better, steps = count(2), Steps()
    backbone, first = stage(tmp_path, tiny, measure=lambda _: next(better) + 0.5)
    vectors = first.run(steps)

    assert steps.done[0] == (1 if until < STEPS else STEPS + 1)
    weights = backbone.weights.tuned()
    assert weights.keys() == whole[0].keys()
    assert all(torch.equal(weights[name], whole[0][name]) for name in weights)
    assert torch.equal(vectors.final, whole[1].final)
    assert torch.equal(vectors.early, whole[1].early)


@pytest.mark.slow
@pytest.mark.parametrize("other", ["settings", "texts", "judgements"])
def test_a_state_of_another_training_is_not_taken_up(
    tmp_path: Path, tiny: Path, other: str
) -> None:
    _, first = stage(tmp_path, tiny)
    with pytest.raises(KeyboardInterrupt):
        first.run(Steps(STEPS + 1))
    train, settings = TRAIN, SETTINGS
    if other == "settings":
        settings = SETTINGS.model_copy(update={"seed": 8})
    elif other == "texts":
        train = Asked(("another request", *TRAIN.texts[1:]), TRAIN.gold)
    else:
        train = Asked(TRAIN.texts, ((1,), *TRAIN.gold[1:]))
    steps = Steps(until=2)
    _, again = stage(tmp_path, tiny, train=train, settings=settings)

    with pytest.raises(KeyboardInterrupt):
        again.run(steps)
    assert steps.done == [1]


def test_an_encoder_that_gains_nothing_stays_as_it_came(tmp_path: Path, tiny: Path) -> None:
    steps = Steps()
    backbone, first = stage(tmp_path, tiny, measure=lambda _: 0.5)
    made = first.run(steps)

    assert steps.done[-1] == STEPS
    assert backbone.weights.tuned() == {}
    assert torch.equal(made.final, backbone.encode(TRAIN.texts).final)


@pytest.mark.slow
def test_the_best_epoch_is_kept(tmp_path: Path, tiny: Path) -> None:
    reached, seen = iter((0.1, 0.9, 0.8)), dict[str, Tensor]()
    backbone: Backbone

    def measure(_: Pool) -> float:
        if not seen:
            seen.update(backbone.weights.tuned())
        return next(reached)

    backbone, first = stage(tmp_path, tiny, measure=measure)
    steps = Steps()
    first.run(steps)

    assert steps.done[-1] == EPOCHS * STEPS
    assert all(torch.equal(weight, seen[name]) for name, weight in backbone.weights.tuned().items())
