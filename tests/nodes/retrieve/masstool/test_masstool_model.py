"""Every part does what it is there for, and is gone when it is left out."""

from dataclasses import replace
from typing import NamedTuple, get_args

import pytest
import torch
from torch import Tensor
from torch.nn.functional import normalize

from gretel.nodes.retrieve.masstool.config import COMPONENTS, Component, Shape, Transfer
from gretel.nodes.retrieve.masstool.graph import Edges
from gretel.nodes.retrieve.masstool.model import MassTool, Neighbours, Scores, nearby
from gretel.nodes.retrieve.masstool.pool import Pool, spread
from gretel.training.masstool.second import Known, SecondSettings, joint_loss

WIDTH, TOOLS, ASKED = 16, 7, 5
GOLD = ((0,), (0, 1), (2,), (2, 3), (4,), (4, 0), (1,), (3, 2), (1, 0), (2,))


class World(NamedTuple):
    """Random vectors of a pool, of tools and of requests."""

    pool: Pool
    texts: Tensor
    early: Tensor
    requests: Tensor

    def known(self) -> Known:
        return Known(self.pool, self.early, -self.early[:4], self.texts)

    def target(self) -> Tensor:
        return spread(*self.pool.served(), TOOLS)[:ASKED]


def unit(rows: int) -> Tensor:
    return normalize(torch.randn(rows, WIDTH), dim=-1)


@pytest.fixture
def world() -> World:
    torch.manual_seed(7)
    return World(Pool(unit(len(GOLD)), GOLD), unit(TOOLS), unit(len(GOLD)), unit(ASKED))


def made(world: World, shape: Shape, *, near: float | None = None) -> tuple[MassTool, Scores]:
    """A model as it begins, and what it says; `near` replaces all similarities."""
    torch.manual_seed(7)
    model = MassTool(shape)
    found = world.pool.nearest(world.requests, shape.neighbours)
    if near is not None:
        found = Neighbours(found.places, torch.full_like(found.similarity, near))
    edges = Edges.of(world.pool.gold, TOOLS)
    requests = model.request(world.pool.vectors)
    views = model.tool_views(world.texts, requests, edges)
    served = world.pool.served()
    values = model.pool_values(requests, views, served)
    known = nearby(found.places, requests, values, served)
    scores = model(model.request(world.requests), world.early[:ASKED], views, found, known)
    return model, scores


def shape(*without: Component, threshold: float = -1.0, transfer: Transfer = "gate") -> Shape:
    return Shape(width=WIDTH, without=without, neighbours=4, threshold=threshold, transfer=transfer)


def moved(world: World, shape: Shape, settings: SecondSettings | None = None) -> set[str]:
    """The parameters that the joint loss moves."""
    model, scores = made(world, shape)
    target = world.target()
    loss = joint_loss(model, scores, target, world.known(), settings or SecondSettings())
    loss.backward()
    return {
        name
        for name, weight in model.named_parameters()
        if weight.grad is not None and bool(weight.grad.abs().sum() > 0)
    }


def test_at_first_a_model_without_neighbours_ranks_by_plain_cosine(world: World) -> None:
    _, scores = made(world, shape("graph", "search"))

    cosines = world.requests @ world.texts.T
    assert torch.equal(scores.tools.argsort(dim=1), cosines.argsort(dim=1))


@pytest.mark.parametrize("part", ["graph", "search", "transfer", "vote"])
def test_a_part_that_is_left_out_changes_the_scores(world: World, part: Component) -> None:
    whole, without = made(world, shape())[1], made(world, shape(part))[1]

    assert not torch.allclose(whole.tools, without.tools)
    assert torch.equal(whole.need, without.need)


def test_nothing_else_is_said_by_a_part_that_is_left_out(world: World) -> None:
    assert made(world, shape("detection"))[1].need.tolist() == [0.0] * ASKED
    assert made(world, shape("search"))[1].intents == ()
    for part in ("search", "vote"):
        assert made(world, shape(part))[1].vote.abs().sum() == 0


def test_without_the_graph_tools_are_their_texts(world: World) -> None:
    model, _ = made(world, shape("graph"))
    views = model.tool_views(world.texts, world.pool.vectors, Edges.of(GOLD, TOOLS))

    assert all(torch.allclose(view, world.texts, atol=1e-6) for view in views)


def test_a_tool_that_nothing_used_keeps_its_text_in_the_graph(world: World) -> None:
    model, _ = made(world, shape())
    views = model.tool_views(world.texts, world.pool.vectors, Edges.of(GOLD, TOOLS))

    for view in views:
        assert torch.allclose(view[5:], world.texts[5:], atol=1e-6)
        assert not torch.allclose(view[:5], world.texts[:5], atol=1e-2)


def test_without_the_filter_the_threshold_says_nothing(world: World) -> None:
    unfiltered = made(world, shape("filter", threshold=0.9))[1]

    assert torch.equal(unfiltered.tools, made(world, shape("filter"))[1].tools)
    assert torch.equal(unfiltered.tools, made(world, shape())[1].tools)
    assert not torch.allclose(made(world, shape(threshold=0.9))[1].tools, unfiltered.tools)


def test_the_vote_is_a_share_of_the_attention(world: World) -> None:
    vote = made(world, shape())[1].vote

    assert torch.allclose(vote.sum(1), torch.ones(ASKED))
    assert made(world, shape(threshold=0.5), near=0.4)[1].vote.abs().sum() == 0


@pytest.mark.parametrize(
    ("part", "still"),
    [
        ("graph", {"mixing"}),
        ("search", {"turn", "gate", "sharpness"}),
        ("transfer", {"gate"}),
        ("detection", {"needed.weight", "needed.bias"}),
    ],
)
def test_parameters_of_a_part_that_is_left_out_stay_still(
    world: World, part: Component, still: set[str]
) -> None:
    assert still <= moved(world, shape())
    assert not still & moved(world, shape(part))


def test_without_requests_that_need_no_tool_nothing_is_learnt_of_the_need(world: World) -> None:
    known = replace(world.known(), no_tool=torch.empty(0, WIDTH))
    model, scores = made(world, shape("transfer"))
    target = world.target()
    joint_loss(model, scores, target, known, SecondSettings()).backward()

    assert model.detect.weight.grad is None
    assert model.needed.weight.grad is None


def test_only_the_vote_moves_its_weight(world: World) -> None:
    for parts, expected in (((), True), (("vote",), False)):
        model, scores = made(world, shape(*parts))
        scores.tools[:, 0].sum().backward()
        assert model.weights.grad is not None
        assert bool(model.weights.grad[6] != 0) is expected


def test_the_contrast_is_a_part_of_the_loss(world: World) -> None:
    settings = SecondSettings(detection=0)
    target = world.target()
    losses = {}
    for name, parts in (("whole", ()), ("without", ("contrast",))):
        model, scores = made(world, shape(*parts))
        losses[name] = joint_loss(model, scores, target, world.known(), settings).item()

    assert losses["whole"] > losses["without"]


@pytest.mark.parametrize("transfer", get_args(Transfer))
def test_each_transfer_gives_scores_and_learns(world: World, transfer: Transfer) -> None:
    _, scores = made(world, shape(transfer=transfer))

    assert torch.isfinite(scores.tools).all()
    learns = moved(world, shape(transfer=transfer))
    assert "gate" in learns
    assert ("blend" in learns) is (transfer == "concat")
    assert "gate" not in moved(world, shape("transfer", transfer=transfer))


@pytest.mark.parametrize("transfer", get_args(Transfer))
def test_a_request_without_neighbours_has_finite_scores_and_gradients(
    world: World, transfer: Transfer
) -> None:
    model, scores = made(world, shape(threshold=0.5, transfer=transfer), near=0.4)
    target = world.target()
    joint_loss(model, scores, target, world.known(), SecondSettings()).backward()

    assert torch.isfinite(scores.tools).all()
    grads = [weight.grad for weight in model.parameters() if weight.grad is not None]
    assert all(torch.isfinite(grad).all() for grad in grads)


@pytest.mark.parametrize("transfer", ["gate", "attention"])
def test_a_gate_lets_nothing_through_where_nobody_is_near(world: World, transfer: Transfer) -> None:
    alone = made(world, shape(threshold=0.5, transfer=transfer), near=0.4)[1]

    assert torch.allclose(alone.tools, made(world, shape("search"))[1].tools, atol=1e-5)


def test_what_hangs_on_the_search_goes_with_it() -> None:
    left = [part for part in COMPONENTS if shape("search").has(part)]

    assert left == ["detection", "graph"]
    assert all(shape().has(part) for part in COMPONENTS)
