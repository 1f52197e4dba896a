"""What queries are worth on requests that were not learnt, for seen and for unseen tools.

Requests that come may be for tools that no learnt request names, which a model that learnt to write
the others' names may lose. So both kinds of requests count by the catalogue's own shares.
"""

import math
from collections.abc import Sequence
from statistics import fmean, variance
from typing import NamedTuple

from gretel.contracts.record import JsonObject
from gretel.nodes.rewrite.generative.artifact import Calibration
from gretel.nodes.rewrite.generative.writer import Writer
from gretel.training.generative.samples import Split
from gretel.training.generative.search import Measured, Search
from gretel.training.masstool.first import Asked

WEIGHTS = (0.05, 0.1, 0.2, 0.3, 0.5)
"""Shares of the queries that are tried."""


class _Group(NamedTuple):
    """Requests of one kind."""

    asked: Asked
    share: float
    """Of the catalogue's tools."""


class Held:
    """Held-out requests."""

    def __init__(self, parts: Split, search: Search, writer: Writer) -> None:
        """What `writer` is worth to `search`."""
        groups = {
            "known": _Group(parts.known, 1 - parts.new),
            "unseen": _Group(parts.unseen, parts.new),
        }
        self._groups = {name: each for name, each in groups.items() if each.asked.texts}
        self._search, self._writer = search, writer

    def reward(self, weight: float) -> float:
        """Of queries with that share, as the writer is now."""
        written = self._written()
        return sum(
            group.share
            * fmean(
                each.reward for each in self._search.measured(group.asked, written[name], weight)
            )
            for name, group in self._groups.items()
        )

    def calibrated(self) -> tuple[Calibration, JsonObject]:
        """The best share of the queries, and nDCG@5 without them and with it.

        The gain must be more than its standard error, or there is none: the request is left alone.
        """
        written = self._written()
        plain = {name: self._plain(group.asked) for name, group in self._groups.items()}
        tried = {
            name: [*zip(*self._search.ways(group.asked, written[name], WEIGHTS), strict=True)]
            for name, group in self._groups.items()
        }
        best, gain, reached = Calibration(), 0.0, plain
        for place, weight in enumerate(WEIGHTS):
            found = {name: [*ways[place]] for name, ways in tried.items()}
            mean, error = self._gain(plain, found)
            if mean > max(gain, error):
                best, gain, reached = Calibration(weight=weight), mean, found
        usable = [bool(queries) for own in written.values() for queries in own]
        return best, {
            "without": _ndcg(plain),
            "with": _ndcg(reached),
            "gain": gain,
            "shares": {name: group.share for name, group in self._groups.items()},
            "requests": {name: len(group.asked.texts) for name, group in self._groups.items()},
            "usable": fmean(usable) if usable else 0.0,
        }

    def _gain(
        self, plain: dict[str, list[Measured]], found: dict[str, list[Measured]]
    ) -> tuple[float, float]:
        """The mean over what may be asked, and its standard error."""
        mean = spread = 0.0
        for name, group in self._groups.items():
            gains = [b.ndcg - a.ndcg for a, b in zip(plain[name], found[name], strict=True)]
            mean += group.share * fmean(gains)
            if len(gains) > 1:
                spread += group.share**2 * variance(gains) / len(gains)
        return mean, math.sqrt(spread)

    def _written(self) -> dict[str, list[Sequence[str]]]:
        return {
            name: [each.queries for each in self._writer.write(group.asked.texts)]
            for name, group in self._groups.items()
        }

    def _plain(self, asked: Asked) -> list[Measured]:
        return self._search.measured(asked, [()] * len(asked.texts), 0.0)


def _ndcg(found: dict[str, list[Measured]]) -> JsonObject:
    return {name: fmean(each.ndcg for each in own) for name, own in found.items()}
