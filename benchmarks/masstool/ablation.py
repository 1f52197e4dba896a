"""What each part of MassTool gives, beside baselines, over three seeds.

    python benchmarks/masstool/ablation.py --data DIR/toollens --out FOLDER
        [--no-tool DIR/tooldet/negatives.jsonl] [--qrels train]
        [--preset top-layers] [--encoder NAME] [--device cpu] [--seed 7] [--seeds 3]

It is measured on the development part, never on test: whoever looks at forty variants on test has
chosen by it. Each seed draws a development part of its own. Every finished row stays in FOLDER, so
that an ablation cut short goes on; `table.md` has the means, `sensitivity.html` the curves.

A part left out is left out of training and model alone. The released code of the paper does it
otherwise: its "w/o AdaKT" takes the whole detection task away with the transfer. Here that is
`without detection` and `without transfer` apart. Each λ, the weight of the detection loss, is a
training of its own. ε, the threshold of the filter, is set after training, as in training itself:
one model is read with different thresholds.
"""

import argparse
import json
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, NamedTuple, get_args

import torch
from sklearn.metrics import roc_auc_score
from torch import Tensor
from torch.nn.functional import normalize

from gretel.catalog.retrieval_text import retrieval_text
from gretel.evaluation.report.charts import LineChart, Point, Series, line_chart
from gretel.evaluation.report.page import write_chart_page
from gretel.nodes.retrieve.masstool.backbone import Backbone
from gretel.nodes.retrieve.masstool.config import COMPONENTS, Preset, Transfer
from gretel.nodes.retrieve.masstool.model import MassTool
from gretel.nodes.retrieve.masstool.pool import Pool, spread
from gretel.nodes.retrieve.masstool.reader import Reader
from gretel.nodes.retrieve.semantic.sparse import SparseIndex, sparse_text
from gretel.training.masstool.data import Examples, read_examples
from gretel.training.masstool.first import FirstSettings
from gretel.training.masstool.measures import MEASURES, ranking_measures, vote
from gretel.training.masstool.second import SecondSettings
from gretel.training.masstool.train import (
    VOTERS,
    Encoded,
    Settings,
    encoder_digest,
    first_stage,
    second_stage,
    take_threads,
    with_threshold,
)
from gretel.training.resume import key_of

AUROC = "AUROC"
"""Of the need for a tool; there is none without no-tool requests or without detection."""
ALONE = "share without neighbours"
"""Requests that have no neighbour above ε."""
WEIGHTS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""λ; the paper takes .02 to .1. 0 is MassTool without detection."""
THRESHOLDS = (0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98)
"""ε, cosines; the paper takes .81 to .87 with encoders of its own."""
SPREAD = "Mean ± standard deviation (of the sample) over the seeds, in percent."
OVER = {"λ": "λ, weight of the detection loss", "ε": "ε, threshold of the filter (cosine)"}
"""Axes of the curves; rows of these groups stand in no table."""

Row = Mapping[str, Any]
"""What a variant reached with one seed: key, seed, group, name, at, requests, measures."""


def quiet(done: int, total: int, what: str) -> None:
    """Progress within a row is not shown."""


@dataclass
class Prepared:
    """Examples of one seed with their vectors; models are trained on them as they are asked for."""

    examples: Examples
    encoded: Encoded
    raw: Tensor
    """The training requests by the encoder as it came."""
    raw_dev: Tensor
    last: tuple[Settings, MassTool] | None = None

    @property
    def pool(self) -> Pool:
        """The training requests by the tuned encoder."""
        return Pool(self.encoded.train.final, self.examples.train.gold)

    def model(self, settings: Settings) -> MassTool:
        """The second stage with these settings; asked again for the last one, it is at hand."""
        if self.last is None or self.last[0] != settings:
            self.last = settings, second_stage(self.examples, self.encoded, settings, quiet)
        return self.last[1]

    def ranked(self, scores: Tensor) -> dict[str, float]:
        """Means of `MEASURES` over the development part, of (requests, tools) scores."""
        return ranking_measures(scores, self.examples.dev.gold)


def prepare(examples: Examples, settings: Settings, folder: Path) -> Prepared:
    """Both stages' vectors; a first stage that was finished in `folder` is not tuned again."""
    _, encoded = first_stage(examples, settings, folder / f"seed-{settings.first.seed}", quiet)
    untuned = Backbone(settings.encoder, device=settings.device)
    take_threads()
    raw, raw_dev = (untuned.encode(each.texts).final for each in (examples.train, examples.dev))
    return Prepared(examples, encoded, raw, raw_dev)


def bm25(of: Prepared) -> Tensor:
    """Words of the request in the tools' texts (Robertson and Zaragoza, 2009)."""
    index = SparseIndex([sparse_text(tool, retrieval_text(tool)) for tool in of.examples.tools])
    asked = of.examples.dev.texts
    return torch.stack([torch.from_numpy(index.scores(text).scores) for text in asked])


def tool2vec(of: Prepared) -> Tensor:
    """A tool is the mean of its training requests (Moon et al., 2024, arXiv 2409.02141)."""
    served = spread(*of.pool.served(), len(of.examples.tools)) > 0
    return of.raw_dev @ normalize(served.T.float() @ of.raw, dim=-1).T


def knn_vote(of: Prepared, pool: Pool, asked: Tensor) -> Tensor:
    """Tools of the nearest training requests, as the first stage measures itself."""
    found = pool.nearest(asked, VOTERS)
    likeness = found.similarity / FirstSettings().temperature
    return vote(found.places, likeness, pool.served(), len(of.examples.tools))


BASELINES: Mapping[str, Callable[[Prepared], Tensor]] = {
    "BM25": bm25,
    "raw encoder": lambda of: of.raw_dev @ of.encoded.texts.T,
    "Tool2Vec": tool2vec,
    "kNN vote, raw encoder": lambda of: knn_vote(
        of, Pool(of.raw, of.examples.train.gold), of.raw_dev
    ),
    "kNN vote, tuned encoder": lambda of: knn_vote(of, of.pool, of.encoded.dev.final),
}
"""(requests, tools) scores of the development part without the second stage, by name."""


class Variant(NamedTuple):
    """A row to be."""

    group: str
    """What it changes: nothing of MassTool's (baseline), nothing at all (masstool), a part
    (without), the transfer, the weight of the detection loss (λ), the threshold (ε)."""
    name: str
    measure: Callable[[Prepared], dict[str, float]]
    at: float | None = None
    """The value of λ or ε."""


def variants(settings: Settings, *, detects: bool) -> list[Variant]:
    """Every row of one seed, in the order of the table; what shares a model stands together."""
    parts = [part for part in COMPONENTS if detects or part != "detection"]
    transfers = [each for each in get_args(Transfer) if each != settings.transfer]
    return [
        *(
            Variant("baseline", name, lambda of, score=score: of.ranked(score(of)))
            for name, score in BASELINES.items()
        ),
        Variant("masstool", "MassTool", trained(settings)),
        *(Variant("ε", f"ε = {at:g}", filtered(settings, at), at) for at in THRESHOLDS),
        *(
            Variant("without", f"without {part}", trained(settings._replace(without=(part,))))
            for part in parts
        ),
        *(
            Variant("transfer", f"transfer: {name}", trained(settings._replace(transfer=name)))
            for name in transfers
        ),
        *(
            Variant("λ", f"λ = {at:g}", trained(weighed(settings, at)), at)
            for at in (WEIGHTS if detects else ())
            if at != settings.second.detection
        ),
    ]


def weighed(settings: Settings, weight: float) -> Settings:
    """The same with another λ."""
    return settings._replace(second=settings.second.model_copy(update={"detection": weight}))


def trained(settings: Settings) -> Callable[[Prepared], dict[str, float]]:
    """Measures of a model that is trained with these settings."""

    def measure(of: Prepared) -> dict[str, float]:
        model = of.model(settings)
        reader = Reader(model, of.pool, of.encoded.texts)
        read = reader.read(of.encoded.dev)
        measures = of.ranked(read.shares)
        if model.shape.has("detection") and of.examples.no_tool_dev:
            no_tool = reader.read(of.encoded.no_tool_dev).need
            labels = [True] * len(read.need) + [False] * len(no_tool)
            measures[AUROC] = float(roc_auc_score(labels, torch.cat([read.need, no_tool])))
        return measures

    return measure


def filtered(settings: Settings, threshold: float) -> Callable[[Prepared], dict[str, float]]:
    """Measures of the whole model, read with this ε."""

    def measure(of: Prepared) -> dict[str, float]:
        model = with_threshold(of.model(settings), threshold)
        read = Reader(model, of.pool, of.encoded.texts).read(of.encoded.dev)
        return of.ranked(read.shares) | {ALONE: (read.nearest <= threshold).float().mean().item()}

    return measure


def ablate(
    read: Callable[[int], Examples], settings: Settings, folder: Path, seeds: int
) -> list[Row]:
    """All rows, seed after seed, in table order; those in `folder` are not made again.

    Args:
        read: the examples of a seed.
        settings: of the whole model; its seed is the first.
        folder: rows of the same data and settings are taken from there.
        seeds: how many.
    """
    path = folder / "rows.jsonl"
    lines = path.read_text("utf-8").splitlines() if path.is_file() else []
    rows = {(row["key"], row["seed"], row["name"]): row for row in map(json.loads, lines)}
    found: list[Row] = []
    for seed in range(settings.first.seed, settings.first.seed + seeds):
        examples, own = read(seed), seeded(settings, seed)
        key, of = key_for(examples, settings), None
        for variant in variants(own, detects=bool(examples.no_tool)):
            if (key, seed, variant.name) not in rows:
                of = of or prepare(examples, own, folder)
                row = {"key": key, "seed": seed, "group": variant.group, "name": variant.name}
                row |= {"at": variant.at, "requests": len(examples.dev.texts)}
                row |= {"measures": variant.measure(of)}
                with path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(row, ensure_ascii=False) + "\n")
                rows[key, seed, variant.name] = row
                print(f"seed {seed}, {variant.name}", file=sys.stderr)
            found.append(rows[key, seed, variant.name])
    return found


def seeded(settings: Settings, seed: int) -> Settings:
    """The same with another seed in both stages."""
    return settings._replace(
        first=settings.first.model_copy(update={"seed": seed}),
        second=settings.second.model_copy(update={"seed": seed}),
    )


def key_for(examples: Examples, settings: Settings) -> str:
    """Digest of data and settings; seed and device may change."""
    plain = seeded(settings, 0)
    stages = plain.first.model_dump(mode="json"), plain.second.model_dump(mode="json")
    return key_of(examples.digest, encoder_digest(plain.encoder), plain.transfer, *stages)


def table(rows: Sequence[Row]) -> dict[str, dict[str, str]]:
    """By variant, those of the curves left out, and measure: `mean ± sd` in percent, or a dash."""
    by_name: dict[str, list[Row]] = {}
    for row in rows:
        if row["group"] not in OVER:
            by_name.setdefault(row["name"], []).append(row)
    measures = [*MEASURES, *([AUROC] if any(AUROC in row["measures"] for row in rows) else [])]
    return {
        name: {measure: cell(found, measure) for measure in measures}
        for name, found in by_name.items()
    }


def cell(rows: Sequence[Row], measure: str) -> str:
    """One measure over the seeds."""
    found = [100 * row["measures"][measure] for row in rows if measure in row["measures"]]
    if len(found) < len(rows):
        return "–"
    return f"{fmean(found):.2f} ± {stdev(found) if len(found) > 1 else 0.0:.2f}"


def caption(rows: Sequence[Row]) -> str:
    """What the figures are of."""
    seeds = sorted({row["seed"] for row in rows})
    return (
        f"Development part, never test: {rows[0]['requests']} requests, which each of the seeds "
        f"{', '.join(map(str, seeds))} draws anew from the judgements to learn from. The same part "
        "ends the first stage and sets the filter, which flatters every row but the untrained "
        "ones a little."
    )


def markdown(lines: Mapping[str, Mapping[str, str]], text: str, made: Mapping[str, str]) -> str:
    """The table, what it is of, and how it was made."""
    columns = next(iter(lines.values()))
    head = f"| variant | {' | '.join(columns)} |\n|---|{'---:|' * len(columns)}\n"
    body = "".join(f"| {name} | {' | '.join(cells.values())} |\n" for name, cells in lines.items())
    origin = "".join(f"- {name}: `{value}`\n" for name, value in made.items())
    return f"# MassTool, part by part\n\n{text}\n\n{head}{body}\n{origin}"


def curves(rows: Sequence[Row], usual: float) -> list[LineChart]:
    """All that there is to draw; `usual` is the λ of the row MassTool."""
    weights = [row for row in rows if row["group"] == "λ"]
    if weights:
        weights += [{**row, "at": usual} for row in rows if row["group"] == "masstool"]
    thresholds = [row for row in rows if row["group"] == "ε"]
    drawn = [
        *(curve(weights, name, "λ") for name in ("R@3", "Completeness@3", AUROC)),
        *(curve(thresholds, name, "ε") for name in ("R@3", "Completeness@3", ALONE)),
    ]
    return [chart for chart in drawn if chart]


def curve(rows: Sequence[Row], measure: str, over: str) -> LineChart | None:
    """One measure of each seed, and their mean, where all seeds have a value."""
    lines: dict[str, dict[float, float]] = {}
    for row in rows:
        if measure in row["measures"]:
            lines.setdefault(f"seed {row['seed']}", {})[row["at"]] = row["measures"][measure]
    if not lines:
        return None
    shared = sorted(set.intersection(*map(set, lines.values())))
    lines["mean"] = {at: fmean(line[at] for line in lines.values()) for at in shared}
    series = [
        Series(name, tuple(Point(at, line[at]) for at in shared)) for name, line in lines.items()
    ]
    return line_chart(f"{measure} over {over}", series, x_label=OVER[over], y_label=measure)


def main() -> None:
    """Run or finish the ablation; print its table, and write table and charts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--no-tool", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--qrels", default="train")
    parser.add_argument("--preset", choices=get_args(Preset), default="top-layers")
    parser.add_argument("--encoder")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)

    def read(seed: int) -> Examples:
        return read_examples(options.data, qrels=options.qrels, no_tool=options.no_tool, seed=seed)

    settings = Settings(
        first=FirstSettings(preset=options.preset, seed=options.seed),
        second=SecondSettings(seed=options.seed),
        encoder=options.encoder,
        device=options.device,
    )
    rows = ablate(read, settings, options.out, options.seeds)
    made = {
        "command": shlex.join(["python", *sys.argv]),
        "data digest": read(options.seed).digest,
        "encoder": options.encoder or "of the install",
        "preset": options.preset,
    }
    text = markdown(table(rows), f"{caption(rows)} {SPREAD}", made)
    (options.out / "table.md").write_text(text, encoding="utf-8")
    write_chart_page(
        curves(rows, settings.second.detection),
        options.out / "sensitivity.html",
        title="MassTool over λ and ε",
        text=f"{caption(rows)} Each λ is a training of its own; one model is read with each ε.",
        made=made,
    )
    print(text)


if __name__ == "__main__":
    main()
