"""Measures of abstaining: offering a tool where none fits, and none where one does."""

from collections.abc import Iterable
from typing import NamedTuple


class Chance(NamedTuple):
    """One request: how sure the product is that a tool serves it, and the truth."""

    answerable: float
    """Probability, or 1 and 0 for a product that only decides."""
    served: bool
    """Whether the catalogue has a right tool."""


class AbstentionMeasures(NamedTuple):
    """At one threshold; None where there is nothing to divide by."""

    false_offers: float | None
    """Share of requests that no tool serves and that were offered one."""
    false_abstentions: float | None
    """Share of requests that a tool serves and that were offered none."""
    auroc: float | None
    """Probability that a served request is judged more answerable than another; ties count half."""
    served: int
    others: int


def measure_abstention(chances: Iterable[Chance], *, threshold: float) -> AbstentionMeasures:
    """The measures of a product that abstains where `answerable` is below the threshold."""
    chances = list(chances)
    served = [chance.answerable for chance in chances if chance.served]
    others = [chance.answerable for chance in chances if not chance.served]
    return AbstentionMeasures(
        false_offers=share(sum(value >= threshold for value in others), len(others)),
        false_abstentions=share(sum(value < threshold for value in served), len(served)),
        auroc=_auroc(served, others),
        served=len(served),
        others=len(others),
    )


def _auroc(served: list[float], others: list[float]) -> float | None:
    """Mann and Whitney's U over all pairs."""
    from scipy.stats import mannwhitneyu

    if not served or not others:
        return None
    return float(mannwhitneyu(served, others).statistic) / (len(served) * len(others))


def share(part: int, whole: int) -> float | None:
    """`part` of `whole`; None where there is nothing to divide by."""
    return part / whole if whole else None
