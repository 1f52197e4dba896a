"""The second stage learns, from others alone, and the same for the same seed."""

import pytest
import torch
from torch import Tensor
from torch.nn.functional import normalize

from gretel.nodes.retrieve.masstool.backbone import Vectors
from gretel.nodes.retrieve.masstool.config import Component, Shape
from gretel.nodes.retrieve.masstool.model import MassTool, Scores
from gretel.nodes.retrieve.masstool.pool import Pool
from gretel.nodes.retrieve.masstool.reader import Reader
from gretel.training.masstool import second
from gretel.training.masstool.measures import ranking_measures
from gretel.training.masstool.second import Known, SecondSettings, train_second

WIDTH, TOOLS = 16, 6
SCENES = ((0, 1), (2, 3), (4, 5))
GOLD = tuple(SCENES[place % 3] for place in range(30))


def unit(rows: int) -> Tensor:
    return normalize(torch.randn(rows, WIDTH), dim=-1)


def as_vectors(asked: Tensor) -> Vectors:
    return Vectors(asked, asked)


def known(gold: tuple[tuple[int, ...], ...] = GOLD, *, no_tool: int = 8) -> Known:
    """Requests around one point for each scene."""
    torch.manual_seed(7)
    centres, texts = unit(3), unit(TOOLS)
    near = [centres[place % 3] + 0.2 * unit(1)[0] for place in range(len(gold))]
    vectors = normalize(torch.stack(near), dim=-1)
    pool = Pool(vectors, gold)
    return Known(pool, vectors, unit(no_tool), texts)


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> dict[int, Tensor]:
    """Training scores by the request that they are of; batches hold one request."""
    rows: dict[int, Tensor] = {}

    def loss(model: MassTool, scores: Scores, target: Tensor, *_: object) -> Tensor:
        rows[len(rows)] = scores.tools.detach()[0]
        return scores.tools.sum()

    monkeypatch.setattr(second, "joint_loss", loss)
    return rows


def training_scores(said: dict[int, Tensor], data: Known, *without: Component) -> Tensor:
    """(requests, tools) what a fresh model says of each training request in training."""
    said.clear()
    torch.manual_seed(7)
    model = MassTool(Shape(width=WIDTH, without=without, neighbours=5))
    torch.manual_seed(8)
    order = torch.randperm(len(data.pool.gold))
    torch.manual_seed(8)
    for _ in second._losses(model, data, SecondSettings(epochs=1, batch=1, alone=0)):
        pass
    rows = torch.stack([said[step] for step in range(len(order))])
    return rows[order.argsort()]


def test_a_request_never_meets_its_own_label_in_the_graph(said: dict[int, Tensor]) -> None:
    relabelled = (SCENES[1], *GOLD[1:])
    before = training_scores(said, known(), "search")
    after = training_scores(said, known(relabelled), "search")

    assert torch.allclose(before[0], after[0], atol=1e-5)
    assert not torch.allclose(before[3], after[3], atol=1e-4)


def test_a_request_never_meets_its_own_label_at_all(said: dict[int, Tensor]) -> None:
    relabelled = ((0, 3), *GOLD[1:])  # a scene that no other request has
    before = training_scores(said, known())
    after = training_scores(said, known(relabelled))

    assert torch.allclose(before[0], after[0], atol=1e-5)
    assert not torch.allclose(before[1:], after[1:], atol=1e-4)


def test_a_request_never_votes_for_itself(said: dict[int, Tensor]) -> None:
    relabelled = (SCENES[1], *GOLD[1:])
    before = training_scores(said, known(), "graph", "transfer")
    after = training_scores(said, known(relabelled), "graph", "transfer")

    assert torch.allclose(before[0], after[0], atol=1e-5)
    assert not torch.allclose(before[1:], after[1:], atol=1e-4)


def test_a_double_is_no_neighbour_in_training(said: dict[int, Tensor]) -> None:
    data = known()
    data.pool.vectors[3] = data.pool.vectors[0]
    relabelled = Pool(data.pool.vectors, (*GOLD[:3], SCENES[1], *GOLD[4:]))
    other = Known(relabelled, data.early, data.no_tool, data.texts)
    before = training_scores(said, data, "graph", "transfer")
    after = training_scores(said, other, "graph", "transfer")

    assert torch.allclose(before[0], after[0], atol=1e-5)


def test_the_second_stage_learns_what_serves_a_request() -> None:
    data = known()
    model = train_second(Shape(width=WIDTH, neighbours=5), data, SecondSettings(batch=8))
    torch.manual_seed(9)
    asked = normalize(data.pool.vectors[:9] + 0.1 * unit(9), dim=-1)
    read = Reader(model, data.pool, data.texts).read(as_vectors(asked))

    assert ranking_measures(read.shares, GOLD[:9])["R@3"] == 1.0
    assert read.shares.exp().sum(1).tolist() == pytest.approx([1.0] * 9, abs=1e-4)


@pytest.mark.slow
def test_the_need_is_learnt_from_requests_without_one() -> None:
    data = known()
    settings = SecondSettings(batch=8, epochs=30, detection=1.0, rate=3e-3)
    model = train_second(Shape(width=WIDTH, neighbours=5), data, settings)
    reader = Reader(model, data.pool, data.texts)
    asks = reader.read(as_vectors(data.early)).need
    no_tool = reader.read(as_vectors(data.no_tool)).need

    assert asks.mean() > no_tool.mean() + 1


@pytest.mark.slow
def test_the_same_seed_trains_the_same_model() -> None:
    first, again, other = (
        train_second(
            Shape(width=WIDTH, neighbours=5), known(), SecondSettings(batch=8, seed=seed)
        ).state_dict()
        for seed in (7, 7, 8)
    )

    assert all(torch.equal(first[name], again[name]) for name in first)
    assert not torch.equal(first["detect.weight"], other["detect.weight"])


@pytest.mark.parametrize("epochs", [1, 10, 11])
def test_a_training_may_be_short(epochs: int) -> None:
    model = train_second(Shape(width=WIDTH, neighbours=5), known(), SecondSettings(epochs=epochs))

    assert all(torch.isfinite(weight).all() for weight in model.state_dict().values())


def test_every_step_is_told() -> None:
    steps: list[tuple[int, int]] = []
    train_second(
        Shape(width=WIDTH, neighbours=5),
        known(no_tool=0),
        SecondSettings(batch=8, epochs=2),
        lambda done, total: steps.append((done, total)),
    )

    assert steps == [(step, 8) for step in range(1, 9)]
