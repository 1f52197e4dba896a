"""Options that several commands share, declared once."""

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import typer

from gretel.cli.saying import say
from gretel.nodes.context import ABSTAIN_BELOW, MAX_PLAN_BATCH

CatalogPaths: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--catalog",
        metavar="PATH[@URL]",
        help="OpenAPI document, ToolBench folder or JSONL file; repeatable. URL: the server that "
        "its tools are called at, which trials may call. Default: GRETEL_CATALOG.",
        show_default=False,
    ),
]
Toolkits: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--toolkit",
        metavar="NAME",
        help="Name of a catalogue's one toolkit; given once for each --catalog, in their order. "
        "Default: the document's title, told apart where others have it.",
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
CalibrationOf: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--calibration",
        metavar="FILE|all|none",
        help="Which steps ask the model: what `gretel calibrate` wrote, every one, or none. "
        "Default: all.",
    ),
]
PlanBatch: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--plan-batch",
        help="Candidates whose calls one request to the model plans, at most. Default: 1.",
        show_default=False,
        min=1,
        max=MAX_PLAN_BATCH,
    ),
]
ReplyTokens: TypeAlias = Annotated[
    int | None,
    typer.Option("--reply-tokens", help="Most tokens of one reply of the model.", min=16),
]
PriceOf: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--price",
        metavar="IN,OUT",
        help="US dollars per million prompt and completion tokens; else money is unknown.",
    ),
]
AllowHosts: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-host",
        metavar="HOST",
        help="Host that trials may call; repeatable. `declared`: the catalogue's own servers, "
        "which are told nothing of --context. Without it nothing leaves the machine.",
    ),
]
BaseUrl: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--base-url",
        help="Send every tool to this one server; {tool_id} in its path becomes the tool's id.",
    ),
]
SafeTools: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--safe-tool",
        metavar="TOOL",
        help="Try this tool whatever its method; an id, or a pattern such as '*.search*' for the "
        "tools of one server; repeatable.",
    ),
]
CallableTools: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--callable-tool",
        metavar="TOOL",
        help="Never try this tool, and let it be called once it is selected; as --safe-tool.",
    ),
]
RequestText: TypeAlias = Annotated[
    str, typer.Argument(help="What is wanted; `-` reads standard input.")
]
RewriterName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--rewriter",
        metavar="none|feedback|llm|DIR",
        help="DIR: what `gretel train rewriter` wrote. By default as --calibration says.",
    ),
]
Depth: TypeAlias = Annotated[int, typer.Option(help="Candidates tried per round.", min=1, max=200)]
Today: TypeAlias = Annotated[
    datetime | None,
    typer.Option(
        formats=["%Y-%m-%d"],
        help="Day that relative dates count from. Default: the day where you are.",
    ),
]
Facts: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--context", metavar="NAME=VALUE", help="A value that you know; repeatable."),
]
AbstainBelow: TypeAlias = Annotated[
    float | None,
    typer.Option(
        help="Abstain where the chance that a tool is needed, or that one fits, is below; "
        f"0: never for that reason. Default: {ABSTAIN_BELOW}.",
        show_default=False,
        min=0,
        max=1,
    ),
]
Index: TypeAlias = Annotated[Path | None, typer.Option(help="Folder that `gretel index` wrote.")]
Encoder: TypeAlias = Annotated[
    str | None,
    typer.Option("--encoder", help="sentence-transformers model on this machine, by name or path."),
]
Faults: TypeAlias = Annotated[
    str,
    typer.Option(metavar="none|default|FILE", help="Mix of faults; FILE: JSON, shares of 100."),
]
FaultRate: TypeAlias = Annotated[
    float | None,
    typer.Option(
        metavar="PERCENT",
        help="Scale the mix to that share of all tools; default: as it is.",
        show_default=False,
        min=0,
        max=100,
    ),
]
FaultUnit: TypeAlias = Annotated[
    Literal["tool", "toolkit"],
    typer.Option(help="What a fault is drawn for; real services mostly fail as a whole."),
]
Seed: TypeAlias = Annotated[int, typer.Option(help="Decides faults, answers and latencies.")]
RetrieverName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--retriever",
        metavar="semantic|masstool|toolgen",
        help="masstool and toolgen take an --artifact.",
        show_default="semantic",
    ),
]
Artifact: TypeAlias = Annotated[
    Path | None, typer.Option(help="Folder that `gretel train masstool` or `toolgen` wrote.")
]


def command_line() -> str:
    """The command as it was given."""
    return shlex.join(["gretel", *sys.argv[1:]])


@contextmanager
def resumable() -> Iterator[None]:
    """End on Ctrl-C with 130, and say that what is done is kept."""
    try:
        yield
    except KeyboardInterrupt:
        say("interrupted; the same command goes on from here", err=True)
        raise typer.Exit(130) from None
