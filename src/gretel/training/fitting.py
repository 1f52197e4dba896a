"""Fit what trials add to the chance that a tool fits: `python -m gretel.training.fitting ROWS…`.

`ROWS` are what `benchmarks/real/strangers.py` wrote of each development part. Each request counts a
second time as if nothing could have been sent for it, as where a catalogue may not be called. How
well the weights carry over says a service that is left out for its own requests, a part for all
others. The own ones set the offset: behind the trials, too, the threshold is `abstain_below`.
"""

import argparse
import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from gretel.contracts.ranking import Chances
from gretel.datasets.reading import read_lines, read_text
from gretel.nodes.context import ABSTAIN_BELOW
from gretel.nodes.select import fitting as product
from gretel.nodes.select.fitting import EVIDENCE, evidence
from gretel.training.listwise import Array, write

Row: TypeAlias = Mapping[str, Any]

SERVED = "answerable"
SHARES: Mapping[str, float] = {SERVED: 0.5, "stranger": 0.25, "public": 0.1, "chat": 0.6}
"""How much the requests of each kind count together, in each part. Chat needs no trial to be told
apart, and is to stay declined."""
LOST = 0.02
"""Share of the served requests that the threshold may lose, in parts that were left out. A request
that is declined wrongly costs more than a tool that is offered to a stranger: eight of ten of
those, whose requests read like a service's own, are offered one for it (decision 0009)."""


CURVE = (0.01, 0.02, 0.03, LOST, 0.04, 0.05, 0.08, 0.1)
"""Shares of the served requests lost, for which the file says what would still be offered."""


def main() -> None:
    """Read, leave each part out, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=Path, nargs="+", help="of strangers.py, a file a part")
    folder = Path(product.__file__).parent
    parser.add_argument("--out", type=Path, default=folder, help="folder of what is written")
    options = parser.parse_args()
    texts = [*map(read_text, options.rows)]
    rows = judged(rows_of(options.rows))
    fitted: dict[str, object] = {
        **fitted_on(rows),
        "data": hashlib.sha256("".join(sorted(texts)).encode()).hexdigest(),
        "command": "python -m gretel.training.fitting ROWS",
    }
    write(options.out / "fitting.json", fitted)


def rows_of(paths: Iterable[Path]) -> list[Row]:
    """The rows of all files.

    Raises:
        CatalogError: one cannot be read.
    """
    return [line.content for path in paths for line in read_lines(path)]


def judged(rows: Sequence[Row]) -> list[Row]:
    """Those that count, of a kind that is certain and judged by retrieval; and each as unsent."""
    certain = [row for row in rows if row["kind"] in SHARES and row["answerable"] is not None]
    return [
        *(row for row in certain if row["sent"]),
        *({**row, "fate": "unsent"} for row in certain),
    ]


def fitted_on(rows: Sequence[Row]) -> dict[str, object]:
    """The weights, the offset moved so that the threshold stands at `LOST`, and what it loses."""
    held = left_out(rows)
    served = np.array([row["kind"] == SERVED for row in rows])
    at = float(np.quantile(held[served], LOST))
    weights = fit(rows)
    weights[-1] += float(np.log(ABSTAIN_BELOW / (1 - ABSTAIN_BELOW))) - at
    return {
        "weights": {n: round(float(w), 3) for n, w in zip(EVIDENCE, weights, strict=True)},
        "offered": {
            f"{part}, {kind}": round(float((held[_of(rows, part, kind)] >= at).mean()), 3)
            for part in sorted({row["part"] for row in rows})
            for kind in SHARES
        },
        "offered by share lost": {
            f"{lost:.1%}": _offered(rows, held, float(np.quantile(held[served], lost)))
            for lost in CURVE
        },
        "requests": len(rows),
    }


def left_out(rows: Sequence[Row]) -> Array:
    """Log odds of each row by weights that saw nothing of its service, else of its part."""
    hidden = np.array([row.get("service") or row["part"] for row in rows])
    parts = np.array([row["part"] for row in rows])
    seen = features(rows)
    found = np.zeros(len(rows))
    for name in sorted(set(hidden)):
        own = hidden == name
        kept = ~own & (parts != name)
        found[own] = seen[own] @ fit([row for row, keeps in zip(rows, kept, strict=True) if keeps])
    return found


def fit(rows: Sequence[Row]) -> Array:
    """One weight for each of `EVIDENCE`; every part and kind counts as `SHARES` says."""
    from sklearn.linear_model import LogisticRegression

    sizes = Counter((row["part"], row["kind"]) for row in rows)
    counts = np.array([SHARES[row["kind"]] / sizes[row["part"], row["kind"]] for row in rows])
    model = LogisticRegression(max_iter=1_000)
    model.fit(
        features(rows)[:, :-1],
        [row["kind"] == SERVED for row in rows],
        sample_weight=counts * len(rows) / counts.sum(),
    )
    return np.array([*model.coef_[0], float(model.intercept_[0])])


def features(rows: Sequence[Row]) -> Array:
    """One row a request, one column a name of `EVIDENCE`."""
    return np.array(
        [evidence(Chances(None, row["answerable"]), row["best"], row["fate"]) for row in rows]
    )


def _offered(rows: Sequence[Row], held: Array, at: float) -> dict[str, float]:
    """The share of each kind that stands at a threshold or above it."""
    kinds = np.array([row["kind"] for row in rows])
    return {kind: round(float((held[kinds == kind] >= at).mean()), 3) for kind in SHARES}


def _of(rows: Sequence[Row], part: str, kind: str) -> list[int]:
    return [n for n, row in enumerate(rows) if (row["part"], row["kind"]) == (part, kind)]


if __name__ == "__main__":
    main()
