"""`gretel evaluate`: pipelines over judged requests, scored."""

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gretel.cli.mock import Unit
from gretel.cli.options import Encoder, Json, ModelName
from gretel.cli.results import print_run

if TYPE_CHECKING:
    from gretel.evaluation.batch import Progress
    from gretel.evaluation.datasets import Dataset
    from gretel.evaluation.evaluate import Evaluation, Shard
    from gretel.llm.model import StructuredModel

SHOWN = 3
"""Problems of the data that are told."""


class Half(StrEnum):
    """One half of a data set."""

    dev = "dev"
    report = "report"


def evaluate(
    data: Annotated[Path, typer.Option("--data", help="Folder of the data set.")],
    out: Annotated[
        Path, typer.Option("--out", metavar="RUN", help="Folder of the run; one cut short goes on.")
    ],
    qrels: Annotated[str, typer.Option(help="Which judgements.")] = "test",
    half: Annotated[Half | None, typer.Option(help="Only one half of the requests.")] = None,
    retriever: Annotated[str, typer.Option(help="By name.")] = "semantic",
    encoder: Encoder = None,
    index: Annotated[
        Path | None, typer.Option(help="Folder that `gretel index` wrote; default: in RUN.")
    ] = None,
    rewriter: Annotated[str, typer.Option(help="none or llm.")] = "none",
    model: ModelName = None,
    pipeline: Annotated[
        str | None,
        typer.Option(
            metavar="NAME[,NAME…]",
            help="Of retrieval, llm-rerank, no-simulation, full, oracle; default: all that can "
            "run. oracle joins where there are faults.",
            show_default=False,
        ),
    ] = None,
    faults: Annotated[
        str,
        typer.Option(metavar="none|default|FILE", help="Mix of faults; FILE: JSON, shares of 100."),
    ] = "none",
    fault_unit: Annotated[Unit, typer.Option(help="What a fault is drawn for.")] = Unit.tool,
    seed: Annotated[int, typer.Option(help="Decides faults, answers and latencies.")] = 7,
    depth: Annotated[int, typer.Option(help="Candidates tried.", min=1, max=100)] = 10,
    limit: Annotated[
        int | None,
        typer.Option(help="Only so many requests, drawn by a hash of their ids.", min=1),
    ] = None,
    workers: Annotated[int, typer.Option(help="Requests under way at once.", min=1, max=256)] = 8,
    shard: Annotated[
        str | None,
        typer.Option(metavar="I/N", help="Only part I of N; `gretel merge` joins the parts."),
    ] = None,
    price: Annotated[
        str | None,
        typer.Option(
            metavar="IN,OUT",
            help="US dollars per million prompt and completion tokens; else money is unknown.",
        ),
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(help="Start no request once the run has spent these.", min=0)
    ] = None,
    max_usd: Annotated[
        float | None, typer.Option(help="The same for money; needs --price.", min=0)
    ] = None,
    as_json: Json = False,
) -> None:
    """Score pipelines on the data set's requests, trials made against a mock of its tools.

    What decides the numbers stands on the command line: the model of GRETEL_MODEL is not taken.
    The same command goes on where it was cut short, and leaves a finished run as it is.
    """
    from gretel.contracts.errors import InputError
    from gretel.evaluation.batch import Ceiling
    from gretel.evaluation.datasets import load_dataset
    from gretel.evaluation.evaluate import Evaluation
    from gretel.evaluation.faults import read_mix
    from gretel.evaluation.run_settings import RunSettings, choose_pipelines

    if max_usd is not None and price is None:
        remedy = "Give --price, or --max-tokens"
        raise InputError("money is unknown without a price", field="--max-usd", remedy=remedy)
    mix = dict(read_mix(faults))
    names = None if pipeline is None else [name.strip() for name in pipeline.split(",")]
    settings = RunSettings(
        retriever=retriever,
        encoder=encoder,
        rewriter=rewriter,
        model=model,
        pipelines=choose_pipelines(names, model=model is not None, faults=any(mix.values())),
        faults=mix,
        fault_unit=fault_unit.value,
        seed=seed,
        depth=depth,
    )
    evaluation = Evaluation(
        dataset=load_dataset(data, qrels=qrels, half=half.value if half else None),
        settings=settings,
        qrels=qrels,
        half=half.value if half else None,
        limit=limit,
        shard=_shard(shard),
        model=None if model is None else _model(model, price),
        index=index,
        workers=workers,
        ceiling=Ceiling(max_tokens, max_usd),
        command=shlex.join(["gretel", *sys.argv[1:]]),
    )
    _tell_problems(evaluation.dataset)
    _run(evaluation, out)
    print_run(out, as_json=as_json)


def _model(name: str, price: str | None) -> "StructuredModel":
    from gretel.contracts.errors import InputError
    from gretel.llm.ledger import Price
    from gretel.llm.model import open_model

    prices = {}
    if price is not None:
        try:
            prompt_usd, completion_usd = map(float, price.split(","))
            each = Price(prompt_usd=prompt_usd, completion_usd=completion_usd)
        except ValueError:
            remedy = "Give two numbers, for example 0.15,0.6"
            raise InputError(f"{price!r} is no price", field="--price", remedy=remedy) from None
        prices = {name.partition(":")[2]: each}
    return open_model(name, prices=prices)


def _shard(text: str | None) -> "Shard | None":
    from gretel.contracts.errors import InputError
    from gretel.evaluation.evaluate import Shard

    if text is None:
        return None
    number, _, count = text.partition("/")
    if not (number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count)):
        remedy = "Give I/N with I from 1 to N, for example 1/4"
        raise InputError(f"{text!r} is no part", field="--shard", remedy=remedy)
    return Shard(int(number), int(count))


def _tell_problems(dataset: "Dataset") -> None:
    """What was wrong with the data, so that no number is read without it."""
    for row in dataset.problems[:SHOWN]:
        typer.echo(f"data: {row.place}: {row.reason}. {row.remedy}", err=True)
    more = len(dataset.problems) - SHOWN
    if more > 0:
        typer.echo(f"data: … and {more} more problems", err=True)


def _run(evaluation: "Evaluation", out: Path) -> None:
    import asyncio

    with _progress(len(evaluation.requests())) as progress:
        try:
            asyncio.run(evaluation.run(out, progress=progress))
        except KeyboardInterrupt:
            typer.echo("interrupted; the same command goes on from here", err=True)
            raise typer.Exit(130) from None


@contextmanager
def _progress(total: int) -> "Iterator[Progress]":
    """A bar on stderr, with the rate of this start and the time that is left at that rate."""
    from rich import progress as rich_progress
    from rich.console import Console

    with rich_progress.Progress(
        rich_progress.TextColumn("{task.description}"),
        rich_progress.BarColumn(),
        rich_progress.MofNCompleteColumn(),
        rich_progress.TextColumn("{task.fields[rate]}"),
        rich_progress.TimeRemainingColumn(),
        console=Console(stderr=True),
    ) as bar:
        task = bar.add_task("preparing", total=total, rate="")

        def tell(done: int) -> None:
            speed = bar.tasks[0].finished_speed or bar.tasks[0].speed
            rate = f"{speed:.1f}/s" if speed else ""
            bar.update(task, description="requests", completed=done, rate=rate)

        yield tell
