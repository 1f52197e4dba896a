"""What decides the rows of a run, and what it was run on; kept as `run.json`."""

import hashlib
import importlib.util
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from pydantic import AliasChoices, Field

from gretel.contracts.calibration import Calibration
from gretel.contracts.errors import ConfigurationError, InputError
from gretel.contracts.record import Record
from gretel.evaluation.mock.faults import FaultKind, FaultUnit
from gretel.evaluation.runs.right_values import World
from gretel.evaluation.runs.rows import RowKey
from gretel.files import open_plain, read_json, write_whole
from gretel.nodes.retrieve.stage.switches import CandidateStage

Pipeline: TypeAlias = Literal[
    "retrieval", "llm-rerank", "plain-rule", "no-simulation", "full", "oracle"
]
"""`retrieval`: the candidates as they came. `llm-rerank`: a model orders them by their documents,
without trials. `full`: the product. `no-simulation`: its re-ranker over the same trials without
what was simulated. `plain-rule`: the same trials, ordered by `PlainRule`, to show what the weighing
adds. `oracle`: the candidates with the broken tools behind, known and not found out; an upper bound
of finding them, and no part of the product. Which values the tools know it does not ask."""

PIPELINES: tuple[Pipeline, ...] = get_args(Pipeline)
TRYING: frozenset[Pipeline] = frozenset({"plain-rule", "no-simulation", "full"})
"""Pipelines that need trials."""
TODAY = "2025-01-15"
"""The day of requests whose data names none; fixed, so that a run repeats."""
_ROOMS = (
    *("contracts", "text", "catalog", "prompts", "llm", "datasets", "sandbox", "nodes", "graph"),
    *("evaluation.measures", "evaluation.mock", "evaluation.runs"),
)
_MANIFEST = "run.json"


class RunSettings(Record):
    """How every request of a run is done."""

    retriever: str = "semantic"
    """By name; of an object that was given, its class."""
    candidates: CandidateStage = CandidateStage()
    """The candidate stage, which all pipelines share."""
    artifact: str | None = None
    """SHA-256 (hex) of what was trained (`artifact_digest`); where it lies changes nothing."""
    encoder: str | None = None
    rewriter: str = "none"
    """By name; of a trained one `artifact_digest`."""
    model: str | None = None
    calibration: Calibration | None = None
    """Which steps ask the model, without the figures behind it."""
    pipelines: tuple[Pipeline, ...] = Field(max_length=len(PIPELINES))
    faults: dict[FaultKind, float] = {}
    """Share of each fault, per 100."""
    fault_unit: FaultUnit = "toolkit"
    world: World = "kind"
    """What the mock asks of values."""
    seed: int = 7
    depth: int = Field(default=10, ge=1, le=1_000_000)
    """Candidates ranked and tried."""
    today: str = TODAY


class RunDigests(Record):
    """Content hashes; SHA-256 in hex."""

    data: str
    no_tool: str | None = Field(default=None, validation_alias=AliasChoices("no_tool", "needless"))
    """Of the requests that need no tool; None: there are none. Runs of 0.2 have the other name."""
    catalog: str
    faults: str
    """Mix, unit and seed."""
    values: str | None = None
    """Of the annotation of right values; None: there is none."""
    code: str
    """Our own code that decides a row."""


class Manifest(Record):
    """What a run is: shards of one run differ in `shard` alone."""

    data: str
    """Name of the data set."""
    qrels: str
    half: str | None = None
    settings: RunSettings
    digests: RunDigests
    limit: int | None = None
    total: int
    """Requests of the whole run, all shards together."""
    shard: str | None = None
    """`I/N`."""

    @property
    def key(self) -> RowKey:
        """What this run's rows are valid for."""
        text = f"{self.settings.model_dump_json()} {self.digests.code}"
        config = hashlib.sha256(text.encode()).hexdigest()
        return RowKey(config=config, catalog=self.digests.catalog, seed=self.settings.seed)


def choose_pipelines(
    names: Iterable[str] | None, *, model: bool, faults: bool
) -> tuple[Pipeline, ...]:
    """The pipelines of a run, in the order of `PIPELINES`; without names, all that can run.

    `oracle` joins wherever there are faults.

    Raises:
        InputError: an unknown name, none, or `llm-rerank` without a model.
    """
    able = set(PIPELINES) - (set() if model else {"llm-rerank"})
    wanted = set(able - {"oracle"} if names is None else names)
    unknown = wanted - set(PIPELINES)
    if unknown or not wanted:
        problem = f"{min(unknown)!r} is unknown" if unknown else "names no pipeline"
        raise InputError(problem, field="--pipeline", remedy=f"Use {', '.join(PIPELINES)}.")
    if wanted - able:
        remedy = "Name one with --model, or leave it out."
        raise InputError("llm-rerank needs a model", field="--pipeline", remedy=remedy)
    if faults:
        wanted.add("oracle")
    return tuple(name for name in PIPELINES if name in wanted)


def artifact_digest(folder: Path | None) -> str | None:
    """SHA-256 (hex) of an artefact's manifest, which names the digests of its other files.

    Raises:
        ConfigurationError: the folder holds none.
    """
    if folder is None:
        return None
    from gretel.nodes.retrieve.artifact.store import MANIFEST, REMEDY

    try:
        with open_plain(folder / MANIFEST) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ConfigurationError("is not an artefact", field=str(folder), remedy=REMEDY) from error


@lru_cache
def code_digest() -> str:
    """SHA-256 (hex) of the rooms that decide a row: code, prompts and fitted numbers."""
    content = hashlib.sha256()
    for room in _ROOMS:
        found = importlib.util.find_spec(f"gretel.{room}")
        for place in (found.submodule_search_locations or ()) if found else ():
            root = Path(place)
            for path in sorted(root.rglob("*")):
                if path.suffix in (".py", ".json", ".md"):
                    content.update(f"{room}/{path.relative_to(root)}\0".encode())
                    content.update(path.read_bytes())
    return content.hexdigest()


def check_same_run(out: Path, manifest: Manifest) -> None:
    """See that the rows in `out` belong to this very run; the limit may differ.

    Raises:
        InputError: they belong to another; says what differs.
    """
    differing = differences(read_manifest(out), manifest)
    if differing:
        problem = f"holds another run: other {', '.join(differing)}"
        raise InputError(problem, field=str(out), remedy="Give another --out")


def write_manifest(out: Path, manifest: Manifest) -> None:
    """Keep what the run is."""
    write_whole(out / _MANIFEST, manifest.model_dump_json(indent=2))


def read_manifest(run: Path) -> Manifest:
    """What a folder's run is.

    Raises:
        InputError: the folder holds no run.
    """
    try:
        return Manifest.model_validate(read_json(run / _MANIFEST))
    except (OSError, ValueError, RecursionError):
        remedy = "Give a folder that `gretel evaluate --out` wrote"
        raise InputError("is not a run", field=str(run), remedy=remedy) from None


def differences(one: Manifest, other: Manifest, *, size: bool = False) -> list[str]:
    """The names of what differs between two runs; `size`: how many requests they have, too."""
    skipped = set() if size else {"limit", "total"}
    left, right = ({**m.model_dump(), **m.model_dump()["settings"]} for m in (one, other))
    left |= {f"{name} digest": value for name, value in left.pop("digests").items()}
    right |= {f"{name} digest": value for name, value in right.pop("digests").items()}
    return sorted(
        name for name in left.keys() - skipped - {"settings"} if left[name] != right[name]
    )
