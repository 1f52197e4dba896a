"""Links in folders of runs, artefacts and trainings: what is written stays in the folder."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest
import torch

from fakes import tool
from gretel.catalog import Catalog
from gretel.contracts.errors import ConfigurationError, GretelError, InputError
from gretel.datasets.judged import Dataset
from gretel.evaluation.calibration.run import Measuring
from gretel.evaluation.mock.faults import Faults, read_mix
from gretel.evaluation.runs.evaluate import Evaluation
from gretel.evaluation.runs.folder import METRICS, write_metrics, write_trec
from gretel.evaluation.runs.journal import Journal
from gretel.evaluation.runs.rows import Row, RowKey, read_rows
from gretel.evaluation.runs.settings import (
    Manifest,
    RunDigests,
    RunSettings,
    artifact_digest,
    read_manifest,
)
from gretel.evaluation.runs.trial_store import TrialStore
from gretel.training.resume import read_state, write_state

LINKS: dict[str, Callable[[str, str], None]] = {"symbolic": os.symlink, "hard": os.link}
MINE = b"my words, and no line end"


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    made = tmp_path / "victim"
    made.write_bytes(MINE)
    return made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "out"
    made.mkdir()
    return made


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("name", ["metrics.json", ".metrics.json"])
def test_a_run_is_not_written_elsewhere(name: str, link: str, folder: Path, victim: Path) -> None:
    LINKS[link](str(victim), str(folder / name))

    write_metrics(folder, {"n": 1})

    assert victim.read_bytes() == MINE
    assert not (folder / METRICS).is_symlink()


def evaluation() -> Evaluation:
    catalog = Catalog.from_tools([tool("A.find", "Find things.")])
    return Evaluation(
        Dataset("small", catalog, (), "digest", ()),
        RunSettings(retriever="semantic", pipelines=("retrieval",)),
    )


async def test_an_index_within_a_run_or_a_calibration_is_its_own(
    folder: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    measuring = Measuring(evaluation(), Mock())
    for name in ("index", "rules"):
        (folder / name).symlink_to(elsewhere)

    with pytest.raises(ConfigurationError, match="link"):
        evaluation()._composed(folder)
    with pytest.raises(ConfigurationError, match="link"):
        measuring._parts(folder)
    with pytest.raises(ConfigurationError, match="link"):
        await measuring._without_model(Mock(), folder)
    assert list(elsewhere.iterdir()) == []


@pytest.mark.parametrize("link", LINKS)
def test_a_journal_neither_cuts_nor_fills_another_file(
    link: str, folder: Path, victim: Path
) -> None:
    LINKS[link](str(victim), str(folder / "rows.jsonl"))

    with pytest.raises(InputError, match="rows.jsonl"), Journal(folder / "rows.jsonl") as journal:
        journal.append("{}")

    assert victim.read_bytes() == MINE


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["pipe", "folder"])
def test_a_journal_that_is_no_file_is_refused(make: Callable[[Path], None], folder: Path) -> None:
    make(folder / "rows.jsonl")

    with pytest.raises(InputError, match="rows.jsonl"):
        Journal(folder / "rows.jsonl")


def test_the_rankings_of_a_run_stay_in_it(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (folder / "runs").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(GretelError, match="is a link"):
        write_trec(folder, ["full"], {}, Catalog.from_tools([]))

    assert not [*(tmp_path / "elsewhere").iterdir()]


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["pipe", "folder"])
def test_a_run_that_says_nothing_is_none(make: Callable[[Path], None], folder: Path) -> None:
    make(folder / "run.json")

    with pytest.raises(InputError, match="is not a run"):
        read_manifest(folder)


@pytest.mark.parametrize("depth", [0, -5, 10**300])
def test_a_run_of_a_depth_that_is_none_is_none(depth: int, folder: Path) -> None:
    settings = RunSettings(pipelines=("retrieval",))
    digests = RunDigests(data="d", catalog="c", faults="f", code="x")
    made = Manifest(data="d", qrels="test", settings=settings, digests=digests, total=1)
    said = made.model_dump(mode="json")
    (folder / "run.json").write_text(json.dumps(said))
    assert read_manifest(folder) == made
    said["settings"]["depth"] = depth
    (folder / "run.json").write_text(json.dumps(said))

    with pytest.raises(InputError, match="is not a run"):
        read_manifest(folder)


def _endless(place: Path) -> None:
    place.symlink_to("/dev/zero")


NO_FILES: list[Callable[[Path], None]] = [os.mkfifo, os.mkdir, _endless]
READERS: dict[str, Callable[[Path], object]] = {
    "rows.jsonl": lambda folder: read_rows(folder / "rows.jsonl"),
    "manifest.json": artifact_digest,
    "mix.json": lambda folder: read_mix(str(folder / "mix.json")),
}


@pytest.mark.parametrize("make", NO_FILES, ids=["pipe", "folder", "endless"])
@pytest.mark.parametrize("name", READERS)
def test_what_is_no_file_is_not_read(name: str, make: Callable[[Path], None], folder: Path) -> None:
    make(folder / name)

    with pytest.raises(GretelError):
        READERS[name](folder)


@pytest.mark.parametrize("content", ["[" * 100_000, '{"a":' * 100_000, f"[{'{},' * 500_000}0]"])
def test_a_mix_of_faults_that_is_none_is_one_clear_error(content: str, folder: Path) -> None:
    (folder / "mix.json").write_text(content)

    with pytest.raises(GretelError, match=r"mix\.json"):
        read_mix(str(folder / "mix.json"))


LINES = [b"{", b"[]", b"5", b'{"key": 1}', b'{"key": "a", "outcome": 5}', b"[" * 9_000, b"\xff"]


@pytest.mark.parametrize("line", LINES, ids=range(len(LINES)))
def test_a_trial_that_is_none_is_the_folders_fault(line: bytes, folder: Path) -> None:
    (folder / "trials.jsonl").write_bytes(line + b"\n")

    with (
        Journal(folder / "trials.jsonl") as journal,
        pytest.raises(InputError, match="trials.jsonl:1"),
    ):
        TrialStore(journal, Catalog.from_tools([]), Faults({}, {}, seed=1, unit="tool"), code="")


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("name", ["first.safetensors", "first.part"])
def test_a_training_is_not_kept_elsewhere(name: str, link: str, folder: Path, victim: Path) -> None:
    LINKS[link](str(victim), str(folder / name))

    write_state(folder / "first.safetensors", {"a": torch.ones(2)}, "key")

    assert victim.read_bytes() == MINE
    assert read_state(folder / "first.safetensors", "key") is not None


def test_the_folder_of_a_training_is_its_own(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (folder / "training").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(GretelError, match="is a link"):
        write_state(folder / "training" / "first.safetensors", {"a": torch.ones(2)}, "key")

    assert not [*(tmp_path / "elsewhere").iterdir()]


@pytest.mark.parametrize("content", [b"", b"junk" * 9, (1 << 62).to_bytes(8, "little") + b"{}"])
def test_a_training_that_cannot_be_read_begins_again(content: bytes, folder: Path) -> None:
    (folder / "first.safetensors").write_bytes(content)

    assert read_state(folder / "first.safetensors", "key") is None


def test_a_training_that_is_a_hole_begins_again(folder: Path) -> None:
    path, size = folder / "first.safetensors", 1 << 38
    tensor = {"dtype": "F32", "shape": [size // 4], "data_offsets": [0, size]}
    head = json.dumps({"__metadata__": {"key": "key"}, "a": tensor}).encode()
    path.write_bytes(len(head).to_bytes(8, "little") + head)
    os.truncate(path, 8 + len(head) + size)

    assert read_state(path, "key") is None


@pytest.mark.parametrize("count", [-1, 0])
def test_a_row_whose_tool_is_judged_less_than_once(count: int, folder: Path) -> None:
    key = RowKey(config="c", catalog="k", seed=7)
    row = Row(request_id="q", key=key, status="answered", gold=("a",), functioning=("a",))
    said = row.model_dump(mode="json") | {"repeated": {"a": count}}
    (folder / "rows.jsonl").write_text(json.dumps(said) + "\n")

    with pytest.raises(InputError, match="is not a row"):
        read_rows(folder / "rows.jsonl")
