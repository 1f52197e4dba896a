"""Options of `gretel evaluate`, in the order of its help."""

from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import typer

Data: TypeAlias = Annotated[Path, typer.Option("--data", help="Folder of the data set.")]
Out: TypeAlias = Annotated[
    Path, typer.Option("--out", metavar="RUN", help="Folder of the run; one cut short goes on.")
]
Qrels: TypeAlias = Annotated[str, typer.Option(help="Which judgements.")]
OneHalf: TypeAlias = Annotated[
    Literal["dev", "report"] | None, typer.Option(help="Only one half of the requests.")
]
NoTool: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option(
        "--no-tool",
        metavar="FILE",
        help="Requests that need no tool join, of the same half: JSONL with id, query, needs_tool; "
        "repeatable.",
        show_default=False,
    ),
]
Split: TypeAlias = Annotated[
    bool, typer.Option("--split/--no-split", help="Retrieve for parts of a request, too.")
]
Fusion: TypeAlias = Annotated[
    Literal["both", "dense", "sparse"],
    typer.Option("--fusion", help="What the semantic retriever scores by."),
]
Coherence: TypeAlias = Annotated[
    Literal["full", "parts", "none"],
    typer.Option(
        "--coherence",
        help="Score candidates in view of each other: full, without the toolkits (parts), none.",
    ),
]
Index: TypeAlias = Annotated[
    Path | None, typer.Option(help="Folder that `gretel index` wrote; default: in RUN.")
]
Rewriter: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="none|feedback|llm|DIR",
        help="DIR: what `gretel train rewriter` wrote. By default none, or as --calibration says.",
    ),
]
PipelineNames: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="NAME[,NAME…]",
        help="Of retrieval, llm-rerank, plain-rule, no-simulation, full, oracle; default: all "
        "that can run. oracle joins where there are faults.",
        show_default=False,
    ),
]
WorldOf: TypeAlias = Annotated[
    Literal["values", "kind"] | None,
    typer.Option(
        "--world",
        help="values: tools know the right values, others by chance; kind: they take every value "
        "of the right kind. Default: values where the right ones are known.",
        show_default=False,
    ),
]
Values: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--values",
        metavar="FILE",
        help="Right values: JSONL, a line each request and right tool with query, tool, arguments "
        "{name: [{span: \\[start, end]} or {value: …}, …]} and unsaid \\[name, …].",
        show_default=False,
    ),
]
Depth: TypeAlias = Annotated[int, typer.Option(help="Candidates tried.", min=1, max=100)]
Limit: TypeAlias = Annotated[
    int | None,
    typer.Option(help="Only so many requests of each kind, drawn by a hash of their ids.", min=1),
]
Workers: TypeAlias = Annotated[
    int, typer.Option(help="Requests under way at once.", min=1, max=256)
]
ShardOf: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="I/N", help="Only shard I of N; `gretel merge` joins them."),
]
MaxTokens: TypeAlias = Annotated[
    int | None, typer.Option(help="Start no request once the run has spent these.", min=0)
]
MaxUsd: TypeAlias = Annotated[
    float | None, typer.Option(help="The same for money; needs --price.", min=0)
]
