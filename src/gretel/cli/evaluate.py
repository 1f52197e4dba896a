"""`gretel evaluate`: pipelines over judged requests, scored."""

from typing import TYPE_CHECKING

from gretel.cli import evaluate_options as options
from gretel.cli.options import (
    Artifact,
    CalibrationOf,
    Encoder,
    FaultRate,
    Faults,
    FaultUnit,
    Json,
    ModelName,
    PriceOf,
    RetrieverName,
    Seed,
    command_line,
    resumable,
)
from gretel.cli.progress import progress
from gretel.cli.saying import say
from gretel.cli.showing.results import print_run

if TYPE_CHECKING:
    from gretel.evaluation.runs.sampling import Shard
    from gretel.llm.model import StructuredModel


def evaluate(
    data: options.Data,
    out: options.Out,
    qrels: options.Qrels = "test",
    half: options.OneHalf = None,
    no_tool: options.NoTool = None,
    retriever: RetrieverName = None,
    artifact: Artifact = None,
    split: options.Split = True,
    fusion: options.Fusion = "both",
    coherence: options.Coherence = "full",
    encoder: Encoder = None,
    index: options.Index = None,
    rewriter: options.Rewriter = None,
    model: ModelName = None,
    calibration: CalibrationOf = None,
    pipeline: options.PipelineNames = None,
    faults: Faults = "none",
    fault_rate: FaultRate = None,
    fault_unit: FaultUnit = "toolkit",
    world: options.WorldOf = None,
    values: options.Values = None,
    seed: Seed = 7,
    depth: options.Depth = 10,
    limit: options.Limit = None,
    workers: options.Workers = 16,
    shard: options.ShardOf = None,
    price: PriceOf = None,
    max_tokens: options.MaxTokens = None,
    max_usd: options.MaxUsd = None,
    as_json: Json = False,
) -> None:
    """Score pipelines on a data set's requests; trials call a mock of its tools.

    Everything that affects the numbers is on the command line: GRETEL_MODEL is ignored. If the run
    was interrupted, the same command continues it; a finished run is left as it is.
    """
    import asyncio

    from gretel.cli.sources import tell_rows
    from gretel.contracts.errors import InputError
    from gretel.datasets.loading import load_dataset, load_no_tool
    from gretel.evaluation.mock.faults import read_mix
    from gretel.evaluation.report.page import write_report
    from gretel.evaluation.runs.budget import RunBudget
    from gretel.evaluation.runs.evaluate import Evaluation
    from gretel.evaluation.runs.right_values import choose_world
    from gretel.evaluation.runs.settings import RunSettings, artifact_digest, choose_pipelines
    from gretel.graph.calibrations import calibration_for
    from gretel.graph.trained import trained_rewriter
    from gretel.nodes.retrieve.stage.switches import CandidateStage

    if max_usd is not None and price is None:
        remedy = "Give --price, or --max-tokens"
        raise InputError("money is unknown without a price", field="--max-usd", remedy=remedy)
    mix = dict(read_mix(faults, percent=fault_rate))
    dataset = load_dataset(data, qrels=qrels, half=half)
    chosen, right, note = choose_world(world, dataset, values)
    if note is not None:
        say(f"note: {note}", err=True)
    problems = [*dataset.problems]
    needless = [
        each for path in no_tool or () for each in load_no_tool(path, half=half, problems=problems)
    ]
    names = None if pipeline is None else [name.strip() for name in pipeline.split(",")]
    opened = None if model is None else open_priced(model, price)
    trusted = None if opened is None else calibration_for(opened.name, calibration)
    settings = RunSettings(
        retriever=retriever or "semantic",
        artifact=artifact_digest(artifact),
        candidates=CandidateStage(split=split, fusion=fusion, coherence=coherence),
        encoder=encoder,
        rewriter=artifact_digest(trained_rewriter(rewriter))
        or rewriter
        or ("llm" if calibration and trusted and "rewrite" in trusted.steps else "none"),
        model=model,
        calibration=trusted and trusted.model_copy(update={"measured": {}}),
        pipelines=choose_pipelines(names, model=model is not None, faults=any(mix.values())),
        faults=mix,
        fault_unit=fault_unit,
        world=chosen,
        seed=seed,
        depth=depth,
    )
    evaluation = Evaluation(
        dataset=dataset,
        settings=settings,
        qrels=qrels,
        half=half,
        no_tool=tuple(needless),
        limit=limit,
        shard=_shard(shard),
        model=opened,
        index=index,
        artifact=artifact,
        rewriter=trained_rewriter(rewriter),
        workers=workers,
        values=right,
        budget=RunBudget(max_tokens, max_usd),
        command=command_line(),
    )
    tell_rows("data:", problems, "problems of the data")
    with progress(len(evaluation.requests())) as tell, resumable():
        asyncio.run(evaluation.run(out, progress=tell))
    write_report(out)
    print_run(out, as_json=as_json)


def open_priced(name: str, price: str | None, reply_tokens: int | None = None) -> "StructuredModel":
    """The model that is named, with what the user says of it.

    Raises:
        InputError: the price is none.
        ConfigurationError: the model cannot be used.
    """
    from gretel.contracts.errors import InputError
    from gretel.llm.ledger import Price
    from gretel.llm.model import open_model
    from gretel.llm.sending import ModelLimits

    prices = {}
    if price is not None:
        try:
            prompt_usd, completion_usd = map(float, price.split(","))
            each = Price(prompt_usd=prompt_usd, completion_usd=completion_usd)
        except ValueError:
            remedy = "Give two numbers, for example 0.15,0.6"
            raise InputError(f"{price!r} is not a price", field="--price", remedy=remedy) from None
        prices = {name.partition(":")[2]: each}
    return open_model(name, prices=prices, limits=ModelLimits(reply_tokens=reply_tokens))


def _shard(text: str | None) -> "Shard | None":
    from gretel.contracts.errors import InputError
    from gretel.evaluation.runs.sampling import Shard

    if text is None:
        return None
    number, _, count = text.partition("/")
    if not (number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count)):
        remedy = "Give I/N with I from 1 to N, for example 1/4"
        raise InputError(f"{text!r} is not a shard", field="--shard", remedy=remedy)
    return Shard(int(number), int(count))
