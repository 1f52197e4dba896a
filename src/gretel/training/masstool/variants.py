"""What one row of an ablation is, and how it comes about."""

from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias

from torch import Tensor

from gretel.contracts.record import Record
from gretel.training.masstool.first import Told
from gretel.training.masstool.measures import auroc, ranking_measures
from gretel.training.masstool.prepared import Prepared
from gretel.training.masstool.train import Settings

Group: TypeAlias = Literal["baseline", "masstool", "without", "transfer", "λ", "ε"]
"""What a variant changes: nothing of MassTool's (baseline), nothing at all (masstool), a part, the
transfer, the weight of the detection loss, the threshold of the filter."""

Measure: TypeAlias = Callable[[Prepared, Told], dict[str, float]]
"""Measures on the development part, by name."""

AUROC = "AUROC"
"""Of the need for a tool; there is none without no-tool requests or without detection."""


class Variant(NamedTuple):
    """A row to be."""

    group: Group
    name: str
    measure: Measure
    at: float | None = None
    """The value of λ or ε."""


class Row(Record):
    """What a variant reached with one seed."""

    key: str
    """Digest of data and settings, the seed apart."""
    seed: int
    group: Group
    name: str
    at: float | None
    requests: int
    """In the development part."""
    measures: dict[str, float]


def ranked(scores: Callable[[Prepared], Tensor]) -> Measure:
    """Measures of scores that need no second stage."""
    return lambda prepared, _: ranking_measures(scores(prepared), prepared.examples.dev.gold)


def trained(settings: Settings) -> Measure:
    """Measures of a model that is trained with these settings."""

    def measure(prepared: Prepared, told: Told) -> dict[str, float]:
        model = prepared.model(settings, told)
        reader = prepared.reader(model)
        read = reader.read(prepared.encoded.dev)
        measures = ranking_measures(read.shares, prepared.examples.dev.gold)
        if model.shape.has("detection") and prepared.examples.no_tool_dev:
            no_tool = reader.read(prepared.encoded.no_tool_dev).need
            measures[AUROC] = auroc(read.need.tolist(), no_tool.tolist())
        return measures

    return measure
