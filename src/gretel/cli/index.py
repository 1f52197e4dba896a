"""`gretel index`: encode a catalogue once, to a folder."""

from pathlib import Path
from typing import Annotated

import typer

from gretel.cli.options import CatalogPaths, Encoder, Strict, Toolkits, resumable
from gretel.cli.progress import indexing
from gretel.cli.saying import say


def index(
    out: Annotated[Path, typer.Option("--out", help="Folder of the index; made where needed.")],
    catalog: CatalogPaths = None,
    toolkit: Toolkits = None,
    encoder: Encoder = None,
    strict: Strict = False,
) -> None:
    """Encode the catalogue's tools into OUT; only texts that changed are encoded.

    What each tool says is pinned: one that says something else later is not called until it is
    indexed again.

    Ctrl-C keeps what is done, and the same command goes on from there.
    """
    import asyncio

    from gretel.cli.sources import open_catalog
    from gretel.graph.settings import read_settings
    from gretel.nodes.retrieve.semantic.retriever import SemanticRetriever
    from gretel.nodes.retrieve.stage.pins import Pins

    tools = open_catalog(catalog, read_settings(), strict=strict, toolkits=toolkit)
    with indexing() as report, resumable():
        asyncio.run(SemanticRetriever.build(tools, model=encoder, index=out, progress=report))
    Pins(out).renew(tools)
    say(f"{len(tools)} tools in {out}, catalogue {tools.digest[:12]}")
