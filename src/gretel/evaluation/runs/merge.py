"""Shards of one run → the run, with the digest that it has when done in one piece."""

from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path

from gretel.contracts.errors import InputError
from gretel.evaluation.runs.folder import (
    ROWS,
    TRIALS,
    check_finished,
    merge_trec,
    read_shard,
    write_metrics,
)
from gretel.evaluation.runs.metrics import metrics_of
from gretel.evaluation.runs.rows import Row, read_rows
from gretel.evaluation.runs.settings import (
    Manifest,
    check_same_run,
    differences,
    read_manifest,
    write_manifest,
)
from gretel.files import make_folder, write_whole

_KEY = 64
"""Characters of a line's digest: millions of shorter lines would fill the memory."""


def merge_runs(shards: Sequence[Path], out: Path, *, command: str | None = None) -> Manifest:
    """Make of finished shards, which together have every request once, a finished run in `out`.

    That is a new folder, or one that holds this very run; `command` is for the record.

    Raises:
        InputError: a shard is no finished run, they are not of one run, requests are missing
            or stand in two shards, or `out` holds another run.
    """
    manifest = _common(shards)
    rows: dict[str, Row] = {}
    for shard in shards:
        found = read_rows(shard / ROWS)
        doubled = sorted(found.keys() & rows.keys())
        if doubled:
            problem = (
                f"{len(doubled)} of its requests stand in another shard, too ({doubled[0]}, …)"
            )
            raise InputError(problem, field=str(shard), remedy="Give each shard once")
        rows |= found
    if len(rows) != manifest.total:
        problem = f"have {len(rows)} of {manifest.total} requests"
        raise InputError(
            problem, field=" and ".join(map(str, shards)), remedy="Give every shard of the run"
        )
    if (out / ROWS).exists():
        check_same_run(out, manifest)
    make_folder(out)
    write_manifest(out, manifest)
    merge_trec(out, manifest.settings.pipelines, shards, rows.values())
    write_whole(out / TRIALS, "".join(_trials(shards)))
    write_whole(out / ROWS, "".join(f"{rows[name].line()}\n" for name in sorted(rows)))
    write_metrics(out, metrics_of(manifest, rows, command=command))
    return manifest


def _common(shards: Sequence[Path]) -> Manifest:
    """What the shards are shards of."""
    for shard in shards:
        check_finished(shard)
    manifests = [read_manifest(shard).model_copy(update={"shard": None}) for shard in shards]
    for shard, manifest in zip(shards, manifests, strict=True):
        differing = differences(manifests[0], manifest, size=True)
        if differing:
            problem = f"is of another run than {shards[0]}: other {', '.join(differing)}"
            raise InputError(problem, field=str(shard), remedy="Give shards of one command")
    return manifests[0]


def _trials(shards: Sequence[Path]) -> Iterator[str]:
    """The lines of all shards, each once: shards may have made the same call."""
    lines: dict[str, None] = {}
    for shard in shards:
        text = read_shard(shard / TRIALS)
        if text.count("\n") * _KEY > len(text):
            remedy = "Run the shard again into another folder"
            raise InputError("holds no trials", field=str(shard / TRIALS), remedy=remedy)
        lines |= dict.fromkeys(StringIO(text, newline="\n"))
    yield from lines
