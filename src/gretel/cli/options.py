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
        help="OpenAPI document, ToolBench folder or JSONL file; repeatable. URL: where the service "
        "runs; trials may call it. Default: GRETEL_CATALOG.",
        show_default=False,
    ),
]
Toolkits: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--toolkit",
        metavar="NAME",
        help="Name of a catalogue's toolkit; once for each --catalog, in the same order. "
        "Default: the document's title, made unique.",
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
        "--model", metavar="PROVIDER:NAME", help="LLM, for example openai:NAME. Default: no LLM."
    ),
]
CalibrationOf: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--calibration",
        metavar="FILE|all|none",
        help="Steps that ask the model: those in a file from `gretel calibrate`, all, or none. "
        "Default: all.",
    ),
]
PlanBatch: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--plan-batch",
        help="Maximum number of calls planned in one request to the model. Default: 1.",
        show_default=False,
        min=1,
        max=MAX_PLAN_BATCH,
    ),
]
ReplyTokens: TypeAlias = Annotated[
    int | None,
    typer.Option("--reply-tokens", help="Maximum tokens of one model reply.", min=16),
]
PriceOf: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--price",
        metavar="IN,OUT",
        help="US dollars per million prompt and completion tokens. Without it, costs are unknown.",
    ),
]
AllowHosts: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-host",
        metavar="HOST",
        help="Host that trials may call; repeatable. `declared`: the servers that the catalogue "
        "names; they never receive --context. Without it nothing leaves the machine.",
    ),
]
BaseUrl: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--base-url",
        help="Send all calls to this server; {tool_id} in its path becomes the tool's id.",
    ),
]
SafeTools: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--safe-tool",
        metavar="TOOL",
        help="Let trials call this tool, whatever its method. An id, or a pattern such as "
        "'*.search*' for the tools of one server; repeatable.",
    ),
]
CallableTools: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--callable-tool",
        metavar="TOOL",
        help="Never try this tool, but let it be called once selected; id or pattern; repeatable.",
    ),
]
RequestText: TypeAlias = Annotated[
    str, typer.Argument(help="The request; `-` reads standard input.")
]
RewriterName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--rewriter",
        metavar="none|feedback|llm|DIR",
        help="How to rewrite queries. DIR: a folder from `gretel train rewriter`. By default as "
        "--calibration says.",
    ),
]
Depth: TypeAlias = Annotated[int, typer.Option(help="Candidates tried per round.", min=1, max=200)]
Today: TypeAlias = Annotated[
    datetime | None,
    typer.Option(
        formats=["%Y-%m-%d"],
        help="Date that relative dates count from. Default: the local date.",
    ),
]
Facts: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--context", metavar="NAME=VALUE", help="A known value for arguments; repeatable."
    ),
]
AbstainBelow: TypeAlias = Annotated[
    float | None,
    typer.Option(
        help="Abstain if the probability that a tool is needed, or that one fits, is below this. "
        f"0 turns it off. Default: {ABSTAIN_BELOW}.",
        show_default=False,
        min=0,
        max=1,
    ),
]
Index: TypeAlias = Annotated[Path | None, typer.Option(help="Folder written by `gretel index`.")]
Encoder: TypeAlias = Annotated[
    str | None,
    typer.Option("--encoder", help="Local sentence-transformers model, by name or path."),
]
Faults: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="none|default|FILE", help="Faults of the mock. FILE: JSON with percentages."
    ),
]
FaultRate: TypeAlias = Annotated[
    float | None,
    typer.Option(
        metavar="PERCENT",
        help="Scale the faults to this percentage of all tools. Default: as --faults says.",
        show_default=False,
        min=0,
        max=100,
    ),
]
FaultUnit: TypeAlias = Annotated[
    Literal["tool", "toolkit"],
    typer.Option(
        help="Draw faults for each tool or for whole toolkits, as real services mostly fail."
    ),
]
Seed: TypeAlias = Annotated[int, typer.Option(help="Seed of faults, answers and latencies.")]
RetrieverName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--retriever",
        metavar="semantic|masstool|toolgen",
        help="How to retrieve candidates; masstool and toolgen need --artifact.",
        show_default="semantic",
    ),
]
Artifact: TypeAlias = Annotated[
    Path | None, typer.Option(help="Folder written by `gretel train masstool` or `toolgen`.")
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
        say("interrupted; run the same command to continue", err=True)
        raise typer.Exit(130) from None
