"""How the trainings of `generative.py` converge, drawn as SVG.

    python benchmarks/retrieval/convergence.py --work DIR --out FILE

`--work` is that of `generative.py`. Above: the likelihood of a token of held-out answers after each
epoch of the first stage. Below: what the reward of held-out requests gained on the start of the
second stage, after each of its rounds (nDCG@5 and R@5 of the fixed retriever). A line a training.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from matplotlib.figure import Figure

COLOURS = ("#1b6ca8", "#c2571a", "#3d7a3d")
DASHES = ("-", "--", ":", "-.")


class Training(NamedTuple):
    """What one training reached after each of its steps."""

    collection: str
    seed: int
    likelihood: list[float]
    reward: list[float]
    """The first is that of the start."""


def trainings(work: Path) -> Iterator[Training]:
    """Those of both stages that are done."""
    for place in sorted(work.glob("*-sft-align-*/manifest.json")):
        made = json.loads(place.read_text("utf-8"))["made"]
        yield Training(
            collection=place.parent.name.partition("-sft-align-")[0],
            seed=made["settings"]["seed"],
            likelihood=made["sft"]["likelihood"],
            reward=made["align"]["reward"],
        )


def draw(found: list[Training], path: Path) -> None:
    """Write the chart; a colour a collection, dashes by seed."""
    figure = Figure(figsize=(8, 7), layout="constrained")
    above, below = figure.subplots(2)
    names = sorted({each.collection for each in found})
    seeds = sorted({each.seed for each in found})
    for each in sorted(found, key=lambda one: (one.collection, one.seed)):
        colour = COLOURS[names.index(each.collection) % len(COLOURS)]
        dashes = DASHES[seeds.index(each.seed) % len(DASHES)]
        label = f"{each.collection}, seed {each.seed}"
        style = {"color": colour, "linestyle": dashes, "marker": "o", "markersize": 4}
        epochs = range(1, len(each.likelihood) + 1)
        above.plot(epochs, each.likelihood, label=label, **style)
        below.plot([value - each.reward[0] for value in each.reward], **style)
    above.set_xlabel("epochs of sft")
    above.set_ylabel("likelihood of a held-out token")
    above.set_ylim(bottom=0)
    below.set_xlabel("rounds of align")
    below.set_ylabel("held-out reward, gained")
    below.axhline(0, color="#888888", linewidth=0.8)
    for axes in (above, below):
        axes.locator_params(axis="x", integer=True)
    figure.legend(loc="outside lower center", ncols=3, frameon=False)
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    """Draw what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=Path, required=True, help="folder of `generative.py`")
    parser.add_argument("--out", type=Path, required=True, help="the SVG")
    options = parser.parse_args()
    found = [*trainings(options.work)]
    if not found:
        parser.error(f"no training of both stages is done in {options.work}")
    draw(found, options.out)


if __name__ == "__main__":
    main()
