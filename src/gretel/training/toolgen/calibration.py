"""What is fitted after a training: rows of new tools, and figures as probabilities."""

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from gretel.nodes.retrieve.artifact.manifest import Calibration
from gretel.nodes.retrieve.toolgen.coded import CodedModel
from gretel.nodes.retrieve.toolgen.decoding import need_odds, shares
from gretel.nodes.retrieve.toolgen.documents import Middle, directions, hidden_of, rows_of
from gretel.nodes.retrieve.toolgen.model import ToolModel
from gretel.nodes.retrieve.toolgen.rows import Rows
from gretel.nodes.retrieve.toolgen.slots import RESERVED, Slots
from gretel.training.masstool.calibration import calibrate
from gretel.training.masstool.data import Examples
from gretel.training.masstool.measures import ranking_measures

PRETENDED = 0.2
"""Share of the learnt tools that are taken for new ones, to see how long new rows are to be."""
LENGTHS = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2)
"""Of a new row, as shares of a learnt one's."""
LEVELS = (-2.0, -1.0, 0.0, 1.0)
"""Scores of a new tool for the mean request, beside those of learnt ones."""
READ = 2_000
"""Requests that say where the mean one is, at most."""


class Calibrated(NamedTuple):
    """What a finished model is used with."""

    rows: Rows
    middle: Middle
    calibration: Calibration


def calibrated(model: ToolModel, examples: Examples, slots: Slots, seed: int) -> Calibrated:
    """Rows of all tools, those without requests by their documents, and what figures are worth.

    Rows of words stay what they are.
    """
    used = slots.with_status("trained")
    hidden = hidden_of(model, examples.tools)
    asked = model.texts(examples.dev.texts)
    mean = hidden[[slot - RESERVED for slot in used]].mean(0)
    if isinstance(model, CodedModel):
        words = range(RESERVED, len(model.rows))
        chances = _chances(model, asked.scores, examples, used)
        return Calibrated(model.rows, _usual(model, examples, mean, words), chances)
    found = directions(hidden, mean)
    usual = _usual(model, examples, mean, used)
    gold = [[RESERVED + place for place in places] for places in examples.dev.gold]
    has_bias = model.base.has_bias
    middle = _best(usual, asked.scores, asked.hidden, found, used, gold, has_bias, seed)
    made = rows_of(model, examples.tools, found, middle)
    rows = _documented(model.rows, found)
    new = slots.with_status("new")
    rows = rows.replaced(new, made.at([slot - RESERVED for slot in new]))
    return Calibrated(rows, middle, _chances(model, asked.scores, examples, used))


def _usual(model: ToolModel, examples: Examples, mean: Tensor, learnt: Sequence[int]) -> Middle:
    """Where learnt rows lie."""
    prompts = model.base.prompts(examples.train.texts[:READ])
    requests = model.rows_read(prompts).hidden.mean(0)
    rows = model.rows.at(learnt)
    level = (rows.out @ requests + rows.bias).mean()
    return Middle(mean, requests, rows.out.norm(dim=1).mean(), level)


def _documented(rows: Rows, found: Tensor) -> Rows:
    own = rows.tensors
    reserved = torch.zeros(RESERVED, found.shape[1])
    return Rows(own["out"], own["bias"], own["into"], torch.cat([reserved, found]))


def _chances(
    model: ToolModel, scores: Tensor, examples: Examples, used: Sequence[int]
) -> Calibration:
    place = {slot: n for n, slot in enumerate(used)}
    gold = [
        [place[RESERVED + tool] for tool in tools if RESERVED + tool in place]
        for tools in examples.dev.gold
    ]
    needs = None
    if examples.no_tool_dev:
        others = model.texts(examples.no_tool_dev).scores
        needs = (need_odds(scores, used), need_odds(others, used))
    return calibrate(shares(scores, used), gold, needs)


def _best(
    usual: Middle,
    scores: Tensor,
    hidden: Tensor,
    found: Tensor,
    used: Sequence[int],
    gold: Sequence[Sequence[int]],
    has_bias: bool,
    seed: int,
) -> Middle:
    """The length and level that serve learnt tools best that are taken for new ones, and the
    others beside them: by the harmonic mean of nDCG@5 of both.
    """
    drawn = random.Random(f"{seed} pretended")
    new = sorted(drawn.sample(list(used), max(1, round(PRETENDED * len(used)))))
    own = [slot - RESERVED for slot in new]
    asks_new = [n for n, right in enumerate(gold) if set(right) & set(new)]
    asks_old = [n for n, right in enumerate(gold) if not set(right) & set(new)]
    if not asks_new or not asks_old:
        return usual
    reached = []
    for middle in _tried(usual):
        row, bias = middle.row(found[own], has_bias)
        tried = scores.clone()
        tried[:, new] = hidden @ row.T + bias
        both = [_ndcg(tried, asks, used, gold) for asks in (asks_new, asks_old)]
        reached.append(2 * both[0] * both[1] / max(sum(both), 1e-9))
    return list(_tried(usual))[reached.index(max(reached))]


def _tried(usual: Middle) -> Iterator[Middle]:
    for length in LENGTHS:
        for level in LEVELS:
            yield Middle(
                usual.documents, usual.requests, length * usual.length, level + usual.level
            )


def _ndcg(
    scores: Tensor, asks: Sequence[int], used: Sequence[int], gold: Sequence[Sequence[int]]
) -> float:
    place = {slot: n for n, slot in enumerate(used)}
    right = [[place[slot] for slot in gold[n] if slot in place] or [-1] for n in asks]
    return ranking_measures(scores[asks][:, list(used)], right)["nDCG@5"]
