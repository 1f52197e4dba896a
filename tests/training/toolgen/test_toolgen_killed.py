"""A training whose process is killed, again and again, and started anew by the same words."""

import subprocess
import sys
from pathlib import Path

import pytest

from gretel.training.masstool.data import read_examples
from gretel.training.toolgen.settings import Settings, Source
from gretel.training.toolgen.train import train
from masstool_data import Written
from toolgen_models import quietly, tiny

PROCESS = """
import sys
from pathlib import Path
from gretel.training.masstool.data import read_examples
from gretel.training.toolgen.settings import Settings, Source
from gretel.training.toolgen.train import train

data, base, out, settings = sys.argv[1:]
train(
    read_examples(Path(data)),
    Settings.model_validate_json(settings),
    Source(base),
    Path(out),
    lambda done, total, what: print(done, total, what, flush=True),
)
"""
SETTINGS = Settings(memorize_epochs=1, epochs=2, batch=16, micro=8, keep=2, tuned=0.5)


def killed(written: Written, out: Path, after: int) -> list[str]:
    """What a training told until it was killed, which it was after so many lines."""
    words = [str(written.folder), str(tiny()), str(out), SETTINGS.model_dump_json()]
    lines: list[str] = []
    with subprocess.Popen(
        [sys.executable, "-c", PROCESS, *words], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line)
            if len(lines) == after:
                process.kill()
    return lines


@pytest.mark.slow
def test_a_training_that_was_killed_goes_on_and_ends_in_the_same_artefact(
    written: Written, tmp_path: Path
) -> None:
    examples, source = read_examples(written.folder), Source(str(tiny()))
    whole = train(examples, SETTINGS, source, tmp_path / "whole", quietly)
    told = [killed(written, tmp_path / "art", after) for after in (3, 9)]
    steps = [[int(line.split()[0]) for line in lines] for lines in told]
    again = train(examples, SETTINGS, source, tmp_path / "art", quietly)

    assert steps[1][0] > steps[0][0], "it went on further"
    assert not (tmp_path / "art" / "training").exists()
    assert again.digest == whole.digest
