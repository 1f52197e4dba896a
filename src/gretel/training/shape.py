"""Fit what it weighs what operations are made of, beside what is asked:

    python -m gretel.training.shape --data DIR --real DIR --requests FILE --written DIR --seed 7

Reads the dev halves of toolbench_g1 and callnavi by toolkit, sealtools (dev), livemcp, and
metatool_toole and toollens (train) from the folder of `--data`, the parts of the real services that
are developed on, the dev part of the written requests, and nothing else; writes `shape.json` beside
the candidate stage. The loss is listwise over what the semantic retriever finds, whose own log-odds
take part with a coefficient that the weights are divided by; every collection counts the same.
"""

from gretel.catalog import Catalog
from gretel.catalog.effects.asked import wish_of
from gretel.catalog.effects.changes import effect_of
from gretel.contracts.ranking import Candidate
from gretel.nodes.retrieve.semantic.fusion import Fusion
from gretel.nodes.retrieve.stage import shape as product
from gretel.nodes.retrieve.stage.effects import by_effect
from gretel.nodes.retrieve.stage.pool import DEPTH
from gretel.nodes.retrieve.stage.shape import FEATURES, Shapes
from gretel.training.data.judged import Collection, VectorCache
from gretel.training.listwise import Lists, evenly
from gretel.training.staged import PUBLIC as SOURCES
from gretel.training.staged import Shown, fit_step, lists_of


def main() -> None:
    """Load, cross-validate, fit, write."""
    fit_step(product, __doc__, "with shapes", SOURCES, FEATURES, candidates, evenly, written=True)


def candidates(collection: Collection, fusion: Fusion, cache: VectorCache) -> Lists:
    """The log-odds of what is found for each request, and what each candidate is made of."""
    tools = collection.index.tools
    shapes = Shapes(Catalog.from_tools(tools))
    effects = {tool.tool_id: effect_of(tool) for tool in tools}

    def shown(text: str, best: tuple[Candidate, ...]) -> Shown:
        found = by_effect(wish_of(text), best, effects.__getitem__)
        return found, shapes.values(text, found)

    return lists_of(collection, fusion, cache, DEPTH, shown)


if __name__ == "__main__":
    main()
