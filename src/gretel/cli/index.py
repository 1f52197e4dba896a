"""`gretel index`: encode a catalogue once, to a folder."""

from pathlib import Path
from typing import Annotated

import typer

from gretel.cli.options import CatalogPaths, Encoder, Strict


def index(
    out: Annotated[Path, typer.Option("--out", help="Folder of the index; made where needed.")],
    catalog: CatalogPaths = None,
    encoder: Encoder = None,
    strict: Strict = False,
) -> None:
    """Encode the catalogue's tools into OUT; only texts that changed are encoded.

    What each tool says is pinned: one that says something else later is not called until it is
    indexed again.

    Ctrl-C keeps what is done, and the same command goes on from there.
    """
    import asyncio

    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    from gretel.cli.sources import open_catalog
    from gretel.graph.settings import read_settings
    from gretel.nodes.retrieve.semantic.retriever import SemanticRetriever
    from gretel.nodes.retrieve.stage.pins import Pins

    tools = open_catalog(catalog, read_settings(), strict=strict)
    console = Console(stderr=True)
    with Progress(
        "encoding", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console
    ) as progress:
        task = progress.add_task("encoding", total=None)

        def report(done: int, total: int) -> None:
            progress.update(task, completed=done, total=total)

        try:
            asyncio.run(SemanticRetriever.build(tools, model=encoder, index=out, progress=report))
        except KeyboardInterrupt:
            typer.echo("interrupted; the same command goes on from here", err=True)
            raise typer.Exit(130) from None
    Pins(out).renew(tools)
    typer.echo(f"{len(tools)} tools in {out}, catalogue {tools.digest[:12]}")
