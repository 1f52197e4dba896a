"""Fit what it weighs that an operation changes what a request only asks about:

    python -m gretel.training.effects --data DIR --real DIR --requests FILE --seed 7

Reads sealtools (dev), the dev halves of callnavi and arazzo by toolkit and livemcp from the folder
of `--data`, the parts of the real services that are developed on, and nothing else; writes
`effects.json` beside the candidate stage. The loss is listwise over what the semantic retriever
finds, whose own log-odds take part with a coefficient that the weights are divided by.
Every request counts the same: the collections differ in how many of theirs say what they wish.
"""

from collections.abc import Sequence

import numpy as np

from gretel.catalog.effects.asked import wish_of
from gretel.catalog.effects.changes import effect_of
from gretel.contracts.ranking import Candidate
from gretel.nodes.retrieve.semantic.fusion import Fusion
from gretel.nodes.retrieve.stage import effects as product
from gretel.nodes.retrieve.stage.effects import MISMATCHES, mismatch
from gretel.nodes.retrieve.stage.pool import DEPTH
from gretel.training.data.judged import Collection, Source, VectorCache
from gretel.training.listwise import Array, Lists, fit, relative
from gretel.training.staged import Shown, fit_step, lists_of

SOURCES = (
    Source("sealtools", "dev"),
    Source("callnavi", "test", halved_by="toolkit"),
    Source("arazzo", "test", halved_by="toolkit"),
    Source("livemcp", "test"),
)


def main() -> None:
    """Load, cross-validate, fit, write."""
    fit_step(product, __doc__, "with effects", SOURCES, MISMATCHES, candidates, together)


def candidates(collection: Collection, fusion: Fusion, cache: VectorCache) -> Lists:
    """The log-odds of what is found for each request, and how its effect differs from the asked."""
    effects = {tool.tool_id: effect_of(tool) for tool in collection.index.tools}

    def shown(text: str, best: tuple[Candidate, ...]) -> Shown:
        wish = wish_of(text)
        kinds = [mismatch(wish, effects[each.tool_id]) for each in best]
        return best, np.array([[float(kind == name) for name in MISMATCHES] for kind in kinds])

    return lists_of(collection, fusion, cache, DEPTH, shown)


def together(lists: Sequence[Lists]) -> Array:
    """Weights of all requests, each of which counts the same."""
    return relative(fit([joined(lists)]))


def joined(lists: Sequence[Lists]) -> Lists:
    """The requests of all collections as those of one."""
    width = max(part.features.shape[1] for part in lists)

    def padded(name: str) -> Array:
        arrays = [getattr(part, name) for part in lists]
        short = [[(0, 0), (0, width - each.shape[1]), (0, 0)][: each.ndim] for each in arrays]
        return np.concatenate([*map(np.pad, arrays, short)])

    judged = np.concatenate([part.judged for part in lists])
    return Lists("joined", padded("features"), padded("real"), padded("gold"), judged)


if __name__ == "__main__":
    main()
