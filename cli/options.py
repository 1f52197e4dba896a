"""Options that several commands share, declared once."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

CatalogPaths: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option(
        "--catalog",
        help="OpenAPI document, ToolBench folder or JSONL file; repeatable. "
        "Default: GRETEL_CATALOG.",
        show_default=False,
    ),
]
Strict: TypeAlias = Annotated[
    bool, typer.Option("--strict", help="Refuse documents that break the OpenAPI specification.")
]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON.")]
ModelName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--model", metavar="PROVIDER:NAME", help="LLM, for example openai:NAME; none: no LLM."
    ),
]
AllowHosts: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-host",
        metavar="HOST",
        help="Host that trials may call; repeatable. `declared`: the catalogue's own servers. "
        "Without it nothing leaves the machine.",
    ),
]
BaseUrl: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--base-url",
        help="Send every tool to this one server; {tool_id} in its path becomes the tool's id.",
    ),
]
Encoder: TypeAlias = Annotated[
    str | None,
    typer.Option("--encoder", help="sentence-transformers model, by name or path."),
]
