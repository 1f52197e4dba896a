"""From files to an artefact: what is learnt from, what is not, and what is said of it."""

import hashlib
import json
import shutil
from pathlib import Path

import pytest
import torch

from fakes import tool
from gretel.contracts.errors import ConfigurationError, InputError
from gretel.nodes.retrieve.artifact.store import grow
from gretel.nodes.retrieve.masstool.artifact import Artifact, read_artifact
from gretel.nodes.retrieve.masstool.backbone import Backbone
from gretel.nodes.retrieve.masstool.reader import Opened
from gretel.training.masstool import train as training
from gretel.training.masstool.data import Examples, read_examples
from gretel.training.masstool.first import FirstSettings
from gretel.training.masstool.measures import ranking_measures
from gretel.training.masstool.second import SecondSettings
from gretel.training.masstool.train import Settings, train
from masstool_data import Written, write_data

pytestmark = pytest.mark.slow

SETTINGS = Settings(first=FirstSettings(preset="none"), second=SecondSettings(batch=64, epochs=8))


class Told:
    """Whether anything was done."""

    def __init__(self) -> None:
        self.steps = 0

    def __call__(self, done: int, total: int, what: str) -> None:
        self.steps += 1


@pytest.fixture(scope="module")
def examples(written: Written) -> Examples:
    return read_examples(written.folder, no_tool=written.no_tool)


@pytest.fixture(scope="module")
def trained(examples: Examples, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = Path(tmp_path_factory.mktemp("trained") / "art")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMP_NUM_THREADS", "1")
        train(examples, SETTINGS, out, Told())
    return out


@pytest.fixture(scope="module")
def artifact(trained: Path) -> Artifact:
    return read_artifact(trained)


@pytest.fixture(scope="module")
def short(tiny: Path) -> Settings:
    """A training that teaches little and takes little."""
    second = SecondSettings(batch=64, epochs=1)
    return Settings(first=FirstSettings(preset="none"), second=second, encoder=str(tiny))


@pytest.fixture(scope="module")
def little(
    examples: Examples, short: Settings, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Artifact]:
    """What `short` makes, and where it lies."""
    out = Path(tmp_path_factory.mktemp("little") / "art")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMP_NUM_THREADS", "1")
        train(examples, short, out, Told())
    return out, read_artifact(out)


def copy(written: Written, folder: Path) -> Path:
    return Path(shutil.copytree(written.folder, folder / "data"))


def test_the_data_of_our_own_is_the_same_for_the_same_seed(
    written: Written, tmp_path: Path
) -> None:
    again, other = write_data(tmp_path / "again"), write_data(tmp_path / "other", seed=8)
    name = "queries.jsonl"

    assert (again.folder / name).read_bytes() == (written.folder / name).read_bytes()
    assert (other.folder / name).read_bytes() != (written.folder / name).read_bytes()


def test_a_tenth_of_the_judged_requests_is_held_out(examples: Examples) -> None:
    assert (len(examples.train.texts), len(examples.dev.texts)) == (173, 19)
    assert len(examples.tools) == 24
    assert [tool.tool_id for tool in examples.tools] == sorted(t.tool_id for t in examples.tools)


def test_the_seed_draws_what_is_held_out(examples: Examples, written: Written) -> None:
    again = read_examples(written.folder, no_tool=written.no_tool)
    other = read_examples(written.folder, no_tool=written.no_tool, seed=8)

    assert (again.dev, again.no_tool, again.digest) == (
        examples.dev,
        examples.no_tool,
        examples.digest,
    )
    assert other.dev != examples.dev


def test_no_other_judgements_are_read(examples: Examples, written: Written, tmp_path: Path) -> None:
    folder = copy(written, tmp_path)
    (folder / "qrels" / "test.tsv").unlink()

    assert read_examples(folder, no_tool=written.no_tool).train == examples.train


def test_no_tool_requests_with_an_odd_hash_are_left_for_measuring(
    examples: Examples, written: Written
) -> None:
    rows = [json.loads(line) for line in written.no_tool.read_text().splitlines()]
    even = [row["query"] for row in rows if hashlib.sha256(row["id"].encode()).digest()[0] % 2 == 0]

    assert sorted(examples.no_tool + examples.no_tool_dev) == sorted(even)
    assert examples.no_tool_dev


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("qrels/train.tsv", None, "no such judgements"),
        ("queries.jsonl", None, "is not a file"),
        ("corpus.jsonl", None, "is not a file"),
        ("qrels/train.tsv", "query-id\tcorpus-id\tscore\n", "only 0 requests name a tool"),
        ("qrels/train.tsv", "a\tb\nc\td\n", "train.tsv:1: is not qrels"),
        (
            "qrels/train.tsv",
            "query-id\tcorpus-id\tscore\nr0\tx\thigh\n",
            "tsv:2: is not a judgement",
        ),
        ("queries.jsonl", '{"_id": "a", "text": "b"}\n{', "queries.jsonl:2: is not JSON"),
        ("queries.jsonl", '{"_id": "a"}\n', "with _id and text"),
        ("no_tool.jsonl", '["a"]\n', "with query"),
    ],
)
def test_data_that_cannot_be_used_is_told(
    written: Written, tmp_path: Path, name: str, text: str | None, said: str
) -> None:
    folder = copy(written, tmp_path)
    if text is None:
        (folder / name).unlink()
    else:
        (folder / name).write_text(text)

    with pytest.raises(InputError, match=said):
        read_examples(folder, no_tool=folder / "no_tool.jsonl")


def test_the_development_part_measures_and_then_joins_the_pool(
    artifact: Artifact, examples: Examples
) -> None:
    reached = artifact.manifest.made["dev"]

    assert reached["R@3"] >= 0.9
    assert artifact.pool.gold == examples.train.gold + examples.dev.gold
    assert artifact.manifest.made["data"] == examples.digest


def test_requests_of_the_test_part_are_served(artifact: Artifact, written: Written) -> None:
    asked = read_examples(written.folder, qrels="test")
    texts, gold = asked.train.texts + asked.dev.texts, asked.train.gold + asked.dev.gold
    opened = Opened.of(artifact)
    read = opened.reader.read(opened.backbone.encode(texts))

    assert ranking_measures(read.shares, gold)["R@3"] >= 0.9


def test_a_tool_that_serves_is_likelier_than_one_that_does_not(
    artifact: Artifact, examples: Examples
) -> None:
    opened = Opened.of(artifact)
    odds = opened.reader.read(opened.backbone.encode(examples.dev.texts)).shares
    chances = torch.sigmoid(opened.calibration.slope * odds + opened.calibration.offset)
    own = torch.stack(
        [chances[row, list(gold)].mean() for row, gold in enumerate(examples.dev.gold)]
    )

    assert own.mean() > 0.5 > chances.mean() * 2


def test_a_no_tool_request_needs_none(artifact: Artifact, examples: Examples) -> None:
    opened, calibration = Opened.of(artifact), artifact.manifest.calibration
    assert calibration.detects

    def need(texts: tuple[str, ...]) -> float:
        odds = opened.reader.read(opened.backbone.encode(texts)).need
        return torch.sigmoid(calibration.need_slope * odds + calibration.need_offset).mean().item()

    assert need(examples.dev.texts) > 0.5 > need(examples.no_tool_dev)


def test_a_finished_artefact_is_left_as_it_is(trained: Path, examples: Examples) -> None:
    told, before = Told(), (trained / "manifest.json").stat().st_mtime_ns
    manifest = train(examples, SETTINGS, trained, told)

    assert told.steps == 0
    assert manifest == read_artifact(trained).manifest
    assert (trained / "manifest.json").stat().st_mtime_ns == before
    assert {path.name for path in trained.iterdir()} == {*manifest.files, "manifest.json"}


@pytest.fixture
def copied(little: tuple[Path, Artifact], tmp_path: Path) -> Path:
    return Path(shutil.copytree(little[0], tmp_path / "art"))


def test_a_broken_artefact_is_trained_anew(
    copied: Path, little: tuple[Path, Artifact], short: Settings, examples: Examples
) -> None:
    (copied / "pool.npz").write_bytes(b"broken")
    told = Told()

    assert train(examples, short, copied, told) == little[1].manifest
    assert told.steps > 0
    assert torch.equal(read_artifact(copied).texts, little[1].texts)


def test_an_artefact_that_grew_is_trained_anew(
    copied: Path, little: tuple[Path, Artifact], short: Settings, examples: Examples
) -> None:
    grow(copied, [tool("New.one", "Something else.")])

    assert train(examples, short, copied, Told()).tools == little[1].manifest.tools


def test_another_encoder_of_the_same_name_trains_anew(
    copied: Path,
    little: tuple[Path, Artifact],
    short: Settings,
    examples: Examples,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(training, "encoder_digest", lambda name: "of other weights")

    manifest = train(examples, short, copied, Told())

    assert manifest.made["key"] != little[1].manifest.made["key"]


def test_a_folder_that_cannot_be_made_is_told_before_anything_is_done(
    examples: Examples, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    told = Told()

    with pytest.raises(ConfigurationError, match="cannot be made"):
        train(examples, SETTINGS, tmp_path / "file", told)
    assert told.steps == 0


def test_other_settings_train_anew_and_parts_left_out_are_said(
    copied: Path, little: tuple[Path, Artifact], short: Settings, examples: Examples
) -> None:
    settings = short._replace(without=("filter", "detection"), transfer="add")
    manifest = train(examples, settings, copied, Told())

    assert manifest.made["key"] != little[1].manifest.made["key"]
    assert manifest.shape.without == ("detection", "filter")
    assert (manifest.shape.transfer, manifest.shape.threshold) == ("add", -1.0)
    assert not manifest.calibration.detects


def test_without_no_tool_requests_no_need_is_detected(
    written: Written, short: Settings, tmp_path: Path
) -> None:
    examples = read_examples(written.folder)
    manifest = train(examples, short, tmp_path / "art", Told())

    assert (examples.no_tool, examples.no_tool_dev) == ((), ())
    assert not manifest.calibration.detects


def test_the_artefact_is_bound_to_the_encoder_as_it_came(artifact: Artifact) -> None:
    assert artifact.manifest.encoder_digest == Backbone().weights.digest
    assert artifact.encoder == {}
