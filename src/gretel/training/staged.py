"""Fits of one step of the candidate stage, beside what the semantic retriever finds."""

from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

import numpy as np

from gretel.contracts.ranking import Candidate
from gretel.nodes.retrieve.odds import log_odds
from gretel.nodes.retrieve.semantic.fusion import Fusion
from gretel.nodes.retrieve.semantic.retriever import ranked
from gretel.training.data.judged import Collection, Source, VectorCache, signals_of
from gretel.training.data.real import real_collections
from gretel.training.data.written import written_collections
from gretel.training.listwise import (
    Array,
    Lists,
    beside_own,
    digest,
    made,
    opened,
    parse,
    write,
)

PUBLIC = (
    Source("toolbench_g1", "test_solvable", halved_by="toolkit"),
    Source("callnavi", "test", halved_by="toolkit"),
    Source("sealtools", "dev", limit=300),
    Source("livemcp", "test"),
    Source("metatool_toole", "train", limit=400),
    Source("toollens", "train", limit=400),
)
"""Public collections that several steps are fitted on."""

Shown: TypeAlias = tuple[Sequence[Candidate], Array]
"""Candidates of a request, and what is weighed of each."""


def fit_step(
    product: ModuleType,
    description: str | None,
    what: str,
    sources: Sequence[Source],
    names: Sequence[str],
    candidates: Callable[[Collection, Fusion, VectorCache], Lists],
    weighed: Callable[[Sequence[Lists]], Array],
    *,
    written: bool = False,
) -> None:
    """Load, cross-validate, fit, and write the weights beside the module `product`.

    Args:
        product: reads what is written, a file of its own name.
        description: of the command line.
        what: the step, where figures are named.
        sources: the public collections; those of the real services come behind.
        names: of the weights, behind that of the own log-odds.
        candidates: the lists of one collection.
        weighed: the weights of lists, in units of the first.
        written: fit on the dev part of the written requests, too, and read all requests as the
            product does: with fine-tuned vectors, and with the words that they mean.
    """
    options = parse(description, Path(str(product.__file__)).parent, real=True, written=written)
    fusion, (cache, collections) = Fusion.load(), opened(sources, options, tuned=written)
    collections += real_collections(options.real, options.requests, options.parts, cache)
    if written:
        collections += written_collections(options.data, options.written, "dev", cache)
    lists = [candidates(collection, fusion, cache) for collection in collections]
    weights = weighed(lists)
    content = {
        "weights": dict(zip(names, weights[1:].round(3).tolist(), strict=True)),
        "requests": {part.name: len(part.judged) for part in lists},
        "nDCG@5": beside_own(what, lists, weights, weighed),
    }
    step = product.__name__.rpartition(".")[2]
    origin = made(step, digest(collections), options.seed, parts=options.parts, written=written)
    write(options.out / f"{step}.json", content | origin)


def lists_of(
    collection: Collection,
    fusion: Fusion,
    cache: VectorCache,
    depth: int,
    shown: Callable[[str, tuple[Candidate, ...]], Shown],
) -> Lists:
    """The log-odds of what is found for each request, beside what is `shown` of each."""
    index = collection.index
    texts = [request.text for request in collection.requests]
    rows, places = [], []
    for text, signals in zip(texts, signals_of(index, collection.name, texts, cache), strict=True):
        found, values = shown(text, tuple(ranked(index, signals, fusion, depth)))
        rows.append(np.column_stack([log_odds([each.score for each in found]), values]))
        places.append([collection.place[each.tool_id] for each in found])
    return Lists.padded(collection.name, collection.requests, rows, places)
