"""The rows of an ablation, and how each comes about.

Each λ, the weight of the detection loss, is a training of its own. ε, the threshold of the filter,
is set after training, as in training itself: one model is read with different thresholds.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias, get_args

from torch import Tensor

from gretel.contracts.record import Record
from gretel.nodes.retrieve.masstool.config import PARTS, Transfer
from gretel.training.masstool.baselines import BASELINES
from gretel.training.masstool.first import Told
from gretel.training.masstool.measures import auroc, ranking_measures
from gretel.training.masstool.prepared import Prepared
from gretel.training.masstool.train import Settings, with_threshold

Group: TypeAlias = Literal["baseline", "masstool", "without", "transfer", "λ", "ε"]
"""What a variant changes: nothing of MassTool's (baseline), nothing at all (masstool), a part, the
transfer, the weight of the detection loss, the threshold of the filter."""

Measure: TypeAlias = Callable[[Prepared, Told], dict[str, float]]
"""Measures on the development part, by name."""

AUROC = "AUROC"
"""Of the need for a tool; there is none without no-tool requests or without detection."""

WEIGHTS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""λ; the paper takes .02 to .1. 0 is MassTool without detection."""
THRESHOLDS = (0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98)
"""ε, cosines; the paper takes .81 to .87 with encoders of its own."""
ALONE = "share without neighbours"
"""Requests that have no neighbour above ε."""


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


def variants(settings: Settings, *, detects: bool) -> list[Variant]:
    """Every row of one seed, in the order of the table; what shares a model stands together.

    Args:
        settings: of the whole model.
        detects: there are no-tool requests; without them nothing is asked of detection.
    """
    parts = [part for part in PARTS if detects or part != "detection"]
    transfers = [each for each in get_args(Transfer) if each != settings.transfer]
    return [
        *(Variant("baseline", name, _ranked(scores)) for name, scores in BASELINES.items()),
        Variant("masstool", "MassTool", trained(settings)),
        *_threshold_variants(settings),
        *(
            Variant("without", f"without {part}", trained(settings._replace(without=(part,))))
            for part in parts
        ),
        *(
            Variant("transfer", f"transfer: {name}", trained(settings._replace(transfer=name)))
            for name in transfers
        ),
        *(_weight_variants(settings) if detects else ()),
    ]


def _ranked(scores: Callable[[Prepared], Tensor]) -> Measure:
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


def _weight_variants(settings: Settings) -> list[Variant]:
    """A training for each λ that the ablation has not done anyway."""
    return [
        Variant("λ", f"λ = {weight:g}", trained(_weighed(settings, weight)), weight)
        for weight in WEIGHTS
        if weight != settings.second.detection
    ]


def _threshold_variants(settings: Settings) -> list[Variant]:
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
