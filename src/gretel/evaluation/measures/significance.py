"""Whether a difference between two pipelines, request by request, is more than chance."""

from collections.abc import Mapping
from typing import NamedTuple

from gretel.contracts.errors import InputError

ROUNDS = 10_000
LEVEL = 0.95
_CHUNK = 500
"""Draws at once, so that memory stays small on large data sets."""


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


def paired(first: Mapping[str, float], second: Mapping[str, float], *, seed: int = 7) -> Paired:
    """Compare two measures' values by request.

    The p-value is Fisher's paired randomisation test (Smucker et al., CIKM 2007): each request's
    difference gets a random sign, `ROUNDS` times. The interval is the percentile bootstrap over
    requests. The same input and seed give the same result, whatever the mappings' order.

    Raises:
        InputError: not the same requests on both sides, or none.
    """
    import numpy as np

    if not first or first.keys() != second.keys():
        remedy = "Give values of the same requests on both sides, at least one"
        raise InputError("cannot be paired", field="values by request", remedy=remedy)
    requests = sorted(first)
    differences = np.array([second[request] - first[request] for request in requests])
    n = len(differences)
    observed = float(differences.mean())
    chance, drawn = np.random.default_rng((seed, 0)), np.random.default_rng((seed, 1))
    extreme, means = 0, []
    for _ in range(ROUNDS // _CHUNK):
        signs = chance.integers(0, 2, size=(_CHUNK, n), dtype=np.int8) * 2.0 - 1
        # a hair of tolerance: the observed difference itself must count as as large
        extreme += int((np.abs(signs @ differences / n) >= abs(observed) - 1e-12).sum())
        means.append(
            differences[drawn.integers(0, n, size=(_CHUNK, n), dtype=np.int32)].mean(axis=1)
        )
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(np.concatenate(means), [tail, 1 - tail])
    return Paired(observed, (extreme + 1) / (ROUNDS + 1), n, Interval(float(low), float(high)))
