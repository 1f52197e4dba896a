"""A run's folder: what `gretel evaluate` and `gretel merge` leave in it when all rows are there."""

import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from gretel.catalog import Catalog
from gretel.catalog.document import as_object, parse_json
from gretel.contracts.errors import CatalogError, InputError
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import ToolId
from gretel.datasets.reading import read_text
from gretel.evaluation.runs.rows import Row
from gretel.evaluation.runs.settings import Pipeline
from gretel.files import check_few, make_inner, open_plain, read_text_bytes, write_whole

ROWS = "rows.jsonl"
TRIALS = "trials.jsonl"
METRICS = "metrics.json"
RUNS = "runs"
_UNFIT = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What values of another kind than are shown raise."""


def is_finished(run: Path) -> bool:
    """Whether everything is there: `metrics.json` is written last."""
    return (run / METRICS).is_file()


def check_finished(run: Path) -> None:
    """See that the folder holds a finished run.

    Raises:
        InputError: it does not.
    """
    if not is_finished(run):
        remedy = "Give the folder of a finished `gretel evaluate --out`; the same command resumes"
        raise InputError("is not a finished run", field=str(run), remedy=remedy)


def read_metrics(run: Path) -> JsonObject:
    """The content of a finished run's `metrics.json`.

    Raises:
        InputError: the run is not finished, or the file holds no JSON.
    """
    check_finished(run)
    with whole(run):
        text = read_text(run / METRICS)
        with showing_metrics(run):
            check_few(text.encode())
        return as_object(parse_json(text, place=METRICS))


@contextmanager
def whole(run: Path) -> Iterator[None]:
    """Read files of a run: of several it is said which one is damaged, and no syntax is mended.

    Raises:
        InputError: a file cannot be read.
    """
    try:
        yield
    except CatalogError as error:
        remedy = "Evaluate into a new folder"
        raise InputError(f"is damaged ({error.field})", field=str(run), remedy=remedy) from None


@contextmanager
def showing_metrics(run: Path, *unfit: type[Exception]) -> Iterator[None]:
    """Show what a run's `metrics.json` says. It is not checked when it is read: what shows it is
    its reader, and raises one of `unfit`, or what Python does, where it holds something else.

    Raises:
        InputError: it does.
    """
    raised: tuple[type[Exception], ...] = (*_UNFIT, *unfit)
    try:
        yield
    except raised as error:
        remedy = "Run the same `gretel evaluate` into a new folder: it writes the file anew"
        problem = "is not what `gretel evaluate` writes"
        raise InputError(problem, field=str(run / METRICS), remedy=remedy) from error


def write_metrics(run: Path, content: JsonObject) -> None:
    """Write `metrics.json`; the run is finished then."""
    write_whole(run / METRICS, json.dumps(content, indent=2, ensure_ascii=False) + "\n")


def write_trec(
    run: Path, pipelines: Iterable[Pipeline], rows: Mapping[str, Row], catalog: Catalog
) -> None:
    """Write `runs/<pipeline>.trec` in TREC's format, requests in order of their ids.

    Tools have the ids of the data set's own judgements, so that any tool can score the files
    against these; scores fall by rank. White space in ids is percent-encoded.
    """
    make_inner(run / RUNS)
    for pipeline in pipelines:
        lines = [
            line
            for name in sorted(rows)
            for line in _lines(name, rows[name].rankings.get(pipeline, ()), pipeline, catalog)
        ]
        write_whole(run / RUNS / f"{pipeline}.trec", "".join(lines))


def merge_trec(
    run: Path, pipelines: Iterable[Pipeline], shards: Iterable[Path], rows: Iterable[Row]
) -> None:
    """Write the TREC files of `run` from those of its shards, which share no request.

    Raises:
        InputError: a file cannot be read, or together they have more lines than `rows` have places.
    """
    shards, rows = list(shards), list(rows)
    make_inner(run / RUNS)
    for pipeline in pipelines:
        name = f"{pipeline}.trec"
        texts = [read_shard(shard / RUNS / name) for shard in shards]
        places = sum(len(row.rankings.get(pipeline, ())) for row in rows)
        if sum(text.count("\n") for text in texts) > places:  # millions of short ones fill memory
            remedy = "Run the shards again into other folders"
            raise InputError("has lines of no row", field=name, remedy=remedy)
        lines = [line for text in texts for line in io.StringIO(text, newline="\n")]
        # stable, so that each request's lines keep their order
        lines.sort(key=lambda line: line.partition(" ")[0])
        write_whole(run / RUNS / name, "".join(lines))


def read_shard(path: Path) -> str:
    """The text of a file that a finished run has.

    Raises:
        InputError: it is missing, or is no text.
    """
    try:
        with open_plain(path) as file:
            return read_text_bytes(file).decode()
    except (OSError, ValueError) as error:
        remedy = "Run the shard again into another folder"
        raise InputError("cannot be read", field=str(path), remedy=remedy) from error


def _lines(
    request_id: str, ranking: tuple[ToolId, ...], tag: str, catalog: Catalog
) -> Iterator[str]:
    for place, tool_id in enumerate(ranking):
        external = catalog[tool_id].external_id or tool_id
        score = len(ranking) - place
        yield f"{_word(request_id)} Q0 {_word(external)} {place + 1} {score} {tag}\n"


def _word(text: str) -> str:
    """`text` as one word."""
    return re.sub(r"\s", lambda space: quote(space[0]), text)
