"""Fit what the fine-tuned vectors weigh beside what the semantic retriever says:

    python -m gretel.training.tuned --data DIR --real DIR --requests FILE --written DIR --seed 7

Reads what `training/shape.py` reads; of the written requests the dev part, whose vendors the
encoder was not tuned on. Writes `tuned.json` beside the retriever. The loss is listwise over what
the retriever finds without them; every collection counts the same. The general features take part
anew: what is written is by how much they weigh otherwise, in units of the log-odds without.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gretel.nodes.retrieve.odds import log_odds
from gretel.nodes.retrieve.semantic import fusion as general
from gretel.nodes.retrieve.semantic import tuned as product
from gretel.nodes.retrieve.semantic.fusion import Fusion
from gretel.nodes.retrieve.semantic.retriever import ranked
from gretel.nodes.retrieve.semantic.tuned import FEATURES, features
from gretel.training.data.judged import Collection, VectorCache, signals_of
from gretel.training.listwise import Array, Lists, fit, fit_some
from gretel.training.staged import PUBLIC as SOURCES
from gretel.training.staged import fit_step

DEPTH = 100
"""Candidates of each request."""


def main() -> None:
    """Load, cross-validate, fit, write."""
    fit_step(product, __doc__, "tuned", SOURCES, FEATURES, candidates, weighed, written=True)


def weighed(lists: Sequence[Lists]) -> Array:
    """What each of `FEATURES` adds to the log-odds.

    The log-odds are a sum of the general features, so that both cannot be fitted side by side: all
    features are, by themselves, and what the log-odds have of them is taken off.
    """
    fusion = Fusion.load()
    alone = fit_some(lists, [0])[0]
    every = fit([part._replace(features=part.features[:, :, 1:]) for part in lists]) / alone
    had = np.zeros(len(FEATURES))
    had[-len(fusion.coefficients) :] = fusion.slope * np.asarray(fusion.coefficients)
    return np.concatenate([[1.0], every - had])


def candidates(collection: Collection, fusion: Fusion, cache: VectorCache) -> Lists:
    """The log-odds of what is found for each request, and the fine-tuned cosine of each."""
    index, texts = collection.index, [request.text for request in collection.requests]
    rows, places = [], []
    for signals in signals_of(index, collection.name, texts, cache):
        found = [*ranked(index, replace(signals, tuned=None), fusion, DEPTH)]
        own = [collection.place[each.tool_id] for each in found]
        odds = log_odds([each.score for each in found])
        places_of = np.array(own)
        fused = general.features(index, signals, places_of)
        rows.append(np.column_stack([odds, features(fused, signals, places_of)]))
        places.append(own)
    return Lists.padded(collection.name, collection.requests, rows, places)


if __name__ == "__main__":
    main()
