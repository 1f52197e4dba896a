"""Where the right tool stands for written requests of vendors that nothing was trained on.

    python benchmarks/written/written.py --data DIR

The dev part of `requests.jsonl`, in catalogues of five slices of real documents each: the right
tool first, in three, in ten, and MRR within ten, of the candidate stage and its order by plans, as
it is; without the fine-tuned vectors; without words that turns mean (`text/wording.py`); without
both. Weights of the stage are fitted as it is, on these requests among others. No tool is called.
"""

import argparse
import asyncio
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from shared import PLACES, place_row

from gretel.catalog import Catalog
from gretel.contracts.ranking import Request, RetrievalQuery
from gretel.graph.compose import compose
from gretel.nodes.retrieve.encoding.encoder import Encoder
from gretel.nodes.retrieve.semantic import fusion, retriever
from gretel.training.data.judged import Collection, VectorCache
from gretel.training.data.real import TODAY
from gretel.training.data.written import written_collections

DEPTH = 50
PARTS: Mapping[str, Callable[[], AbstractContextManager[object]]] = {
    "tuned": lambda: patch.object(fusion, "lifted", lambda odds, *_: odds),
    "words": lambda: patch.object(retriever, "meant", lambda text: ()),
}
"""What takes a part out of the retriever."""
ROWS: Mapping[str, Sequence[str]] = {
    "as it is": (),
    "without fine-tuned vectors": ("tuned",),
    "without meant words": ("words",),
    "without both": ("tuned", "words"),
}


async def places(collection: Collection, index: Path) -> dict[str, list[int]]:
    """The place of the best right tool for each request, 0 where it is not found, by row."""
    tools = collection.index.tools
    parts = compose(Catalog.from_tools(tools), index=index)
    assert parts.order is not None
    found: dict[str, list[int]] = {row: [] for row in ROWS}
    for asked in collection.requests:
        right = {tools[place].tool_id for place in asked.gold}
        for row, off in ROWS.items():
            with ExitStack() as stack:
                for each in off:
                    stack.enter_context(PARTS[each]())
                query = RetrievalQuery(text=asked.text)
                retrieval = await parts.retriever.retrieve([query], k=DEPTH)
            request = Request(text=asked.text, today=TODAY)
            ranked = await parts.order.ordered(request, retrieval.candidates[0])
            ranks = (n for n, each in enumerate(ranked, 1) if each.tool_id in right)
            found[row].append(next(ranks, 0))
    await parts.aclose()
    return found


async def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of the collections")
    parser.add_argument("--cache", type=Path, default=Path(".cache/training"), help="of vectors")
    options = parser.parse_args()
    print("command: python", " ".join(sys.argv))
    cache = VectorCache(options.cache, Encoder())
    ranks: dict[str, list[int]] = {row: [] for row in ROWS}
    written = Path(__file__).parent
    for collection in written_collections(options.data, written, "dev", cache):
        for row, found in (await places(collection, options.cache / collection.name)).items():
            ranks[row] += found
    print(PLACES)
    for row, found in ranks.items():
        print(place_row(row, found))


if __name__ == "__main__":
    asyncio.run(main())
