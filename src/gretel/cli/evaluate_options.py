"""Options of `gretel evaluate`, in the order of its help."""

from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import typer

Data: TypeAlias = Annotated[Path, typer.Option("--data", help="Folder of the data set.")]
Out: TypeAlias = Annotated[
    Path,
    typer.Option("--out", metavar="RUN", help="Folder of the run; an interrupted run continues."),
]
Qrels: TypeAlias = Annotated[str, typer.Option(help="Name of the judgements (qrels).")]
OneHalf: TypeAlias = Annotated[
    Literal["dev", "report"] | None, typer.Option(help="Only one half of the requests.")
]
NoTool: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option(
        "--no-tool",
        metavar="FILE",
        help="Add requests of the same half that need no tool: JSONL with id, query, needs_tool; "
        "repeatable.",
        show_default=False,
    ),
]
Split: TypeAlias = Annotated[
    bool, typer.Option("--split/--no-split", help="Also retrieve for parts of a request.")
]
Fusion: TypeAlias = Annotated[
    Literal["both", "dense", "sparse"],
    typer.Option(
        "--fusion",
        help="Scores of the semantic retriever: embeddings (dense), words (sparse), or both.",
    ),
]
Coherence: TypeAlias = Annotated[
    Literal["full", "parts", "none"],
    typer.Option(
        "--coherence",
        help="Score candidates in view of each other: full, by parts of the request only, or none.",
    ),
]
Index: TypeAlias = Annotated[
    Path | None, typer.Option(help="Folder of the index. Default: in RUN.")
]
Rewriter: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="none|feedback|llm|DIR",
        help="How to rewrite queries. DIR: a folder from `gretel train rewriter`. Default: none, "
        "or as --calibration says.",
    ),
]
PipelineNames: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="NAME[,NAME…]",
        help="Of retrieval, llm-rerank, plain-rule, no-simulation, full, oracle. Default: all that "
        "can run; oracle only where there are faults.",
        show_default=False,
    ),
]
WorldOf: TypeAlias = Annotated[
    Literal["values", "kind"] | None,
    typer.Option(
        "--world",
        help="values: tools know the right values, and others by chance; kind: they accept every "
        "value of the right kind. Default: values if the right ones are known.",
        show_default=False,
    ),
]
Values: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--values",
        metavar="FILE",
        help="Right values: JSONL, a line for each request and right tool: query, tool, arguments "
        "{name: [{span: \\[start, end]} or {value: …}, …]} and unsaid \\[name, …].",
        show_default=False,
    ),
]
Depth: TypeAlias = Annotated[int, typer.Option(help="Number of candidates tried.", min=1, max=100)]
Limit: TypeAlias = Annotated[
    int | None,
    typer.Option(help="Maximum requests of each kind, drawn by a hash of their ids.", min=1),
]
Workers: TypeAlias = Annotated[
    int, typer.Option(help="Requests processed at once.", min=1, max=256)
]
ShardOf: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="I/N", help="Run only shard I of N; `gretel merge` joins them."),
]
MaxTokens: TypeAlias = Annotated[
    int | None,
    typer.Option(help="Start no request once the run has spent this many tokens.", min=0),
]
MaxUsd: TypeAlias = Annotated[
    float | None,
    typer.Option(help="Start no request once the run has spent this much; needs --price.", min=0),
]
