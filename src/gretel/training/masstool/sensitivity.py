"""How much MassTool hangs on λ, the weight of the detection loss, and ε, the filter's threshold.

Each λ is a training of its own. ε is set after training, as in training itself: one model is read
with different thresholds.
"""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from gretel.training.masstool.first import Told
from gretel.training.masstool.measures import ranking_measures
from gretel.training.masstool.prepared import Prepared
from gretel.training.masstool.train import Settings, with_threshold
from gretel.training.masstool.variants import AUROC, Group, Measure, Row, Variant, trained

WEIGHTS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""λ; the paper takes .02 to .1. 0 is MassTool without detection."""
THRESHOLDS = (0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98)
"""ε, cosines; the paper takes .81 to .87 with encoders of its own."""
ALONE = "share without neighbours"
"""Requests that have no neighbour above ε."""


class Curve(NamedTuple):
    """One measure against λ or ε."""

    measure: str
    over: str
    lines: Mapping[str, tuple[tuple[float, float], ...]]
    """(value, measure) of each seed, and their mean; all with the same values."""


def weight_variants(settings: Settings) -> list[Variant]:
    """A training for each λ that the ablation has not done anyway."""
    return [
        Variant("λ", f"λ = {weight:g}", trained(_weighed(settings, weight)), weight)
        for weight in WEIGHTS
        if weight != settings.second.detection
    ]


def threshold_variants(settings: Settings) -> list[Variant]:
    """One trained model with each ε."""
    return [
        Variant("ε", f"ε = {threshold:g}", _filtered(settings, threshold), threshold)
        for threshold in THRESHOLDS
    ]


def _weighed(settings: Settings, weight: float) -> Settings:
    return settings._replace(second=settings.second.model_copy(update={"detection": weight}))


def _filtered(settings: Settings, threshold: float) -> Measure:
    def measure(prepared: Prepared, told: Told) -> dict[str, float]:
        model = with_threshold(prepared.model(settings, told), threshold)
        read = prepared.reader(model).read(prepared.encoded.dev)
        alone = (read.nearest <= threshold).float().mean().item()
        return ranking_measures(read.shares, prepared.examples.dev.gold) | {ALONE: alone}

    return measure


def curves(rows: Sequence[Row], usual: float) -> list[Curve]:
    """All that there is to draw; `usual` is the λ of the row MassTool.

    Without no-tool requests there is nothing over λ.
    """
    over_weight = [row for row in rows if row.group == "λ"]
    if over_weight:
        over_weight += [row.model_copy(update={"at": usual}) for row in _of(rows, "masstool")]
    over_threshold = _of(rows, "ε")
    return [
        *(_curve(over_weight, name, "λ") for name in ("R@3", "Completeness@3", AUROC)),
        *(_curve(over_threshold, name, "ε") for name in ("R@3", "Completeness@3", ALONE)),
    ]


def _of(rows: Sequence[Row], group: Group) -> list[Row]:
    return [row for row in rows if row.group == group]


def _curve(rows: Sequence[Row], measure: str, over: str) -> Curve:
    lines: dict[str, dict[float, float]] = {}
    for row in rows:
        if row.at is not None and measure in row.measures:
            lines.setdefault(f"seed {row.seed}", {})[row.at] = row.measures[measure]
    shared = sorted(set.intersection(*(set(line) for line in lines.values()))) if lines else []
    drawn = {name: tuple((at, line[at]) for at in shared) for name, line in lines.items()}
    mean = tuple((at, fmean(line[at] for line in lines.values())) for at in shared)
    return Curve(measure, over, drawn | {"mean": mean})
