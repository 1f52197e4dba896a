"""Whether a difference between two pipelines, request by request, is more than chance."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gretel.contracts.errors import InputError

RESAMPLES = 10_000
LEVEL = 0.95
SIGNIFICANT = 0.05
"""p-values below are marked."""
_SEED = 7
_BATCH = 500
"""Resamples at once, so that memory stays small on large data sets."""


class Interval(NamedTuple):
    """Where the difference lies, at `LEVEL`."""

    low: float
    high: float


class Paired(NamedTuple):
    """Two pipelines over the same requests."""

    difference: float
    """Mean of the second less mean of the first."""
    p_value: float
    """Two-sided; how often chance alone gives a difference as large."""
    n: int
    ci: Interval


def paired(first: Mapping[str, float], second: Mapping[str, float]) -> Paired:
    """Compare two measures' values by request.

    The p-value is Fisher's paired randomisation test (Smucker et al., CIKM 2007): each request's
    difference gets a random sign, `RESAMPLES` times. The interval is the percentile bootstrap over
    requests. The same input gives the same result, whatever the mappings' order.

    Raises:
        InputError: not the same requests on both sides, or none.
    """
    import numpy as np
    from scipy import stats

    if not first or first.keys() != second.keys():
        remedy = "Give values of the same requests on both sides, at least one"
        raise InputError("cannot be paired", field="values by request", remedy=remedy)
    differences = np.array([second[request] - first[request] for request in sorted(first)])
    signs, drawn = np.random.default_rng((_SEED, 0)), np.random.default_rng((_SEED, 1))

    def mean(values: Any, axis: int) -> Any:
        return values.mean(axis=axis).round(12)  # sums in another order are equal, too

    test = stats.monte_carlo_test(
        differences,
        lambda size: (signs.integers(0, 2, size, np.int8) * 2.0 - 1) * differences,
        mean,
        vectorized=True,
        n_resamples=RESAMPLES,
        batch=_BATCH,
    )
    low = high = observed = float(differences.mean())
    if len(differences) > 1:
        low, high = stats.bootstrap(
            (differences,),
            mean,
            vectorized=True,
            n_resamples=RESAMPLES,
            batch=_BATCH,
            confidence_level=LEVEL,
            method="percentile",
            rng=drawn,
        ).confidence_interval
    return Paired(observed, float(test.pvalue), len(first), Interval(float(low), float(high)))
