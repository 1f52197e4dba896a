"""What rewriters, and a second round of trials, add in the whole graph, on the hard mock.

    python benchmarks/trials/rewriters.py --data DIR/toolbench_g1 [--qrels test_solvable]
        [--half report] [--values FILE] [--rewriter NAME=DIR]… [--model NAME|small]
        [--rounds 1,2] [--depths 1,3] [--seeds 7,8,9] [--rate 60] [--limit N] [--index DIR]

The whole graph without a model over the mock's faults (`gretel evaluate --faults default`), a
fault for each tool, scaled to `--rate` percent of all tools, over every seed. The mock knows values
where right ones are known of all requests (a data set's own, or `--values`), as `gretel evaluate
--world` says; else it takes all that are valid, and the head of the table says so.

Rows: one round with the request alone, and with each `--rewriter` (what `gretel train rewriter`
wrote); two, the second with the request alone, and with queries of what was missing or failed
beside it (`--rewriter feedback`). With `--model` a model writes queries, too, in one round and in
two (`--rewriter llm`), and does nothing else: `openai:NAME` of an endpoint (`OPENAI_BASE_URL`), or
`small`, the one that `make model` installs. `unwritten`: requests, of all seeds, for which a
rewriter gave no query in time or none that is one, so that the request alone was asked. `again`:
the share of requests whose first round found nothing that works, so that a second was run.
`offered`: the share for which something is offered. nDCG@5 and R@5 are those of the offered tools,
the right ones being those that work; requests without any are left out. Gains are on one round with
the request alone, a request's mean over the seeds, with interval and p (as `gretel compare`).
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from models.steps import opened
from shared import drawn, numbers, over_seeds

from gretel.contracts.budget import Budget
from gretel.contracts.calibration import NO_STEP
from gretel.contracts.ranking import Selection
from gretel.contracts.tool import ToolId
from gretel.datasets.loading import Dataset, JudgedRequest, load_dataset
from gretel.evaluation.measures.measures import MeasureTable, measure
from gretel.evaluation.measures.significance import paired
from gretel.evaluation.mock.environment import Environment
from gretel.evaluation.mock.environment_executor import on_behalf_of
from gretel.evaluation.mock.faults import DEFAULT_FAULTS, draw_faults, functioning, scaled
from gretel.evaluation.runs.right_values import RightValues, choose_world
from gretel.evaluation.runs.settings import TODAY
from gretel.graph.build import SelectionGraph, build_graph
from gretel.graph.compose import compose
from gretel.llm.model import StructuredModel

MEASURES = ("nDCG@5", "R@5")
WORKERS, REPLIES = 16, 2
"""Requests side by side, and those for which a model writes."""
PATIENT = Budget(wall_s=600.0)
"""A small model on a processor writes for longer than a selection mostly lasts."""

UNWRITTEN = "the request itself was the query"


class Row(NamedTuple):
    """A rewriter, and how many rounds there may be."""

    name: str
    rewriter: str | Path
    rounds: int


class Reached(NamedTuple):
    """What one row reached with one seed."""

    again: float
    offered: float
    table: MeasureTable
    seconds: float
    unwritten: int


class Mocked(NamedTuple):
    """Requests, and what the mock's tools know."""

    dataset: Dataset
    requests: Sequence[JudgedRequest]
    values: RightValues | None
    """None: every value that is valid."""
    options: argparse.Namespace
    model: Callable[[], StructuredModel] | None
    """Opens the one that writes."""


async def reached(mocked: Mocked, row: Row, seed: int, depth: int) -> Reached:
    """Every request once through the graph."""
    catalog, options = mocked.dataset.catalog, mocked.options
    mix = scaled(DEFAULT_FAULTS, options.rate)
    faults = draw_faults(catalog, mix=mix, unit="tool", seed=seed)
    asked = mocked.model() if mocked.model and row.rewriter == "llm" else None
    parts = compose(
        catalog,
        rewriter=row.rewriter,
        model=asked,
        calibration=NO_STEP,
        index=options.index,
        repin=True,
    )
    context = {"k": 5, "depth": depth, "rounds": row.rounds, "today": TODAY}
    writes = asked or isinstance(row.rewriter, Path)  # which may hold a model
    if writes:
        context["budget"] = PATIENT
    known = mocked.values.known(seed=seed) if mocked.values else None
    with Environment(catalog, faults, seed=seed, values=known) as environment:
        executor = environment.executor()
        graph = build_graph(replace(parts, executor=executor))
        start = time.perf_counter()
        try:
            places = REPLIES if writes else WORKERS
            found = await selected(graph, mocked.requests, context, places)
        finally:
            await executor.aclose()
            await parts.aclose()
    working = {each.request_id: functioning(each.gold, faults) for each in mocked.requests}
    kept = {name: gold for name, gold in working.items() if gold}
    run: dict[str, list[ToolId]] = {
        name: [tool.tool_id for tool in found[name].tools] for name in kept
    }
    return Reached(
        again=fmean(found[name].rounds > 1 for name in kept) if row.rounds > 1 else 0.0,
        offered=fmean(bool(run[name]) for name in kept),
        table=measure(run, kept),
        seconds=(time.perf_counter() - start) / len(mocked.requests),
        unwritten=sum(any(UNWRITTEN in note for note in one.notes) for one in found.values()),
    )


async def selected(
    graph: SelectionGraph,
    requests: Sequence[JudgedRequest],
    context: dict[str, object],
    places: int,
) -> dict[str, Selection]:
    """The selection of each request, `places` at a time."""
    at_once = asyncio.Semaphore(places)

    async def one(request: JudgedRequest) -> tuple[str, Selection]:
        async with at_once:
            with on_behalf_of(request.request_id):
                state = await graph.ainvoke({"request": request.text}, context=context)
            return request.request_id, Selection.model_validate(state["selection"])

    return dict(await asyncio.gather(*map(one, requests)))


def print_row(row: Row, depth: int, plain: Sequence[Reached], runs: Sequence[Reached]) -> None:
    """What a row reached, and what it gained on the request alone in one round."""
    print(
        f"  depth {depth}, {row.rounds} rounds, {row.name:12} "
        f"again {fmean(each.again for each in runs):.3f} "
        f"offered {fmean(each.offered for each in runs):.3f} "
        f"{fmean(each.seconds for each in runs) * 1_000:.0f} ms"
        f" unwritten {sum(each.unwritten for each in runs)}",
        flush=True,
    )
    before, after = ([each.table for each in own] for own in (plain, runs))
    for name in MEASURES:
        found = paired(over_seeds(before, name), over_seeds(after, name))
        print(
            f"    {name} {fmean(each.table.means[name] for each in runs):.4f}, gain "
            f"{found.difference:+.4f} ({found.ci.low:+.4f} to {found.ci.high:+.4f}), "
            f"p {found.p_value:.4f}",
            flush=True,
        )


async def compared(
    options: argparse.Namespace, model: Callable[[], StructuredModel] | None
) -> None:
    """Print a table for each depth."""
    dataset = load_dataset(options.data, qrels=options.qrels, half=options.half)
    world, values, _ = choose_world(None, dataset, options.values)
    requests = drawn(dataset.requests, options.limit)
    mocked = Mocked(dataset, requests, values if world == "values" else None, options, model)
    print(f"command: python {' '.join(sys.argv)}")
    print(f"{dataset.name}: {len(requests)} requests, data {dataset.digest[:12]}, world {world}")
    rows = [
        Row("none", "none", 1),
        *(Row(name, Path(folder), 1) for name, folder in options.rewriter),
        *([Row("llm", "llm", 1)] if model else []),
        Row("none", "none", 2),
        Row("feedback", "feedback", 2),
        *([Row("llm", "llm", 2)] if model else []),
    ]
    rows = [row for row in rows if row.rounds in options.rounds]
    for depth in options.depths:
        plain: list[Reached] = []
        for row in rows:
            runs = [await reached(mocked, row, seed, depth) for seed in options.seeds]
            plain = plain or runs
            print_row(row, depth, plain, runs)


def named(text: str) -> tuple[str, str]:
    """`NAME=DIR`."""
    name, _, folder = text.partition("=")
    return name, folder


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of the data set")
    parser.add_argument("--qrels", default="test_solvable")
    parser.add_argument("--half", choices=("dev", "report"))
    parser.add_argument("--values", type=Path, help="right values of the requests")
    parser.add_argument("--rewriter", type=named, action="append", default=[], help="NAME=DIR")
    parser.add_argument("--model", help="openai:NAME, or small")
    parser.add_argument("--rounds", type=numbers, default=[1, 2])
    parser.add_argument("--depths", type=numbers, default=[1, 3])
    parser.add_argument("--seeds", type=numbers, default=[7, 8, 9])
    parser.add_argument("--rate", type=float, default=60.0, help="percent of tools at fault")
    parser.add_argument("--limit", type=int, help="requests, drawn")
    parser.add_argument("--index", type=Path, help="keeps the embeddings of tools")
    options = parser.parse_args()
    with ExitStack() as stack:
        name = None if options.model == "small" else options.model
        model = stack.enter_context(opened(name, REPLIES)) if options.model else None
        asyncio.run(compared(options, model))


if __name__ == "__main__":
    main()
