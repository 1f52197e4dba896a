"""The second stage: towards queries by which the fixed retriever finds the right tools.

Expert iteration (for language models: arXiv 2308.08998): in each round texts are drawn for requests
whose tools the first stage never saw, the best of each request is learnt as far as it is better
than their mean, and going away from where the stage began costs. The retriever stays as it is.
"""

import random
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import fmean
from typing import Any

import torch
from torch import Tensor

from gretel.contracts.record import JsonObject, Record
from gretel.files import make_inner, read_json, write_whole
from gretel.nodes.rewrite.generative.writer import Writer
from gretel.training.generative.loop import Foretold, Sample, TextLoop, foretold
from gretel.training.generative.search import Search
from gretel.training.generative.settings import Settings
from gretel.training.loop import Told
from gretel.training.masstool.first import Asked

_DRAWN_AT_ONCE = 16
"""Requests for which texts are drawn before somebody is told, at least."""


class Chosen(Record):
    """The best text that was drawn for a request."""

    request: int
    queries: tuple[str, ...]
    advantage: float
    """By how much its reward is above the mean of all that were drawn for the request."""


class Round(Record):
    """What was drawn in a round, and what is learnt of it."""

    key: str
    """Of the training."""
    drawn: int
    """Texts."""
    usable: int
    """Of these, texts with a query."""
    reward: float
    """Mean of all that was drawn."""
    best: float
    """Mean of the best of each request."""
    chosen: tuple[Chosen, ...]

    @property
    def report(self) -> JsonObject:
        """For the artefact's manifest."""
        content: JsonObject = self.model_dump(mode="json", exclude={"key", "chosen"})
        return {**content, "learnt": len(self.chosen)}


class AlignLoop(TextLoop):
    """An epoch is a round: draw, reward, and learn the best."""

    measured = "reward"
    may_stay = True

    def __init__(
        self,
        writer: Writer,
        start: Any,
        asked: Asked,
        search: Search,
        settings: Settings,
        measure: Callable[[], float],
        folder: Path,
        key: str,
        told: Told,
    ) -> None:
        """Prepare; see `Loop`, in whose folder rounds are kept, too.

        `start` is a copy of the writer's model, from which it may not go far. It is measured by the
        reward on held-out requests.
        """
        paced = settings.model_copy(update={"rate": settings.align_rate})
        super().__init__(writer, ["align"] * settings.rounds, paced, measure, folder, key)
        self._before, self._asked, self._search, self._how = start, asked, search, settings
        self._folder, self._told = folder, told

    def rounds(self, many: int) -> list[JsonObject]:
        """Reports of the first `many` rounds."""
        return [self._round(number).report for number in range(many)]

    def _batches(self, stage: str, epoch: int) -> Iterator[list[Sample]]:
        """Those of this round, which are on disk where it was stopped in its middle."""
        chosen = self._round(epoch).chosen
        usual = fmean([each.advantage for each in chosen] or [1.0])
        prompts = self._writer.prompts([self._asked.texts[each.request] for each in chosen])
        samples = [
            Sample(
                tuple(prompt),
                tuple(self._writer.target(each.queries)),
                each.advantage / usual,
            )
            for prompt, each in zip(prompts, chosen, strict=True)
        ]
        return self._mixed(samples, epoch)

    def _costs(self, part: Sequence[Sample], found: Foretold) -> Tensor:
        """With the distance from the start (Kullback-Leibler, in nats a token)."""
        costs = super()._costs(part, found)
        if not self._how.kl:
            return costs
        with torch.no_grad():
            before = foretold(self._writer, self._before, part).scores.log_softmax(1)
        now = found.scores.log_softmax(1)
        return costs + self._how.kl * found.means((now.exp() * (now - before)).sum(1))

    def _round(self, number: int) -> Round:
        path = self._folder / f"round-{number}.json"
        with suppress(OSError, ValueError):  # not there, or not whole: it is drawn anew
            kept = Round.model_validate(read_json(path))
            if kept.key == self._key:
                return kept
        made = self._drawn(number)
        make_inner(path.parent)
        write_whole(path, made.model_dump_json())
        return made

    def _drawn(self, number: int) -> Round:
        """Draw for some of the requests, and reward; a text without a query leaves its request
        alone.
        """
        places = self._places(number)
        found = self._texts(number, places)
        count = self._how.samples
        texts, gold = self._asked.texts, self._asked.gold
        repeated = [place for place in places for _ in range(count)]
        flat = Asked(tuple(texts[n] for n in repeated), tuple(gold[n] for n in repeated))
        every = [queries for own in found for queries in own]
        measured = self._search.measured(flat, every, self._how.share)
        rewards = [each.reward for each in measured]
        own = [rewards[start : start + count] for start in range(0, len(rewards), count)]
        best = [_best(*each) for each in zip(places, found, own, strict=True)]
        return Round(
            key=self._key,
            drawn=len(every),
            usable=sum(map(bool, every)),
            reward=fmean(rewards),
            best=fmean(map(max, own)),
            chosen=tuple(each for each in best if each is not None),
        )

    def _places(self, number: int) -> list[int]:
        """Of the requests of a round."""
        every = range(len(self._asked.texts))
        drawn = random.Random(f"{self._how.seed} {number} asked")
        return sorted(drawn.sample(every, min(self._how.asked, len(every))))

    def _texts(self, number: int, places: Sequence[int]) -> list[list[tuple[str, ...]]]:
        """The queries of each text that is drawn, by request."""
        found: list[list[tuple[str, ...]]] = []
        size = max(_DRAWN_AT_ONCE, self._writer.at_once // self._how.samples)
        for start in range(0, len(places), size):
            part = [self._asked.texts[place] for place in places[start : start + size]]
            seed = zlib.crc32(f"{self._how.seed} {number} {start}".encode())
            drawn = self._writer.sample(part, self._how.samples, seed=seed)
            found += [[tuple(each.queries) for each in own] for own in drawn]
            self._told(len(found), len(places), f"round {number + 1}: texts drawn")
        return found


def _best(
    request: int, queries: Sequence[tuple[str, ...]], rewards: Sequence[float]
) -> Chosen | None:
    """The best text with a query, of equal ones the first; None where none is above the mean."""
    usable = [place for place, own in enumerate(queries) if own]
    if not usable:
        return None
    place = max(usable, key=lambda each: rewards[each])
    advantage = rewards[place] - fmean(rewards)
    if advantage <= 1e-9:
        return None
    return Chosen(request=request, queries=queries[place], advantage=advantage)
