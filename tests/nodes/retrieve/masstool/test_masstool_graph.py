"""Graphs and pool: what a request and a tool know of each other."""

import math

import pytest
import torch
from torch import Tensor
from torch.nn.functional import normalize

from gretel.nodes.retrieve.masstool.graph import Edges
from gretel.nodes.retrieve.masstool.pool import Pool, spread

GOLD = ((0, 1), (1,), (1, 0), (2, 1))
"""Of four requests, over five tools: the last two serve none."""


@pytest.fixture
def edges() -> Edges:
    return Edges.of(GOLD, 5)


def sums(matrix: Tensor) -> list[float]:
    return [round(value, 6) for value in matrix.to_dense().sum(1).tolist()]


def test_shares_of_scenes_and_members_sum_to_one(edges: Edges) -> None:
    assert sums(edges.scenes) == [1.0] * 3
    assert sums(edges.members) == [1.0, 1.0, 1.0, 0.0, 0.0]


def test_messages_are_normalised_by_both_degrees(edges: Edges) -> None:
    half, quarter, eighth = (1 / math.sqrt(n) for n in (2 * 2, 1 * 4, 2 * 4))
    by_hand = torch.tensor(
        [
            [half, 0, half, 0],
            [eighth, quarter, eighth, eighth],
            [0, 0, 0, 1 / math.sqrt(2 * 1)],
            [0, 0, 0, 0],
            [0, 0, 0, 0],
        ]
    )

    assert torch.allclose(edges.messages.to_dense(), by_hand)


def test_a_scene_is_a_set_of_tools(edges: Edges) -> None:
    scenes = edges.scenes.to_dense()

    assert scenes.shape == (3, 5)
    assert torch.equal(scenes[0], torch.tensor([0.5, 0.5, 0, 0, 0]))
    assert torch.equal(Edges.of([(0, 1), (1, 0)], 2).scenes.to_dense(), torch.full((1, 2), 0.5))


@pytest.mark.parametrize("hidden", [[1], [3], [1, 2]])
def test_hidden_requests_are_as_if_they_had_no_tools(edges: Edges, hidden: list[int]) -> None:
    torch.manual_seed(7)
    requests, tools = torch.randn(4, 6), torch.randn(5, 6)
    rows = torch.tensor(hidden)
    without = Edges.of([() if row in hidden else gold for row, gold in enumerate(GOLD)], 5)

    assert torch.allclose(
        edges.from_requests(requests, rows), without.from_requests(requests), atol=1e-6
    )
    assert torch.allclose(edges.from_scenes(tools, rows), without.from_scenes(tools), atol=1e-6)


def test_graphs_without_requests_are_empty() -> None:
    edges = Edges.of([], 3)

    assert edges.scene.shape == (0,)
    assert torch.equal(edges.messages @ torch.empty(0, 4), torch.zeros(3, 4))


@pytest.fixture
def pool() -> Pool:
    torch.manual_seed(7)
    vectors = normalize(torch.randn(8, 6), dim=-1)
    vectors[5] = vectors[2]
    return Pool(vectors, tuple((place % 3,) for place in range(8)))


def test_neighbours_are_the_most_similar_first(pool: Pool) -> None:
    asked = normalize(torch.randn(3, 6), dim=-1)
    found = pool.nearest(asked, 4)

    cosines = asked @ pool.vectors.T
    assert torch.equal(found.places, cosines.argsort(dim=1, descending=True)[:, :4])
    assert torch.allclose(found.similarity, cosines.sort(dim=1, descending=True).values[:, :4])


def test_a_known_request_is_no_neighbour_of_itself_nor_of_its_double(pool: Pool) -> None:
    known = pool.nearest(pool.vectors, 8, known=True)
    asked = pool.nearest(pool.vectors, 8)

    assert asked.places[0, 0] == 0
    for row, excluded in ((0, {0}), (2, {2, 5}), (5, {2, 5})):
        near = known.places[row][known.similarity[row] > -1].tolist()
        assert set(near) == set(range(8)) - excluded


def test_known_requests_exclude_themselves_beyond_the_first_block(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = pool.nearest(pool.vectors, 3, known=True)
    monkeypatch.setattr("gretel.nodes.retrieve.masstool.pool._ROWS", 3)

    assert torch.equal(pool.nearest(pool.vectors, 3, known=True).places, whole.places)


def test_a_pool_gives_no_more_neighbours_than_it_has(pool: Pool) -> None:
    assert pool.nearest(pool.vectors[:2], 50).places.shape == (2, 8)
    empty = Pool(torch.empty(0, 6), ())
    assert empty.nearest(pool.vectors[:2], 50).places.shape == (2, 0)


def test_what_served_a_request_shares_one(pool: Pool) -> None:
    places, shares = Pool(pool.vectors[:3], ((4,), (0, 2), (1, 3, 2))).served()

    assert shares.sum(1).tolist() == pytest.approx([1.0] * 3)
    assert places[0].tolist() == [4, 0, 0]
    assert shares[0].tolist() == [1.0, 0.0, 0.0]
    assert spread(places, shares, 5)[1].tolist() == [0.5, 0, 0.5, 0, 0]


def test_a_pool_grows_by_sets_of_tools(pool: Pool) -> None:
    grown = pool.with_more(pool.vectors[:2], [[2, 0, 2], [1]])

    assert len(grown.vectors) == 10
    assert grown.gold[8:] == ((0, 2), (1,))
    assert len(pool.gold) == 8
