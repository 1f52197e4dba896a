"""`gretel train rewriter`: a change of the request's vector, or a model that writes queries."""

from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from gretel.cli.options import Encoder, Json, resumable
from gretel.cli.progress import stages as bars
from gretel.cli.saying import say, say_json
from gretel.cli.training.options import (
    Judged,
    Qrels,
    chosen_device,
    chosen_stages,
    tell_dropped,
)
from gretel.contracts.errors import InputError
from gretel.training.generative.settings import STAGES

if TYPE_CHECKING:
    from gretel.nodes.retrieve.artifact.manifest import Manifest
    from gretel.training.masstool.data import Examples


def rewriter(
    data: Judged,
    out: Annotated[
        Path,
        typer.Option(help="Folder of the artefact; with --base, interrupted training continues."),
    ],
    base: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL",
            help="Hugging Face model (causal or sequence-to-sequence) that learns to write "
            "queries: a folder, or a name in the local cache. Without it no text is written: a "
            "change of the request's vector is learnt, in minutes.",
        ),
    ] = None,
    stage: Annotated[
        str | None,
        typer.Option(
            metavar="LIST",
            help="With --base: learn descriptions of the right tools, then queries that find them; "
            f"separated by commas. \\[default: {','.join(STAGES)}]",
        ),
    ] = None,
    requests: Annotated[
        int | None, typer.Option(min=1, help="With --base: maximum requests learnt in a stage.")
    ] = None,
    epochs: Annotated[
        int | None, typer.Option(min=1, help="With --base: maximum epochs of the first stage.")
    ] = None,
    rounds: Annotated[
        int | None, typer.Option(min=1, help="With --base: maximum rounds of the second stage.")
    ] = None,
    samples: Annotated[
        int | None,
        typer.Option(min=2, help="With --base: texts drawn for each request in a round."),
    ] = None,
    held: Annotated[
        int | None,
        typer.Option(min=1, help="With --base: maximum held-out requests of each kind."),
    ] = None,
    lora: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=1_024,
            help="With --base: rank of low-rank adapters (gretel\\[lora]); 0 trains the "
            "layers' own weights.",
        ),
    ] = None,
    qrels: Qrels = "train",
    encoder: Encoder = None,
    device: Annotated[str, typer.Option(help="Device of the base: cpu, cuda or auto.")] = "auto",
    seed: Annotated[
        int, typer.Option(min=0, max=2**31, help="Seed of what is held out and how it is learnt.")
    ] = 7,
    as_json: Json = False,
) -> None:
    """Train a query rewriter for `--rewriter OUT`; the retriever is not changed."""
    from gretel.training.masstool.data import read_examples

    stages = None if stage is None else chosen_stages(stage, STAGES, "--stage")
    given = {
        **{"stages": stages, "requests": requests, "epochs": epochs, "rounds": rounds},
        **{"samples": samples, "held": held, "lora": lora},
    }
    update = {name: value for name, value in given.items() if value is not None}
    if base is None and update:
        named = ["--stage" if name == "stages" else f"--{name}" for name in update]
        remedy = "Name the model that writes, or leave the option out."
        raise InputError("works only with --base", field=", ".join(named), remedy=remedy)
    with nullcontext() if base is None else resumable():
        examples = read_examples(data, qrels=qrels, seed=seed)
        tell_dropped(examples)
        if base is None:
            manifest, said = _vector(examples, out, encoder, seed)
        else:
            manifest, said = _writer(examples, out, base, encoder, device, {**update, "seed": seed})
    if as_json:
        say_json(manifest.model_dump_json(indent=2))
    else:
        say(f"{out}: {said}")


def _vector(
    examples: "Examples", out: Path, encoder: str | None, seed: int
) -> tuple["Manifest", str]:
    """The trained query vector, and what is said of it."""
    from gretel.nodes.retrieve.encoding import encoder as encoding
    from gretel.training.data.judged import VectorCache
    from gretel.training.rewriting.head import RewriterSettings
    from gretel.training.rewriting.train import train

    with TemporaryDirectory() as place, bars() as told:
        cache = VectorCache(Path(place), encoding.Encoder(encoder, tuned=True))
        manifest = train(examples, RewriterSettings(seed=seed), encoder, out, cache, told)
    strength, reached = manifest.calibration.strength, manifest.made["nDCG@5"]
    return manifest, f"strength {strength}, development part nDCG@5 {reached}"


def _writer(
    examples: "Examples",
    out: Path,
    base: str,
    encoder: str | None,
    device: str,
    update: Mapping[str, object],
) -> tuple["Manifest", str]:
    """The trained model that writes, and what is said of it."""
    from gretel.training.generative.settings import Settings, Source
    from gretel.training.generative.train import train

    settings = Settings().model_copy(update=update)
    with bars() as told:
        manifest = train(
            examples, settings, Source(base, encoder, chosen_device(device)), out, told
        )
    weight, reached = manifest.calibration.weight, manifest.made["nDCG@5"]
    return manifest, f"weight {weight}, development part nDCG@5 {reached}"
