"""A run that is killed again and again, and the same run in one piece and in two shards.

    python benchmarks/robustness/kill.py --data DIR [--requests 200] [--kills 10] [--seed 7]
        [--index DIR]

`gretel evaluate` gets kill -9 at random moments and is started again; in the end its report digest
must be that of a run that nobody disturbed and of two merged shards, and no trial may stand twice.
Exits with 1 where that is not so, names the requests whose rows differ, and leaves the runs.
"""

import argparse
import json
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from gretel.evaluation.runs.folder import ROWS, TRIALS, read_metrics
from gretel.evaluation.runs.merge import merge_runs
from gretel.evaluation.runs.rows import read_rows, report_digest

PATIENCE_S = 1_800.0
"""For one start of the command."""


def started(options: argparse.Namespace, out: Path, *more: str) -> subprocess.Popen[bytes]:
    """The command, under way."""
    command = [
        *(sys.executable, "-m", "gretel", "evaluate", "--data", str(options.data)),
        *("--qrels", options.qrels, "--half", "dev", "--limit", str(options.requests)),
        *("--faults", "default", "--seed", "30", "--index", str(options.index)),
        *("--out", str(out), *more),
    ]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def whole(options: argparse.Namespace, out: Path, *more: str) -> None:
    """The command, to its end."""
    code = started(options, out, *more).wait(PATIENCE_S)
    if code:
        raise SystemExit(f"gretel evaluate ended with {code}")


def killed(options: argparse.Namespace, out: Path) -> None:
    """Start, kill at a random row, and so on; then let it end."""
    chance = random.Random(options.seed)
    rows = range(1, options.requests)
    for target in sorted(chance.sample(rows, min(options.kills, len(rows)))):
        process = started(options, out)
        while lines(out / ROWS) < target and process.poll() is None:
            time.sleep(0.01)
        # not at the moment of a row, but anywhere between two
        time.sleep(chance.uniform(0, 0.2))
        process.send_signal(signal.SIGKILL)
        code = process.wait()
        print(f"killed after {lines(out / ROWS)} rows ({code})", flush=True)
    whole(options, out)


def lines(path: Path) -> int:
    """Whole lines of a file that may not be there yet."""
    return path.read_bytes().count(b"\n") if path.exists() else 0


def keys(out: Path) -> Sequence[str]:
    """Of the trials that were made."""
    return [json.loads(line)["key"] for line in (out / TRIALS).read_text().splitlines()]


def digest(out: Path) -> str:
    """Of the report."""
    digests = read_metrics(out)["digests"]
    return str(digests["report"]) if isinstance(digests, dict) else ""


def differing(one: Path, other: Path) -> Sequence[str]:
    """Requests whose rows do not report the same."""
    left, right = read_rows(one / ROWS), read_rows(other / ROWS)
    return [
        request
        for request in sorted(left)
        if report_digest({request: left[request]}) != report_digest({request: right[request]})
    ]


def measure(options: argparse.Namespace, folder: Path) -> int:
    """Print the digests; 0 where all is well."""
    options.index = options.index or folder / "index"
    whole(options, folder / "whole")
    parts = [folder / "part1", folder / "part2"]
    for number, part in enumerate(parts, 1):
        whole(options, part, "--shard", f"{number}/2")
    merge_runs(parts, folder / "merged")
    killed(options, folder / "killed")
    found = {name: digest(folder / name) for name in ("whole", "merged", "killed")}
    for name, each in found.items():
        print(f"{name:8} {each}")
    for name in ("merged", "killed"):
        for request in differing(folder / "whole", folder / name):
            print(f"{name}: {request} differs")
    made = keys(folder / "killed")
    print(f"trials of the killed run: {len(made)}, of these twice: {len(made) - len(set(made))}")
    return int(len(set(found.values())) > 1 or len(made) > len(set(made)))


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of the data set")
    parser.add_argument("--qrels", default="test_solvable")
    parser.add_argument("--requests", type=int, default=200)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=7, help="of the moments")
    parser.add_argument("--index", type=Path, help="keep the embeddings in this folder")
    options = parser.parse_args()
    print("command: python", " ".join(sys.argv))
    folder = Path(tempfile.mkdtemp(prefix="gretel-kill-"))
    if measure(options, folder):
        print(f"the runs are in {folder}")
        raise SystemExit(1)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
