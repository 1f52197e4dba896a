"""Fit what the fine-tuned vectors weigh beside what the semantic retriever says:

    python -m gretel.training.tuned --data DIR --real DIR --requests FILE --written DIR --seed 7

Reads what `training/shape.py` reads; of the written requests the dev part, whose vendors the
encoder was not tuned on. Writes `tuned.json` beside the retriever. The loss is listwise over what
the retriever finds without them, whose log-odds take part with a coefficient that the weight is
divided by; every collection counts the same.
"""

from dataclasses import replace

import numpy as np

from gretel.nodes.retrieve.odds import log_odds
from gretel.nodes.retrieve.semantic import tuned as product
from gretel.nodes.retrieve.semantic.fusion import Fusion
from gretel.nodes.retrieve.semantic.retriever import ranked
from gretel.nodes.retrieve.semantic.tuned import FEATURES, features
from gretel.training.data.judged import Collection, VectorCache, signals_of
from gretel.training.listwise import Lists, evenly
from gretel.training.staged import PUBLIC as SOURCES
from gretel.training.staged import fit_step

DEPTH = 100
"""Candidates of each request."""


def main() -> None:
    """Load, cross-validate, fit, write."""
    fit_step(product, __doc__, "tuned", SOURCES, FEATURES, candidates, evenly, written=True)


def candidates(collection: Collection, fusion: Fusion, cache: VectorCache) -> Lists:
    """The log-odds of what is found for each request, and the fine-tuned cosine of each."""
    index, texts = collection.index, [request.text for request in collection.requests]
    rows, places = [], []
    for signals in signals_of(index, collection.name, texts, cache):
        found = [*ranked(index, replace(signals, tuned=None), fusion, DEPTH)]
        own = [collection.place[each.tool_id] for each in found]
        odds = log_odds([each.score for each in found])
        rows.append(np.column_stack([odds, features(signals, np.array(own))]))
        places.append(own)
    return Lists.padded(collection.name, collection.requests, rows, places)


if __name__ == "__main__":
    main()
