"""`gretel index`: encode a catalogue once, to a folder."""

from pathlib import Path
from typing import Annotated

import typer

from gretel.cli.options import CatalogPaths, Encoder, Strict, Toolkits, resumable
from gretel.cli.progress import indexing
from gretel.cli.saying import say


def index(
    out: Annotated[Path, typer.Option("--out", help="Folder of the index; created if missing.")],
    catalog: CatalogPaths = None,
    toolkit: Toolkits = None,
    encoder: Encoder = None,
    strict: Strict = False,
) -> None:
    """Encode the catalogue's tools into OUT; unchanged tools are not encoded again.

    The content of each tool is pinned: a tool that changes later is not called until it is
    indexed again.

    Ctrl-C keeps what is done; run the same command to continue.
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
