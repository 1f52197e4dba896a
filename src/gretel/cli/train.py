"""`gretel train`: artefacts from data."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, TypeAlias, TypeVar

import typer

from gretel.cli.options import Encoder, Json, resumable
from gretel.cli.progress import stages as bars
from gretel.cli.saying import say, say_json
from gretel.contracts.errors import InputError
from gretel.nodes.retrieve.masstool.config import Preset
from gretel.training.generative.settings import STAGES as WRITER_STAGES
from gretel.training.toolgen.settings import PRESETS, STAGES, USUAL, Coding
from gretel.training.toolgen.settings import Preset as Size

if TYPE_CHECKING:
    from gretel.nodes.retrieve.artifact.manifest import Manifest
    from gretel.training.masstool.data import Examples
    from gretel.training.toolgen.records import Record as AgentRecord

T = TypeVar("T", bound=str)

NoTool: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--no-tool",
        metavar="FILE",
        help="Requests that need no tool, JSONL with id and query: those of the dev half are "
        "learnt from.",
    ),
]

app = typer.Typer(help="Train what a graph can be built with.", no_args_is_help=True)


Judged = Annotated[Path, typer.Option(help="Folder in BEIR layout, with the judgements to learn.")]
Qrels = Annotated[str, typer.Option(help="Which judgements; no others are read.")]


@app.command("masstool")
def masstool(
    data: Judged,
    out: Annotated[Path, typer.Option(help="Folder of the artefact; training cut short goes on.")],
    qrels: Qrels = "train",
    no_tool: NoTool = None,
    preset: Annotated[Preset, typer.Option(help="What is tuned.")] = "top-layers",
    encoder: Encoder = None,
    device: Annotated[str, typer.Option(help="cpu, cuda or auto.")] = "auto",
    seed: Annotated[
        int, typer.Option(min=0, max=2**31, help="Decides the split, the order and the weights.")
    ] = 7,
    as_json: Json = False,
) -> None:
    """Train MassTool: the encoder first, then the model on its vectors."""
    from gretel.training.masstool.data import read_examples
    from gretel.training.masstool.first import FirstSettings
    from gretel.training.masstool.second import SecondSettings
    from gretel.training.masstool.train import Settings, train

    examples = read_examples(data, qrels=qrels, no_tool=no_tool, seed=seed)
    _tell_dropped(examples)
    settings = Settings(
        first=FirstSettings(preset=preset, seed=seed),
        second=SecondSettings(seed=seed),
        encoder=encoder,
        device=_device(device),
    )
    with resumable(), bars() as told:
        manifest = train(examples, settings, out, told)
    if as_json:
        say_json(manifest.model_dump_json(indent=2))
    else:
        reached = manifest.made["dev"]
        say(f"{out}: {len(manifest.tools)} tools, development part {reached}")


@app.command("rewriter")
def rewriter(
    data: Judged,
    out: Annotated[
        Path, typer.Option(help="Folder of the artefact; with --base, training cut short goes on.")
    ],
    base: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL",
            help="Causal language model of Hugging Face that learns to write queries, by folder or "
            "by name out of this machine's cache. Without it no text is written: a change of the "
            "request's vector is learnt, in minutes.",
        ),
    ] = None,
    stage: Annotated[
        str | None,
        typer.Option(
            metavar="LIST",
            help="With --base: towards descriptions of the right tools, then towards what finds "
            f"them, parted by commas. [default: {','.join(WRITER_STAGES)}]",
        ),
    ] = None,
    requests: Annotated[
        int | None, typer.Option(min=1, help="With --base: learnt in a stage, at most.")
    ] = None,
    epochs: Annotated[
        int | None, typer.Option(min=1, help="With --base: of the first stage, at most.")
    ] = None,
    rounds: Annotated[
        int | None, typer.Option(min=1, help="With --base: of the second stage, at most.")
    ] = None,
    samples: Annotated[
        int | None, typer.Option(min=2, help="With --base: texts drawn for a request in a round.")
    ] = None,
    held: Annotated[
        int | None,
        typer.Option(
            min=1, help="With --base: held-out requests of each kind that are looked at, at most."
        ),
    ] = None,
    lora: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=1_024,
            help="With --base: rank of the adapters by which layers learn (gretel[lora]); 0: their "
            "own weights do.",
        ),
    ] = None,
    qrels: Qrels = "train",
    encoder: Encoder = None,
    device: Annotated[str, typer.Option(help="cpu, cuda or auto: of the base.")] = "auto",
    seed: Annotated[
        int, typer.Option(min=0, max=2**31, help="Decides what is held out and how it is learnt.")
    ] = 7,
    as_json: Json = False,
) -> None:
    """Train a query rewriter through the fixed retriever, for `--rewriter OUT`."""
    from gretel.training.masstool.data import read_examples

    stages = None if stage is None else _stages(stage, WRITER_STAGES, "--stage")
    given = {
        **{"stages": stages, "requests": requests, "epochs": epochs, "rounds": rounds},
        **{"samples": samples, "held": held, "lora": lora},
    }
    update = {name: value for name, value in given.items() if value is not None}
    if base is None and update:
        named = ["--stage" if name == "stages" else f"--{name}" for name in update]
        remedy = "Name the model that is to write, or leave it out."
        raise InputError("goes with --base alone", field=", ".join(named), remedy=remedy)
    with nullcontext() if base is None else resumable():
        examples = read_examples(data, qrels=qrels, seed=seed)
        _tell_dropped(examples)
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
    from gretel.training.judged import VectorCache
    from gretel.training.rewriter import RewriterSettings, train

    with TemporaryDirectory() as place, bars() as told:
        cache = VectorCache(Path(place), encoding.Encoder(encoder))
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
        manifest = train(examples, settings, Source(base, encoder, _device(device)), out, told)
    weight, reached = manifest.calibration.weight, manifest.made["nDCG@5"]
    return manifest, f"weight {weight}, development part nDCG@5 {reached}"


@app.command("toolgen")
def toolgen(
    data: Judged,
    out: Annotated[Path, typer.Option(help="Folder of the artefact; training cut short goes on.")],
    base: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL",
            help="Causal language model of Hugging Face, by folder or by name out of this "
            "machine's cache; without it MiniLM of the install, read as a decoder.",
        ),
    ] = None,
    preset: Annotated[
        Size, typer.Option(help="MiniLM on a CPU; a small decoder; a GPU.")
    ] = "cpu-tiny",
    stages: Annotated[
        str, typer.Option(metavar="LIST", help="What is trained, parted by commas.")
    ] = ",".join(USUAL),
    records: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="What an agent learns from, JSONL, beside the right calls of the data; "
            "repeatable.",
        ),
    ] = None,
    qrels: Qrels = "train",
    no_tool: NoTool = None,
    epochs: Annotated[
        int | None, typer.Option(min=1, help="Of retrieval, at most; else the preset's.")
    ] = None,
    codes: Annotated[
        Coding, typer.Option(help="A token a tool, or several words: name, number or clusters.")
    ] = "atomic",
    lora: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=1_024,
            help="Rank of the adapters by which layers learn (gretel[lora]); 0: their own weights "
            "do; else the preset's.",
        ),
    ] = None,
    encoder: Encoder = None,
    device: Annotated[str, typer.Option(help="cpu, cuda or auto.")] = "auto",
    seed: Annotated[
        int, typer.Option(min=0, max=2**31, help="Decides the split, the order and what is tried.")
    ] = 7,
    as_json: Json = False,
) -> None:
    """Train ToolGen: each tool's token, and the layers that foretell it."""
    from gretel.training.masstool.data import read_examples
    from gretel.training.toolgen.settings import Source
    from gretel.training.toolgen.train import train

    given = {"epochs": epochs, "lora": lora, "codes": codes, "seed": seed}
    update: dict[str, object] = {name: value for name, value in given.items() if value is not None}
    settings = PRESETS[preset].model_copy(
        update={**update, "stages": _stages(stages, STAGES, "--stages")}
    )
    source = Source(base, encoder, _device(device))
    with resumable():
        examples = read_examples(data, qrels=qrels, no_tool=no_tool, seed=seed)
        _tell_dropped(examples)
        runs = _runs(data, qrels, records or [], examples) if "agent" in settings.stages else []
        with bars() as told:
            manifest = train(examples, settings, source, out, told, runs)
    if as_json:
        say_json(manifest.model_dump_json(indent=2))
    else:
        say(f"{out}: {len(manifest.tools)} tools, development part {manifest.made['dev']}")


def _runs(
    data: Path, qrels: str, files: Sequence[Path], examples: "Examples"
) -> list["AgentRecord"]:
    """What the files hold, and the right calls of the data where it names any."""
    from gretel.datasets.trajectories import read_trajectories
    from gretel.training.toolgen.records import read_records, record_of

    found = [record for file in files for record in read_records(file, examples.catalog)]
    with suppress(InputError) if found else nullcontext():
        rows = read_trajectories(data, qrels=qrels).rows
        found += [record_of(row, examples.catalog) for row in rows]
    return found


def _stages(said: str, known: Sequence[T], option: str) -> tuple[T, ...]:
    """In their order, each once.

    Raises:
        InputError: one is unknown, or there is none.
    """
    wanted = {name.strip() for name in said.split(",") if name.strip()}
    unknown = sorted(wanted - {*map(str, known)})
    if unknown or not wanted:
        problem = f"{unknown[0]!r} is unknown" if unknown else "names none"
        raise InputError(problem, field=option, remedy=f"Use one or more of {tuple(known)}.")
    return tuple(stage for stage in known if stage in wanted)


def _tell_dropped(examples: "Examples") -> None:
    from gretel.cli.sources import tell_rows

    tell_rows("skipped", examples.catalog.skipped, "operations skipped")
    for said in examples.dropped:
        say(f"skipped {said}", err=True)


def _device(name: str) -> str:
    """The device of that name, which is there.

    Raises:
        InputError: it is not.
    """
    import torch

    able = torch.cuda.is_available()
    if name not in ("auto", "cpu") and not (able and name.partition(":")[0] == "cuda"):
        raise InputError(f"{name!r} is not here", field="--device", remedy="Leave it at auto.")
    return name if name != "auto" else "cuda" if able else "cpu"
