"""Measures of a development part are those of ir_measures."""

import ir_measures
import pytest
import torch
from ir_measures import R, nDCG

from gretel.training.masstool.measures import MEASURES, ranking_measures

REQUESTS, TOOLS = 40, 12


@pytest.fixture
def scores() -> torch.Tensor:
    return torch.rand(REQUESTS, TOOLS, generator=torch.Generator().manual_seed(5))


@pytest.fixture
def gold() -> list[tuple[int, ...]]:
    """One to six tools each, more than fit in three or five places among them."""
    drawn = torch.Generator().manual_seed(6)
    return [
        tuple(torch.randperm(TOOLS, generator=drawn)[: 1 + number % 6].tolist())
        for number in range(REQUESTS)
    ]


def test_they_agree_with_ir_measures(scores: torch.Tensor, gold: list[tuple[int, ...]]) -> None:
    qrels = {f"q{n}": {f"t{t}": 1 for t in tools} for n, tools in enumerate(gold)}
    run = {
        f"q{n}": {f"t{t}": value for t, value in enumerate(row)}
        for n, row in enumerate(scores.tolist())
    }
    measures = [R @ 3, R @ 5, nDCG @ 3, nDCG @ 5]

    expected = ir_measures.calc_aggregate(measures, qrels, run)
    whole = [row.value == 1 for row in ir_measures.iter_calc([R @ 3], qrels, run)]

    found = ranking_measures(scores, gold)
    assert tuple(found) == MEASURES
    assert [found[str(each)] for each in measures] == pytest.approx(
        [expected[each] for each in measures]
    )
    assert found["Completeness@3"] == pytest.approx(sum(whole) / REQUESTS)


def test_a_catalogue_smaller_than_the_depth_can_be_right() -> None:
    found = ranking_measures(torch.tensor([[0.2, 0.9]]), [(1,)])

    assert found == dict.fromkeys(MEASURES, 1.0)
