"""Training a rewriter's head: what it learns, when it is silent, and that a seed repeats."""

import math

import pytest
import torch

from gretel.training.rewriting.head import Head, Known, Lists, RewriterSettings, fitted
from gretel.training.rewriting.strength import Tried, calibrated
from training_fixtures import one_thread as one_thread

WIDTH, TOOLS = 16, 8
SETTINGS = RewriterSettings(hidden=8, epochs=30, batch=16, dropout=0.0)


def unit(*shape: int) -> torch.Tensor:
    return torch.nn.functional.normalize(torch.randn(*shape), dim=-1)


@pytest.fixture(scope="module")
def known() -> Known:
    torch.manual_seed(1)
    return Known(torch.arange(TOOLS - 1), unit(TOOLS - 1, WIDTH), hidden=0.0)


@pytest.fixture(scope="module")
def learnt(known: Known) -> Head:
    """What requests that say their tools teach."""
    return fitted(lists(200, honest=True), known, SETTINGS, lambda *_: None)


def lists(count: int, *, honest: bool) -> Lists:
    """Requests whose first numbers say which tool is right, or whose tools are drawn by lot.

    The fixed retriever prefers the last tool, which nobody needs and no request names.
    """
    torch.manual_seed(count)
    right = torch.randint(TOOLS - 1, (count,))
    requests = 0.1 * unit(count, WIDTH)
    shown = right if honest else torch.randint(TOOLS - 1, (count,))
    requests[torch.arange(count), shown] += 1
    odds = torch.full((count, TOOLS), -2.0, dtype=torch.float16)
    odds[:, -1] = 0.0
    gold = tuple((tool,) for tool in right.tolist())
    return Lists(torch.nn.functional.normalize(requests, dim=-1), odds, gold)


@pytest.mark.slow
def test_a_head_learns_what_requests_say_and_counts_on_others_of_their_kind(
    learnt: Head, known: Known
) -> None:
    calibration, reached = calibrated([Tried(learnt, lists(60, honest=True), known)])

    assert calibration.strength > 0
    assert reached["with"] > reached["without"] + 0.3


@pytest.mark.slow
def test_where_nothing_is_to_be_learnt_it_is_silent(known: Known) -> None:
    perfect = lists(60, honest=False)
    for row, gold in enumerate(perfect.gold):
        perfect.odds[row, gold[0]] = 4.0
    head = fitted(lists(200, honest=False), known, SETTINGS, lambda *_: None)
    calibration, reached = calibrated([Tried(head, perfect, known)])

    assert calibration.strength == 0
    assert reached["with"] == reached["without"] == 1.0


@pytest.mark.slow
def test_probabilities_are_right_on_average(learnt: Head, known: Known) -> None:
    held = lists(60, honest=True)
    calibration, _ = calibrated([Tried(learnt, held, known)])
    change = calibration.strength * learnt(held.requests, known.texts) + calibration.offset
    chances = torch.sigmoid(held.odds[:, known.places].float() + change)

    assert math.isclose(float(chances.sum()), len(held.gold), rel_tol=1e-2)


@pytest.mark.slow
def test_the_known_keep_their_mean_beside_tools_that_are_unknown() -> None:
    torch.manual_seed(1)
    known = Known(torch.arange(TOOLS - 1), unit(TOOLS - 1, WIDTH), hidden=0.5)
    held = lists(60, honest=True)
    head = fitted(lists(200, honest=True), known, SETTINGS, lambda *_: None)
    calibration, _ = calibrated([Tried(head, held, known)])
    plain = held.odds[:, known.places].float()
    change = calibration.strength * head(held.requests, known.texts) + calibration.offset

    assert calibration.strength > 0
    sums = [float(torch.sigmoid(each).sum()) for each in (plain, plain + change)]
    assert math.isclose(*sums, rel_tol=1e-2)


@pytest.mark.slow
def test_parts_that_are_held_out_in_turn_are_judged_together(learnt: Head, known: Known) -> None:
    """One part alone would gain; over both the harm of the other outweighs it."""
    good, bad = lists(60, honest=True), lists(61, honest=False)
    for row, gold in enumerate(bad.gold):
        bad.odds[row, gold[0]] = 3.0
    alone, _ = calibrated([Tried(learnt, good, known)])
    both, reached = calibrated([Tried(learnt, good, known), Tried(learnt, bad, known)])

    assert alone.strength >= both.strength > 0
    assert reached["with"] > reached["without"]


@pytest.mark.slow
def test_the_same_seed_gives_the_same_head(known: Known) -> None:
    heads = [
        fitted(
            lists(50, honest=True),
            known,
            SETTINGS.model_copy(update={"epochs": 2, "dropout": 0.1, "seed": seed}),
            lambda *_: None,
        ).state_dict()["linear.weight"]
        for seed in (7, 7, 8)
    ]

    assert torch.equal(heads[0], heads[1])
    assert not torch.equal(heads[0], heads[2])


def test_a_few_requests_are_enough_to_train(known: Known) -> None:
    few = SETTINGS.model_copy(update={"epochs": 8, "batch": 128})

    assert fitted(lists(20, honest=True), known, few, lambda *_: None).training is False


def test_hidden_tools_keep_what_the_retriever_says() -> None:
    torch.manual_seed(1)
    texts = unit(TOOLS - 1, WIDTH)
    hidden = Known(torch.arange(TOOLS - 1), texts, hidden=0.5)
    shown = torch.stack([hidden.shown() for _ in range(200)])

    assert set(shown.unique().tolist()) == {0.0, 1.0}
    assert float(shown.mean()) == pytest.approx(0.5, abs=0.05)
    assert Known(torch.arange(3), texts[:3], hidden=0.0).shown().all()


@pytest.mark.slow
def test_requests_for_unknown_tools_lose_less_where_known_ones_were_hidden() -> None:
    torch.manual_seed(1)
    texts = unit(TOOLS - 1, WIDTH)
    strangers = lists(60, honest=True)
    strangers = strangers._replace(gold=tuple((TOOLS - 1,) for _ in strangers.gold))
    missed = []
    for share in (0.0, 0.8):
        known = Known(torch.arange(TOOLS - 1), texts, hidden=share)
        head = fitted(lists(200, honest=True), known, SETTINGS, lambda *_: None)
        scores = strangers.odds.float().index_add(
            1, known.places, head(strangers.requests, known.texts)
        )
        missed.append(float(-torch.log_softmax(scores, 1)[:, -1].mean()))

    assert missed[1] < missed[0] - 0.1
