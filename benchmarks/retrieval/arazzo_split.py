"""Splits the arazzo collection by vendor, so that a model can be trained on a part of it.

    python benchmarks/retrieval/arazzo_split.py --data DIR/arazzo --out FOLDER [--seed 7]

FOLDER holds the same tools and requests, and judgements `train` (four of five vendors, drawn by
the seed) and `test`; judgements that stand twice are written once. No vendor is in both.
"""

import argparse
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from shared import write_qrels

TRAINED = 0.8


def split(data: Path, out: Path, seed: int) -> dict[str, int]:
    """Write the folder; how many judgements each part has."""
    lines = (data / "qrels" / "test.tsv").read_text(encoding="utf-8").splitlines()[1:]
    rows = list(dict.fromkeys(line for line in lines if line))
    vendors = sorted({vendor(row) for row in rows})
    random.Random(seed).shuffle(vendors)
    trained = set(vendors[: round(len(vendors) * TRAINED)])
    out.mkdir(parents=True, exist_ok=True)
    for name in ("corpus.jsonl", "queries.jsonl"):
        (out / name).write_bytes((data / name).read_bytes())
    parts = {
        "train": [row for row in rows if vendor(row) in trained],
        "test": [row for row in rows if vendor(row) not in trained],
    }
    for name, kept in parts.items():
        write_qrels(out, name, kept)
    return {name: len(kept) for name, kept in parts.items()}


def vendor(row: str) -> str:
    """The vendor of a judgement: its request is `arazzo:VENDOR~API:WORKFLOW`."""
    return row.partition("\t")[0].removeprefix("arazzo:").partition("~")[0].partition(":")[0]


def main() -> None:
    """Split what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    print(split(options.data, options.out, options.seed))
    print("command:", "python", *sys.argv)


if __name__ == "__main__":
    main()
