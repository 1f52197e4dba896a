"""`gretel calibrate`: which steps a model is good for, on your own judged requests."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gretel.cli import evaluate_options as options
from gretel.cli.options import Encoder, Json, PriceOf, ReplyTokens, Seed, resumable
from gretel.cli.progress import progress
from gretel.cli.saying import print_table, say, say_json

if TYPE_CHECKING:
    from gretel.contracts.calibration import ModelStep
    from gretel.evaluation.calibration.verdicts import StepVerdict
    from gretel.evaluation.runs.evaluate import Evaluation


def calibrate(
    model: Annotated[
        str, typer.Option("--model", metavar="PROVIDER:NAME", help="LLM, for example openai:NAME.")
    ],
    data: options.Data,
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="File of the calibration.")
    ] = Path("calibration.json"),
    qrels: options.Qrels = "test",
    half: options.OneHalf = None,
    values: options.Values = None,
    limit: Annotated[
        int, typer.Option(help="Maximum requests, drawn by a hash of their ids.", min=1)
    ] = 40,
    depth: options.Depth = 5,
    step: Annotated[
        list[str] | None,
        typer.Option(help="Measure only this step: rewrite, plan, simulate or rerank; repeatable."),
    ] = None,
    workers: Annotated[int, typer.Option(help="Requests processed at once.", min=1, max=64)] = 4,
    reply_tokens: ReplyTokens = None,
    price: PriceOf = None,
    encoder: Encoder = None,
    seed: Seed = 7,
    as_json: Json = False,
) -> None:
    """Compare a model with the rules, step by step, and write which steps should ask it.

    A step asks the model if that was better by more than chance (a paired randomisation test,
    p < .05). FILE.work keeps the replies; if interrupted, the same command continues.
    """
    import asyncio

    from gretel.cli.evaluate import open_priced
    from gretel.evaluation.calibration.run import Measuring

    measuring = Measuring(
        evaluation=_evaluation(data, qrels, half, values, limit, depth, encoder, seed),
        model=open_priced(model, price, reply_tokens),
        steps=_steps(step),
        workers=workers,
    )
    work = out.with_name(f"{out.name}.work")
    total = len(measuring.evaluation.requests()) * len(measuring.steps)
    with progress(total) as tell, resumable():
        calibration, verdicts = asyncio.run(measuring.run(out, work, progress=tell))
    if as_json:
        say_json(calibration.model_dump_json(indent=2))
        return
    print_table(("step",), (((each.step,), _cells(each)) for each in verdicts))
    used = ", ".join(each.step for each in verdicts if each.use) or "none"
    say(f"steps that should ask {model}: {used}; use --calibration {out}")


def _evaluation(
    data: Path,
    qrels: str,
    half: options.OneHalf,
    values: Path | None,
    limit: int,
    depth: int,
    encoder: str | None,
    seed: int,
) -> "Evaluation":
    """The requests as the rules alone do them, before a mock with its usual faults."""
    from gretel.cli.sources import tell_rows
    from gretel.datasets.loading import load_dataset
    from gretel.evaluation.mock.faults import read_mix
    from gretel.evaluation.runs.evaluate import Evaluation
    from gretel.evaluation.runs.right_values import choose_world
    from gretel.evaluation.runs.settings import RunSettings

    dataset = load_dataset(data, qrels=qrels, half=half)
    tell_rows("data:", dataset.problems, "problems of the data")
    world, right, note = choose_world(None, dataset, values)
    if note is not None:
        say(f"note: {note}", err=True)
    settings = RunSettings(
        pipelines=("retrieval", "full"),
        faults=dict(read_mix("default")),
        fault_unit="tool",
        world=world,
        depth=depth,
        encoder=encoder,
        seed=seed,
    )
    return Evaluation(dataset, settings, qrels=qrels, half=half, limit=limit, values=right)


def _steps(names: list[str] | None) -> "tuple[ModelStep, ...]":
    from gretel.contracts.calibration import STEPS
    from gretel.contracts.errors import InputError

    for name in names or ():
        if name not in STEPS:
            remedy = f"Give one of {', '.join(STEPS)}"
            raise InputError(f"{name!r} is not a step", field="--step", remedy=remedy)
    return tuple(each for each in STEPS if not names or each in names)


def _cells(verdict: "StepVerdict") -> dict[str, str]:
    test, usage = verdict.test, verdict.usage
    return {
        "use": "[bold]yes[/]" if verdict.use else "no",
        "measure": verdict.measure,
        "n": "–" if test is None else str(test.n),
        "rules": f"{verdict.rules:.3f}",
        "model": f"{verdict.model:.3f}",
        "difference": "too few" if test is None else f"{test.difference:+.3f}",
        "95 % interval": "" if test is None else f"{test.ci.low:+.3f} … {test.ci.high:+.3f}",
        "p": "" if test is None else f"{test.p_value:.3f}",
        "needed": "" if verdict.needed is None else f"{verdict.needed:+.3f}",
        "unusable": str(verdict.unusable),
        "tokens": f"{usage.prompt_tokens} / {usage.completion_tokens}",
        "s": f"{usage.ms / 1000:.1f}",
    }
