"""What a second round of trials adds on the hard mock, and what shapes its queries.

    python benchmarks/trials/feedback.py --data DIR/toolbench_g1 [--qrels test_solvable]
        [--half report] [--depths 1,3] [--seeds 7,8,9] [--rate 60] [--limit N] [--index DIR]

The whole graph without a model over the mock's faults (`gretel evaluate --faults default`), a
fault for each tool, scaled to `--rate` percent of all tools, over every seed. Rows: one round; two,
the second with the request alone; two, with queries of what was missing or failed beside it
(`--rewriter feedback`). `again`: the share of requests whose first round found nothing that works,
so that a second was run. `offered`: the share for which something is offered. nDCG@5 and R@5 are
those of the offered tools, the right ones being those that work; requests without any are left out.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from shared import drawn, numbers

from gretel.contracts.ranking import Selection
from gretel.contracts.tool import ToolId
from gretel.datasets.loading import Dataset, JudgedRequest, load_dataset
from gretel.evaluation.measures.measures import MeasureTable, measure
from gretel.evaluation.mock.environment import Environment
from gretel.evaluation.mock.environment_executor import on_behalf_of
from gretel.evaluation.mock.faults import DEFAULT_FAULTS, draw_faults, functioning, scaled
from gretel.evaluation.runs.settings import TODAY
from gretel.graph.build import SelectionGraph, build_graph
from gretel.graph.compose import compose

ROWS = (("none", 1), ("none", 2), ("feedback", 2))
"""Rewriter and rounds."""
WORKERS = 16


class Reached(NamedTuple):
    """What one row reached with one seed."""

    again: float
    offered: float
    table: MeasureTable
    seconds: float


async def reached(
    dataset: Dataset,
    requests: Sequence[JudgedRequest],
    row: tuple[str, int],
    seed: int,
    depth: int,
    options: argparse.Namespace,
) -> Reached:
    """Every request once through the graph."""
    rewriter, rounds = row
    mix = scaled(DEFAULT_FAULTS, options.rate)
    faults = draw_faults(dataset.catalog, mix=mix, unit="tool", seed=seed)
    parts = compose(dataset.catalog, rewriter=rewriter, index=options.index, repin=True)
    context = {"k": 5, "depth": depth, "rounds": rounds, "today": TODAY}
    with Environment(dataset.catalog, faults, seed=seed) as environment:
        executor = environment.executor()
        graph = build_graph(replace(parts, executor=executor))
        start = time.perf_counter()
        try:
            found = await selected(graph, requests, context)
        finally:
            await executor.aclose()
            await parts.aclose()
    working = {each.request_id: functioning(each.gold, faults) for each in requests}
    kept = {name: gold for name, gold in working.items() if gold}
    run: dict[str, list[ToolId]] = {
        name: [tool.tool_id for tool in found[name].tools] for name in kept
    }
    return Reached(
        again=fmean(found[name].rounds > 1 for name in kept) if rounds > 1 else 0.0,
        offered=fmean(bool(run[name]) for name in kept),
        table=measure(run, kept),
        seconds=(time.perf_counter() - start) / len(requests),
    )


async def selected(
    graph: SelectionGraph, requests: Sequence[JudgedRequest], context: dict[str, object]
) -> dict[str, Selection]:
    """The selection of each request, some at a time."""
    places = asyncio.Semaphore(WORKERS)

    async def one(request: JudgedRequest) -> tuple[str, Selection]:
        async with places:
            with on_behalf_of(request.request_id):
                state = await graph.ainvoke({"request": request.text}, context=context)
            return request.request_id, Selection.model_validate(state["selection"])

    return dict(await asyncio.gather(*map(one, requests)))


async def compared(options: argparse.Namespace) -> None:
    """Print a table for each depth."""
    dataset = load_dataset(options.data, qrels=options.qrels, half=options.half)
    requests = drawn(dataset.requests, options.limit)
    print(f"command: python {' '.join(sys.argv)}")
    print(f"{dataset.name}: {len(requests)} requests, data {dataset.digest[:12]}")
    for depth in options.depths:
        for row in ROWS:
            runs = [
                await reached(dataset, requests, row, seed, depth, options)
                for seed in options.seeds
            ]
            means = (fmean(each.table.means[name] for each in runs) for name in ("nDCG@5", "R@5"))
            print(
                f"  depth {depth}, {row[1]} rounds, {row[0]:8} "
                f"again {fmean(each.again for each in runs):.3f} "
                f"offered {fmean(each.offered for each in runs):.3f} "
                + "nDCG@5 {:.4f} R@5 {:.4f} ".format(*means)
                + f"{fmean(each.seconds for each in runs) * 1_000:.0f} ms",
                flush=True,
            )


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of the data set")
    parser.add_argument("--qrels", default="test_solvable")
    parser.add_argument("--half", choices=("dev", "report"))
    parser.add_argument("--depths", type=numbers, default=[1, 3])
    parser.add_argument("--seeds", type=numbers, default=[7, 8, 9])
    parser.add_argument("--rate", type=float, default=60.0, help="percent of tools at fault")
    parser.add_argument("--limit", type=int, help="requests, drawn")
    parser.add_argument("--index", type=Path, help="keeps the embeddings of tools")
    asyncio.run(compared(parser.parse_args()))


if __name__ == "__main__":
    main()
