"""Shards of one run → the run, with the digest that it has when done in one piece."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from gretel.contracts.errors import InputError
from gretel.evaluation.runs.folder import (
    ROWS,
    TRIALS,
    is_finished,
    merge_trec,
    write_metrics,
)
from gretel.evaluation.runs.rows import Row, read_rows
from gretel.evaluation.runs.settings import (
    Manifest,
    check_same_run,
    differences,
    make_folder,
    read_manifest,
    write_manifest,
    write_whole,
)


def merge_runs(parts: Sequence[Path], out: Path, *, command: str | None = None) -> Manifest:
    """Make of finished shards, which together have every request once, a finished run in `out`.

    Args:
        parts: the shards' folders.
        out: a new folder, or one that holds this very run.
        command: for the record.

    Raises:
        InputError: a part is no finished run, the parts are not of one run, requests are missing
            or stand in two parts, or `out` holds another run.
    """
    manifest = _common(parts)
    rows: dict[str, Row] = {}
    for part in parts:
        found = read_rows(part / ROWS)
        doubled = sorted(found.keys() & rows.keys())
        if doubled:
            problem = f"{len(doubled)} of its requests stand in another part, too ({doubled[0]}, …)"
            raise InputError(problem, field=str(part), remedy="Give each shard once")
        rows |= found
    if len(rows) != manifest.total:
        problem = f"have {len(rows)} of {manifest.total} requests"
        raise InputError(problem, field=_named(parts), remedy="Give every shard of the run")
    if (out / ROWS).exists():
        check_same_run(out, manifest)
    make_folder(out)
    write_manifest(out, manifest)
    merge_trec(out, manifest.settings.pipelines, parts)
    write_whole(out / TRIALS, "".join(_trials(parts)))
    write_whole(out / ROWS, "".join(f"{rows[name].line()}\n" for name in sorted(rows)))
    write_metrics(out, manifest, rows, command=command)
    return manifest


def _common(parts: Sequence[Path]) -> Manifest:
    """What the parts are shards of."""
    unfinished = [str(part) for part in parts if not is_finished(part)]
    if unfinished:
        remedy = "Give folders of finished `gretel evaluate --out`; the same command resumes"
        raise InputError("is no finished run", field=unfinished[0], remedy=remedy)
    manifests = [read_manifest(part).model_copy(update={"shard": None}) for part in parts]
    for part, manifest in zip(parts, manifests, strict=True):
        differing = differences(manifests[0], manifest, size=True)
        if differing:
            problem = f"is of another run than {parts[0]}: other {', '.join(differing)}"
            raise InputError(problem, field=str(part), remedy="Give shards of one command")
    return manifests[0]


def _trials(parts: Sequence[Path]) -> Iterator[str]:
    """The lines of all parts, each once: shards may have made the same call."""
    lines: dict[str, None] = {}
    for part in parts:
        lines |= dict.fromkeys((part / TRIALS).read_text(encoding="utf-8").splitlines(True))
    yield from lines


def _named(parts: Sequence[Path]) -> str:
    return " and ".join(map(str, parts))
