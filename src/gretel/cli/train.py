"""`gretel train`: artefacts from data."""

from collections.abc import Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gretel.cli.options import Encoder, Json, resumable
from gretel.cli.progress import stages as bars
from gretel.cli.saying import say, say_json
from gretel.cli.training.options import (
    Judged,
    NoTool,
    Qrels,
    chosen_device,
    chosen_stages,
    tell_dropped,
)
from gretel.cli.training.rewriter import rewriter
from gretel.contracts.errors import InputError
from gretel.nodes.retrieve.masstool.config import Preset
from gretel.training.toolgen.settings import PRESETS, STAGES, USUAL, Coding
from gretel.training.toolgen.settings import Preset as Size

if TYPE_CHECKING:
    from gretel.training.masstool.data import Examples
    from gretel.training.toolgen.records import Record as AgentRecord

app = typer.Typer(help="Train a retriever or a query rewriter.", no_args_is_help=True)


@app.command("masstool")
def masstool(
    data: Judged,
    out: Annotated[
        Path, typer.Option(help="Folder of the artefact; interrupted training continues.")
    ],
    qrels: Qrels = "train",
    no_tool: NoTool = None,
    preset: Annotated[
        Preset, typer.Option(help="Layers of the encoder that are tuned.")
    ] = "top-layers",
    encoder: Encoder = None,
    device: Annotated[str, typer.Option(help="cpu, cuda or auto.")] = "auto",
    seed: Annotated[
        int, typer.Option(min=0, max=2**31, help="Seed of the split, the order and the weights.")
    ] = 7,
    as_json: Json = False,
) -> None:
    """Train the MassTool retriever: first the encoder, then the model on its vectors."""
    from gretel.training.masstool.data import read_examples
    from gretel.training.masstool.first import FirstSettings
    from gretel.training.masstool.second import SecondSettings
    from gretel.training.masstool.train import Settings, train

    examples = read_examples(data, qrels=qrels, no_tool=no_tool, seed=seed)
    tell_dropped(examples)
    settings = Settings(
        first=FirstSettings(preset=preset, seed=seed),
        second=SecondSettings(seed=seed),
        encoder=encoder,
        device=chosen_device(device),
    )
    with resumable(), bars() as told:
        manifest = train(examples, settings, out, told)
    if as_json:
        say_json(manifest.model_dump_json(indent=2))
    else:
        reached = manifest.made["dev"]
        say(f"{out}: {len(manifest.tools)} tools, development part {reached}")


app.command("rewriter")(rewriter)


@app.command("toolgen")
def toolgen(
    data: Judged,
    out: Annotated[
        Path, typer.Option(help="Folder of the artefact; interrupted training continues.")
    ],
    base: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL",
            help="Causal Hugging Face language model: a folder, or a name in the local cache. "
            "Default: the bundled MiniLM, read as a decoder.",
        ),
    ] = None,
    preset: Annotated[
        Size, typer.Option(help="For MiniLM on a CPU, a small decoder, or a GPU.")
    ] = "cpu-tiny",
    stages: Annotated[
        str, typer.Option(metavar="LIST", help="Training stages, separated by commas.")
    ] = ",".join(USUAL),
    records: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Dialogues that an agent learns from (JSONL), besides the data's right calls; "
            "repeatable.",
        ),
    ] = None,
    qrels: Qrels = "train",
    no_tool: NoTool = None,
    epochs: Annotated[
        int | None, typer.Option(min=1, help="Maximum epochs of retrieval. Default: the preset's.")
    ] = None,
    codes: Annotated[
        Coding,
        typer.Option(help="One token for each tool, or several words: name, number or clusters."),
    ] = "atomic",
    lora: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=1_024,
            help="Rank of low-rank adapters (gretel\\[lora]); 0 trains the layers' own weights. "
            "Default: the preset's.",
        ),
    ] = None,
    encoder: Encoder = None,
    device: Annotated[str, typer.Option(help="cpu, cuda or auto.")] = "auto",
    seed: Annotated[
        int, typer.Option(min=0, max=2**31, help="Seed of the split, the order and what is tried.")
    ] = 7,
    as_json: Json = False,
) -> None:
    """Train the ToolGen retriever: a token for each tool, and the layers that predict it."""
    from gretel.training.masstool.data import read_examples
    from gretel.training.toolgen.settings import Source
    from gretel.training.toolgen.train import train

    given = {"epochs": epochs, "lora": lora, "codes": codes, "seed": seed}
    update: dict[str, object] = {name: value for name, value in given.items() if value is not None}
    settings = PRESETS[preset].model_copy(
        update={**update, "stages": chosen_stages(stages, STAGES, "--stages")}
    )
    source = Source(base, encoder, chosen_device(device))
    with resumable():
        examples = read_examples(data, qrels=qrels, no_tool=no_tool, seed=seed)
        tell_dropped(examples)
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
