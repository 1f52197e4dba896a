"""`gretel add-tools`: more tools into an artefact, without training."""

from pathlib import Path
from typing import Annotated

import typer

from gretel.cli.saying import say


def add_tools(
    path: Annotated[
        str, typer.Argument(metavar="PATH[@URL]", help="Catalogue with the tools to add.")
    ],
    artifact: Annotated[Path, typer.Option(help="Folder written by `gretel train`.")],
    toolkit: Annotated[
        str | None, typer.Option(metavar="NAME", help="Name of the catalogue's toolkit.")
    ] = None,
) -> None:
    """Add the tools of PATH to a trained artefact, without training.

    New tools are ranked by their descriptions. The artefact then belongs to the catalogue that it
    was trained on together with PATH. A tool that it already has is replaced.
    """
    from gretel.cli.sources import open_catalog
    from gretel.graph.entry import add_to_artifact
    from gretel.graph.settings import read_settings

    toolkits = None if toolkit is None else [toolkit]
    added = open_catalog([path], read_settings(), strict=False, toolkits=toolkits)
    manifest = add_to_artifact(artifact, tuple(added))
    say(f"{artifact}: {len(manifest.tools)} tools, {len(added)} of them from {path}")
