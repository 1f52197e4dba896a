"""What a model in the loop does to selections: without it, in each step alone, in all, calibrated.

    python benchmarks/models/steps.py --data FOLDER --out RUNS [--sets NAMES] [--limit 30]
        [--wanted none,rewrite,plan,simulate,rerank,all,calibrated] [--calibrate 20] [--plans 300]
        [--depth 5] [--model PROVIDER:NAME]

FOLDER holds the data sets. First `--calibrate` requests that are not reported say in which steps
the model is to be asked (`gretel calibrate`); then `--limit` requests of each report part are
selected for behind the mock with its usual faults per tool, once for each of `--wanted`: nDCG@5,
R@5, Pass@5 and the share of right tools' calls that are right, tokens and seconds a request, and in
brackets the paired difference from `none` with its 95 % interval. Last, `--plans` calls of the
report parts of acebench_en and sealtools are planned by rules, by the model, and by both as the
calibration of sealtools weighs them. Without `--model` SmolLM2-135M is started (`make model`
installs it). Everything is kept in RUNS: the same command goes on where it was cut short.
"""

import argparse
import asyncio
import hashlib
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "model"))

from rich.console import Console
from rich.table import Table
from small_model import SmallModel, missing
from trials.planning import judge, one_masked, table

from gretel.catalog.document import as_object
from gretel.contracts.calibration import EVERY_STEP, NO_STEP, STEPS, Calibration
from gretel.contracts.errors import ModelReplyError, ServiceBusy
from gretel.contracts.record import Record
from gretel.contracts.trial import CallPlan, PlanResult
from gretel.datasets.loading import load_dataset
from gretel.evaluation.calibration.run import Measuring
from gretel.evaluation.mock.faults import DEFAULT_FAULTS
from gretel.evaluation.runs.compare import Compared, compare_runs, read_run
from gretel.evaluation.runs.evaluate import Evaluation
from gretel.evaluation.runs.folder import ROWS, is_finished, read_metrics
from gretel.evaluation.runs.journal import Journal
from gretel.evaluation.runs.right_values import choose_world
from gretel.evaluation.runs.rows import read_rows
from gretel.evaluation.runs.settings import RunSettings
from gretel.llm.model import StructuredModel, open_model
from gretel.llm.sending import ModelLimits
from gretel.nodes.plan.deterministic import DeterministicPlanner
from gretel.nodes.plan.llm import LlmPlanner
from gretel.nodes.plan.weighed import weighed
from gretel.training.planning.cases import Case
from gretel.training.planning.data import all_cases

MEASURES = ("nDCG@5", "R@5", "Pass@5")
PATIENT = ModelLimits(request_s=300.0, total_s=600.0)
"""Of the model itself, so that a busy machine changes no row; each step keeps its own cap."""
CONFIGURATIONS = ("none", *STEPS, "all", "calibrated")


class Part(NamedTuple):
    """Requests of one data set."""

    qrels: str
    half: str | None


PARTS = {
    "sealtools": (Part("dev", None), Part("test_in_domain", None)),
    "metatool_toole": (Part("train", None), Part("test_single", None)),
    "toolbench_g1": (Part("test_solvable", "dev"), Part("test_solvable", "report")),
}
"""Where a calibration is made, and what is reported."""


def evaluation(name: str, part: Part, limit: int, options: argparse.Namespace) -> Evaluation:
    """The requests of a part, as the rules do them."""
    dataset = load_dataset(options.data / name, qrels=part.qrels, half=part.half)
    known = Path(__file__).parents[1] / "trials" / "values" / f"{name}.jsonl"
    world, right, _ = choose_world(None, dataset, known if known.exists() else None)
    settings = RunSettings(
        pipelines=("retrieval", "full"),
        faults=dict(DEFAULT_FAULTS),
        fault_unit="tool",
        world=world,
        depth=options.depth,
    )
    return Evaluation(
        dataset,
        settings,
        qrels=part.qrels,
        half=part.half,
        limit=limit,
        values=right,
        workers=options.workers,
        command=f"python {' '.join(sys.argv)}",
    )


async def calibrated(name: str, model: StructuredModel, options: argparse.Namespace) -> Calibration:
    """What `gretel calibrate` finds on requests that are not reported."""
    out = options.out / name / "calibration.json"
    if not out.exists():
        asked = evaluation(name, PARTS[name][0], options.calibrate, options)
        await Measuring(asked, model, workers=options.workers).run(
            out, out.with_suffix(".work"), progress=_teller(f"{name} calibration")
        )
    return Calibration.model_validate_json(out.read_bytes())


async def run_one(
    name: str,
    wanted: str,
    calibration: Calibration,
    model: StructuredModel,
    options: argparse.Namespace,
) -> Path:
    """One run of a report part; a finished one is left as it is."""
    steps = {"none": NO_STEP, "all": EVERY_STEP, "calibrated": calibration}
    chosen = steps.get(wanted) or Calibration.model_validate({"steps": [wanted]})
    out: Path = options.out / name / wanted
    if is_finished(out):
        return out
    base = evaluation(name, PARTS[name][1], options.limit, options)
    settings = base.settings.model_copy(
        update={
            "model": model.name if chosen.steps else None,
            "calibration": chosen.model_copy(update={"measured": {}}) if chosen.steps else None,
            "rewriter": "llm" if "rewrite" in chosen.steps else "none",
        }
    )
    made = replace(
        base,
        settings=settings,
        model=model if chosen.steps else None,
        index=options.out / name / "index",
    )
    await made.run(out, progress=_teller(f"{name} {wanted}"))
    return out


class Said(Record):
    """What a model planned for one case; None: nothing usable."""

    case: str
    plan: PlanResult | None


async def plans(
    model: StructuredModel, cases: list[Case], out: Path, workers: int
) -> list[PlanResult | None]:
    """The model's plan of each case; those that were made before are read."""
    planner, tell = LlmPlanner(model), _teller("plans")

    async def said_of(case: Case) -> Said:
        try:
            made = await planner.plan(case.request, case.tool)
        except (ModelReplyError, ServiceBusy):
            made = None
        return Said(case=_case_name(case), plan=made)

    with Journal(out) as journal:
        said = [Said.model_validate_json(line) for line in journal.lines]
        known = {each.case: each.plan for each in said}
        left = [case for case in cases if _case_name(case) not in known]
        for first in range(0, len(left), workers):
            for each in await asyncio.gather(*map(said_of, left[first : first + workers])):
                known[each.case] = each.plan
                journal.append(each.model_dump_json())
            tell(len(known))
    return [known[_case_name(case)] for case in cases]


def _case_name(case: Case) -> str:
    return f"{case.data} {case.case_id}"


async def show_plans(
    model: StructuredModel, trusted: Calibration, options: argparse.Namespace
) -> None:
    """Rules, model, and both: exactness, refusals, and values that stand nowhere."""
    for data in ("acebench_en", "sealtools"):
        cases = sample(all_cases(options.data, "report"), data, options.plans)
        said = await plans(model, cases, options.out / f"plans-{data}.jsonl", options.workers)
        rules = [await DeterministicPlanner().plan(case.request, case.tool) for case in cases]
        ways: dict[str, list[PlanResult]] = {
            "rules": rules,
            "model": [own or rule for own, rule in zip(said, rules, strict=True)],
            "both": [
                weighed(rule, own, case.tool, trusted.trust) if own else rule
                for case, own, rule in zip(cases, said, rules, strict=True)
            ],
        }
        unusable = sum(own is None for own in said)
        shown = Table(title=f"{data}: {len(cases)} plans; {unusable} of the model are of no use")
        rows = {way: plan_cells(cases, made) for way, made in ways.items()}
        for column in ("planner", *rows["rules"]):
            shown.add_column(column)
        for way, cells in rows.items():
            shown.add_row(way, *cells.values())
        Console(width=140).print(shown)


def plan_cells(cases: list[Case], made: list[PlanResult]) -> dict[str, str]:
    """The measures of `trials/planning.py`, and invented values among all that were given."""
    found = table([judge(case, plan) for case, plan in zip(cases, made, strict=True)])
    values = [
        each for plan in made if isinstance(plan, CallPlan) for each in plan.arguments.values()
    ]
    invented = sum(each.source == "invented" for each in values)
    return {**found, "invented": f"{invented} of {len(values)}"}


def sample(cases: list[Case], data: str, count: int) -> list[Case]:
    """`count` cases of a data set, with their twins that lack a value; drawn by a hash of ids."""
    own = [case for case in cases if case.data == data]
    own += [hidden for hidden in map(one_masked, own) if hidden]
    return sorted(own, key=lambda case: hashlib.sha256(case.case_id.encode()).digest())[:count]


def show(name: str, runs: dict[str, Path]) -> None:
    """One table of a data set: a row a configuration, differences from the run without a model."""
    shown = Table(title=f"{name}: full, n = {read_metrics(runs['none'])['n']}")
    for column in ("model in", *MEASURES, "right calls", "tokens / request", "s / request"):
        shown.add_column(column)
    base = read_run(runs["none"])
    for wanted, folder in runs.items():
        found = {
            each.measure: each
            for each in compare_runs(base, read_run(folder), ("full", "full"))
            if each.measure in MEASURES
        }
        cells = (_cell(found[measure], plain=wanted == "none") for measure in MEASURES)
        shown.add_row(wanted, *cells, *_costs(folder))
    Console(width=150).print(shown)


def _cell(each: Compared, *, plain: bool) -> str:
    if plain:
        return f"{each.second:.3f}"
    test = each.result
    ends = f"{test.ci.low:+.3f} … {test.ci.high:+.3f}"
    return f"{each.second:.3f} ({test.difference:+.3f}, {ends}, p {test.p_value:.2f})"


def _costs(folder: Path) -> tuple[str, str, str]:
    """Right calls, tokens and seconds; what only the measurement asks is not counted."""
    exact = as_object(as_object(read_metrics(folder)["planning"]).get("pairs")).get("exact")
    right = f"{exact:.3f}" if isinstance(exact, float | int) else "–"
    rows = read_rows(folder / ROWS).values()
    spent = [use for row in rows for stage, use in row.usage.items() if stage != "plan-right"]
    read, written = (
        sum(getattr(use, key) for use in spent) / len(rows)
        for key in ("prompt_tokens", "completion_tokens")
    )
    seconds = sum(use.ms for use in spent) / 1000 / len(rows)
    return right, f"{read:.0f} / {written:.0f}", f"{seconds:.1f}"


def _teller(what: str) -> Callable[[int], None]:
    start = time.perf_counter()

    def tell(done: int) -> None:
        print(f"{what}: {done}, {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)

    return tell


@contextmanager
def opened(name: str | None, workers: int) -> Iterator[Callable[[], StructuredModel]]:
    """Opens the model that is named, or the small one in a process of its own."""
    if name is not None:
        yield lambda: open_model(name, limits=PATIENT)
        return
    with SmallModel(slots=workers) as server:
        yield lambda: server.model(limits=PATIENT)


async def main_of(open_one: Callable[[], StructuredModel], options: argparse.Namespace) -> None:
    """Everything that is asked for; each part has a model of its own, which it may close."""
    trusted = {}
    for name in options.sets:
        if "calibrated" in options.wanted or (name == "sealtools" and options.plans):
            trusted[name] = await calibrated(name, open_one(), options)
            print(f"{name}: asked in {', '.join(sorted(trusted[name].steps)) or 'no step'}")
    for name in options.sets:
        runs = {}
        for wanted in options.wanted:
            model = open_one()
            runs[wanted] = await run_one(name, wanted, trusted.get(name, NO_STEP), model, options)
            await model.aclose()
        show(name, runs)
    if options.plans:
        await show_plans(open_one(), trusted["sealtools"], options)


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )

    def names(text: str) -> list[str]:
        return text.split(",")

    parser.add_argument("--data", type=Path, required=True, help="folder of the data sets")
    parser.add_argument("--out", type=Path, required=True, help="folder of the runs")
    parser.add_argument("--sets", type=names, default=list(PARTS))
    parser.add_argument("--wanted", type=names, default=list(CONFIGURATIONS))
    parser.add_argument("--limit", type=int, default=30)
    parser.add_argument("--depth", type=int, default=5)
    parser.add_argument("--calibrate", type=int, default=20)
    parser.add_argument("--plans", type=int, default=300, help="0: none; they need sealtools")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--model")
    options = parser.parse_args()
    if options.model is None and (why := missing()):
        parser.error(why)
    with opened(options.model, options.workers) as open_one:
        asyncio.run(main_of(open_one, options))


if __name__ == "__main__":
    main()
