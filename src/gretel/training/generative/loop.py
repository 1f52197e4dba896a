"""The first stage, towards descriptions of the right tools, and what both share."""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from gretel.contracts.tool import Tool
from gretel.nodes.rewrite.generative.bases import scores
from gretel.nodes.rewrite.generative.writer import Writer
from gretel.training.generative.samples import answer_of
from gretel.training.generative.settings import Settings
from gretel.training.language.loop import body
from gretel.training.loop import Loop, batches
from gretel.training.masstool.first import Asked

_APART = 8
"""Tokens by which texts of one batch may differ."""


class Sample(NamedTuple):
    """Tokens of a request, and what is to follow."""

    prompt: tuple[int, ...]
    target: tuple[int, ...]
    worth: float = 1.0
    """How much it counts."""


class Foretold(NamedTuple):
    """What a model says of the tokens that are to follow some prompts."""

    losses: Tensor
    """(tokens,) of each, in nats."""
    scores: Tensor
    """(tokens, vocabulary)."""
    means: Callable[[Tensor], Tensor]
    """Of figures of the tokens, a mean for each sample."""


def foretold(writer: Writer, model: Any, part: Sequence[Sample]) -> Foretold:
    """Of samples, by `model`, which has the writer's form; nothing of the prompts is learnt."""
    base = writer.base
    rows = [n for n, each in enumerate(part) for _ in each.target]
    wanted = torch.tensor([token for each in part for token in each.target], device=base.device)
    found = scores(base, model, [each.prompt for each in part], [each.target for each in part])
    sizes = torch.tensor([len(each.target) for each in part], device=base.device)
    row = torch.tensor(rows, device=base.device)

    def means(values: Tensor) -> Tensor:
        return values.new_zeros(len(part)).index_add(0, row, values) / sizes

    return Foretold(cross_entropy(found, wanted, reduction="none"), found, means)


class TextLoop(Loop[Sample]):
    """Texts behind requests."""

    def __init__(
        self,
        writer: Writer,
        stages: Sequence[str],
        settings: Settings,
        measure: Callable[[], float],
        folder: Path,
        key: str,
    ) -> None:
        """Prepare; see `Loop`."""
        self._writer = writer
        super().__init__(body(writer.base, settings), stages, settings, measure, folder, key)

    def _loss(self, part: Sequence[Sample]) -> Tensor:
        found = foretold(self._writer, self._writer.base.model, part)
        return self._costs(part, found).mean()

    def _costs(self, part: Sequence[Sample], found: Foretold) -> Tensor:
        """Of each sample."""
        worth = torch.tensor([each.worth for each in part], device=found.losses.device)
        return worth * found.means(found.losses)

    def _mixed(self, samples: Sequence[Sample], epoch: int) -> Iterator[list[Sample]]:
        """Batches of an epoch."""
        drawn = random.Random(f"{self._settings.seed} {epoch} order")
        size = self._settings.batch
        return batches(samples, size, drawn, lambda s: len(s.prompt + s.target), _APART)


class SftLoop(TextLoop):
    """Requests, and descriptions of the tools that serve them."""

    measured = "likelihood"

    def __init__(
        self,
        writer: Writer,
        learnt: Asked,
        held: Asked,
        tools: Sequence[Tool],
        settings: Settings,
        folder: Path,
        key: str,
    ) -> None:
        """Prepare; `held`: by which it stops, and `learnt` where there are none."""
        self._learnt = _answers(writer, learnt, tools)
        self._held = _answers(writer, held, tools) or self._learnt
        stages = ["sft"] * settings.epochs
        super().__init__(writer, stages, settings, self._likelihood, folder, key)

    def _likelihood(self) -> float:
        """Of a token of the right answers."""
        losses: list[float] = []
        size = self._settings.micro
        with torch.inference_mode():
            for start in range(0, len(self._held), size):
                part = self._held[start : start + size]
                found = foretold(self._writer, self._writer.base.model, part)
                losses += found.means(found.losses).tolist()
        return math.exp(-fmean(losses))

    def _batches(self, stage: str, epoch: int) -> Iterator[list[Sample]]:
        return self._mixed(self._learnt, epoch)


def _answers(writer: Writer, asked: Asked, tools: Sequence[Tool]) -> list[Sample]:
    return [
        Sample(tuple(prompt), tuple(writer.target(answer_of(tools[place] for place in gold))))
        for prompt, gold in zip(writer.prompts(asked.texts), asked.gold, strict=True)
    ]
