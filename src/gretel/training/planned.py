"""Fit what it weighs that a call takes what a request says, before it is settled what is tried:

    python -m gretel.training.planned --data DIR --real DIR --requests FILE --written DIR --seed 7

Reads the dev halves of toolbench_g1 and callnavi by toolkit, sealtools (dev), livemcp and
metatool_toole (train) from the folder of `--data`, the parts of the real services that are
developed on, the dev part of the written requests, and nothing else; writes `planned.json` beside
the candidate stage. The loss is listwise over the best that the semantic retriever finds, whose own
log-odds take part with a coefficient that the weights are divided by; every collection counts the
same. Shapes take no part.
"""

from gretel.catalog import Catalog
from gretel.catalog.effects.asked import wish_of
from gretel.catalog.effects.changes import effect_of
from gretel.contracts.ranking import Candidate, Request
from gretel.nodes.plan.deterministic import DeterministicPlanner
from gretel.nodes.retrieve.semantic.fusion import Fusion
from gretel.nodes.retrieve.stage import planned as product
from gretel.nodes.retrieve.stage.effects import by_effect
from gretel.nodes.retrieve.stage.planned import SHOWN, evidence
from gretel.training.data.judged import Collection, Source, VectorCache
from gretel.training.data.real import TODAY
from gretel.training.listwise import Lists, evenly
from gretel.training.staged import Shown, fit_step, lists_of

SOURCES = (
    Source("toolbench_g1", "test", halved_by="toolkit"),
    Source("callnavi", "test", halved_by="toolkit"),
    Source("sealtools", "dev", limit=300),
    Source("livemcp", "test"),
    Source("metatool_toole", "train", limit=400),
)
FITTED = 30
"""Candidates of each request that the weights are fitted on."""


def main() -> None:
    """Load, plan, cross-validate, fit, write."""
    fit_step(product, __doc__, "planned", SOURCES, SHOWN, candidates, evenly, written=True)


def candidates(collection: Collection, fusion: Fusion, cache: VectorCache) -> Lists:
    """The log-odds of the best candidates of each request, and what their plans show."""
    catalog = Catalog.from_tools(collection.index.tools)
    planner = DeterministicPlanner()

    def shown(text: str, best: tuple[Candidate, ...]) -> Shown:
        found = by_effect(wish_of(text), best, lambda name: effect_of(catalog[name]))
        request, names = Request(text=text, today=TODAY), [each.tool_id for each in found]
        plans = {name: planner.planned(request, catalog[name]) for name in names}
        return found, evidence(plans, names, catalog)

    return lists_of(collection, fusion, cache, FITTED, shown)


if __name__ == "__main__":
    main()
