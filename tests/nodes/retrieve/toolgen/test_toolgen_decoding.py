"""Whatever the scores are, only tools come out."""

import math
import random

import pytest
import torch
from torch import Tensor

from gretel.nodes.retrieve.toolgen.decoding import Decoding, Mode, need_odds, shares, taken
from gretel.nodes.retrieve.toolgen.slots import NONE, RESERVED, STOP
from lanes import every
from toolgen_models import random_model

SLOTS = 60
MODES: tuple[Mode, ...] = ("topk", "nucleus", "sample")
BAD = (math.nan, math.inf, -math.inf, 1e38, -1e38)


def adversarial(drawn: random.Random, rows: int) -> Tensor:
    """Scores that favour what is not permitted, some of them no numbers."""
    scores = torch.tensor([[drawn.gauss(0, 3) for _ in range(SLOTS)] for _ in range(rows)])
    scores[:, :RESERVED] += 50
    for _ in range(drawn.randrange(4)):
        scores[:, drawn.randrange(SLOTS)] = drawn.choice(BAD)
    return scores if drawn.random() < 0.9 else torch.full_like(scores, drawn.choice(BAD))


@pytest.mark.parametrize("mode", every(2, MODES))
def test_only_what_is_permitted_comes_out(mode: Mode) -> None:
    drawn = random.Random(11)
    for number in range(300):
        permitted = drawn.sample(range(RESERVED, SLOTS), drawn.randrange(SLOTS - RESERVED))
        k = drawn.randrange(1, 12)
        believed = shares(adversarial(drawn, 3), permitted)
        for found in taken(believed, permitted, k, Decoding(mode=mode, seed=number)):
            slots = [each.slot for each in found]

            assert set(slots) <= set(permitted)
            assert len(set(slots)) == len(slots) <= min(k, len(permitted))
            assert all(0 <= each.share <= 1 for each in found)
            if mode == "topk":
                assert len(slots) == min(k, len(permitted))


def test_the_likeliest_come_first() -> None:
    (found,) = taken(shares(torch.tensor([[0.0, 2, 1, 5]]), [1, 2, 3]), [1, 2, 3], 3, Decoding())

    assert [each.slot for each in found] == [3, 1, 2]
    assert sum(each.share for each in found) == pytest.approx(1)


@pytest.mark.parametrize(("mass", "wanted"), [(0.5, 1), (0.8, 2), (0.99, 3), (1.0, 3)])
def test_a_nucleus_is_the_fewest_that_carry_the_mass(mass: float, wanted: int) -> None:
    scores = torch.tensor([[0.6, 0.3, 0.1]]).log()
    (found,) = taken(shares(scores, [0, 1, 2]), [0, 1, 2], 3, Decoding(mode="nucleus", mass=mass))

    assert len(found) == wanted


def test_draws_follow_the_shares_and_the_seed() -> None:
    believed = shares(torch.tensor([[0.7, 0.2, 0.1]]).log(), [0, 1, 2])
    firsts = [
        taken(believed, [0, 1, 2], 2, Decoding(mode="sample", seed=seed))[0][0].slot
        for seed in range(600)
    ]
    again = taken(believed, [0, 1, 2], 2, Decoding(mode="sample", seed=3))

    assert firsts.count(0) / 600 == pytest.approx(0.7, abs=0.06)
    assert again == taken(believed, [0, 1, 2], 2, Decoding(mode="sample", seed=3))


def test_a_chain_names_each_tool_once_and_ends_where_the_model_stops() -> None:
    model = random_model(tools=6)
    permitted = list(range(RESERVED, RESERVED + 6))
    (whole,) = model.decode(["find a flight"], permitted, 6, Decoding(mode="chain"))
    model.rows.out[STOP] = 0
    model.rows.bias[STOP] = 1e4
    (stopped,) = model.decode(["find a flight"], permitted, 6, Decoding(mode="chain"))

    slots = [each.slot for each in whole]
    assert len(set(slots)) == len(slots)
    assert set(slots) <= set(permitted)
    assert [each.slot for each in stopped] == slots[:1]


def test_a_chain_reads_what_it_said() -> None:
    model = random_model(tools=6)
    (prompt,) = model.base.prompts(["find a flight"])
    alone = model.read([prompt]).scores
    behind = model.read([[*prompt, model.base.vocabulary + RESERVED]]).scores

    assert not torch.allclose(alone, behind)


def test_need_is_what_speaks_against_none() -> None:
    scores = torch.zeros(2, SLOTS)
    scores[0, NONE] = 20
    scores[1, NONE] = -20
    few = need_odds(scores, list(range(RESERVED, SLOTS)))

    assert few[0] < -5
    assert few[1] > 5
