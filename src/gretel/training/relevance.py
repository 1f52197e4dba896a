"""Fits what tells irrelevant answers: `python -m gretel.training.relevance --data DIR --seed 7`.

Reads real documents alone: `openapi` (answers: its response examples) and the dev half of
`toolbench_g1` (answers: its recorded templates). A tool's own answer is relevant, one of a tool of
another toolkit is not. Each tool is seen with what it promises, which for OpenAPI is the schema
beside the example, and without, in a catalogue of which half promises nothing. Bare messages are no
examples of an answer that nobody documents: most are recorded errors.

The threshold of documented tools is set on toolkits that were left out of the fit, for a share of
false alarms, on OpenAPI alone, whose examples and schemas were written apart. For the others it is
the log-odds of all samples: what is beyond it is the logarithm of a likelihood ratio. Writes
`background.json` and `relevance.json`.
"""

import argparse
import hashlib
import json
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gretel.catalog import Catalog
from gretel.catalog.answer_match import FEATURES, WORDS, AnswerMatch
from gretel.catalog.field_names import (
    answer_names,
    is_message,
    name_words,
    promised_names,
    shows_error,
)
from gretel.catalog.vocabulary import Vocabulary
from gretel.contracts.errors import CatalogError
from gretel.contracts.record import JsonValue
from gretel.contracts.tool import Response, Tool, ToolId
from gretel.datasets.halves import half_of
from gretel.datasets.reading import read_lines
from gretel.training.listwise import Array, made

PACKAGE = Path(__file__).parent.parent
BACKGROUND = "catalog/background.json"
WEIGHTS = "sandbox/answers/relevance.json"
FALSE_ALARMS = 0.01
"""Share of relevant answers that may be taken for irrelevant."""
PER_TOOLKIT = 15
"""Answers of one toolkit that take part: large ones repeat themselves."""
WRONG = 2
"""Answers of other toolkits that each tool is shown."""
LARGEST = 3_000_000
"""Bytes of an OpenAPI document that is read."""
FEWEST = 5
"""Toolkits that use a word of the background."""
FOLDS = 5
STRENGTH = 0.3
"""Inverse of the penalty on squared weights of standardised features."""


Shares: TypeAlias = dict[str, float]
"""Word → share of toolkits, see `word_shares`."""


class Sample(NamedTuple):
    """An answer held against a tool."""

    source: str
    toolkit: str
    match: AnswerMatch
    is_irrelevant: bool


def main() -> None:
    """Read, count, fit, write."""
    options = parse()
    collections = {
        "openapi": openapi_tools(options.data / "openapi"),
        "toolbench_g1": toolbench_tools(options.data / "toolbench_g1" / "corpus.jsonl"),
    }
    origin: dict[str, object] = {
        "tools": {name: len(tools) for name, tools in collections.items()},
        **made("relevance", digest(options.data), options.seed),
    }
    background = word_shares([tool for tools in collections.values() for tool in tools])
    rng = Random(options.seed)
    samples = [
        sample
        for drawn in (documented_samples, undocumented_samples)
        for name, tools in collections.items()
        for sample in drawn(name, tools, background, rng)
    ]
    fitted: dict[str, object] = {
        kind: fit([s for s in samples if s.match.is_documented == documented], documented)
        for kind, documented in (("documented", True), ("undocumented", False))
    }
    for name, content in ((BACKGROUND, {"shares": background}), (WEIGHTS, fitted)):
        text = json.dumps(content | origin, indent=1) + "\n"
        (options.root / name).write_text(text, encoding="utf-8")
    sys.stdout.write(json.dumps(fitted, indent=2) + "\n")


def openapi_tools(folder: Path) -> list[Tool]:
    """The operations of all documents that can be read, each id once."""
    tools: dict[ToolId, Tool] = {}
    for _, row in read_lines(folder / "index.jsonl"):
        document = folder / str(row["file"])
        if document.stat().st_size > LARGEST:
            continue
        try:
            for tool in Catalog.from_openapi(document):
                tools.setdefault(tool.tool_id, tool)
        except CatalogError:
            continue  # the folder holds broken documents on purpose
    return list(tools.values())


def toolbench_tools(path: Path) -> list[Tool]:
    """The tools of the dev half."""
    tools = Catalog.from_jsonl(path)
    return [tool for tool in tools if half_of(tool.toolkit) == "dev"]


def word_shares(tools: Iterable[Tool]) -> Shares:
    """Word → share of the toolkits that promise answers whose field names use it."""
    used: dict[str, set[str]] = defaultdict(set)
    for tool in tools:
        names = promised_names(tool.response).fields
        used[tool.toolkit].update(word for name in names for word in name_words(name))
    documented = [words for words in used.values() if words]
    counts = Counter(word for words in documented for word in words)
    return {
        word: round(count / len(documented), 4)
        for word, count in sorted(counts.items())
        if count >= FEWEST
    }


def documented_samples(
    source: str, tools: Sequence[Tool], background: Shares, rng: Random
) -> Iterator[Sample]:
    """Every answer against its own tool, and against `WRONG` others, where these promise some."""
    answered = few_a_toolkit([t for t in tools if is_answer(t.response.example)], rng)
    yield from _samples(source, tools, answered, frozenset(), background, rng)


def undocumented_samples(
    source: str, tools: Sequence[Tool], background: Shares, rng: Random
) -> Iterator[Sample]:
    """The same where one half of the tools promises nothing, and where the other does."""
    telling = [
        t for t in tools if is_answer(t.response.example) and not is_message(t.response.example)
    ]
    answered = few_a_toolkit(telling, rng)
    half = {tool.tool_id for tool in tools if rng.random() < 0.5}
    for hidden in (half, {tool.tool_id for tool in tools} - half):
        yield from _samples(source, tools, answered, hidden, background, rng)


def _samples(
    source: str,
    tools: Sequence[Tool],
    answered: Sequence[Tool],
    hidden: AbstractSet[ToolId],
    background: Shares,
    rng: Random,
) -> Iterator[Sample]:
    """Of the tools in `hidden`, which then promise nothing; of all others where it is empty."""
    shown = {t.tool_id: without_example(t, hide=t.tool_id in hidden) for t in tools}
    vocabulary = Vocabulary(shown.values(), background)
    for tool in answered:
        for other in (tool, *(rng.choice(answered) for _ in range(WRONG))):
            found = vocabulary.match(shown[tool.tool_id], other.response.example)
            own = other.tool_id == tool.tool_id
            if found is None or found.is_documented == bool(hidden):
                continue
            if own or other.toolkit != tool.toolkit:
                yield Sample(source, tool.toolkit, found, is_irrelevant=not own)


def is_answer(example: JsonValue) -> bool:
    """Whether an example has fields and is no error."""
    return bool(answer_names(example).fields) and not shows_error(example)


def few_a_toolkit(tools: Iterable[Tool], rng: Random) -> list[Tool]:
    """At most `PER_TOOLKIT` tools of each toolkit, drawn."""
    by_toolkit: dict[str, list[Tool]] = defaultdict(list)
    for tool in tools:
        by_toolkit[tool.toolkit].append(tool)
    return [
        tool
        for group in by_toolkit.values()
        for tool in (rng.sample(group, PER_TOOLKIT) if len(group) > PER_TOOLKIT else group)
    ]


def without_example(tool: Tool, *, hide: bool) -> Tool:
    """`tool` promising nothing, or by its schema alone where it has one."""
    response = tool.response
    if hide:
        response = Response()
    elif response.json_schema:
        response = response.model_copy(update={"example": None})
    return tool.model_copy(update={"response": response})


def fit(samples: Sequence[Sample], documented: bool) -> dict[str, object]:
    """Weights of the raw features, and the threshold, of documented tools on toolkits left out."""
    values = np.array([s.match.features() if documented else s.match.words() for s in samples])
    wrong = np.array([sample.is_irrelevant for sample in samples])
    held_out = left_out_odds(values, wrong, [sample.toolkit for sample in samples])
    judged = np.array([s.source == "openapi" for s in samples])
    threshold = float(np.quantile(held_out[~wrong & judged], 1 - FALSE_ALARMS))
    if not documented:
        threshold = math.log(wrong.mean() / (1 - wrong.mean()))
    weights, offset = logistic(values, wrong)
    return {
        "weights": dict(
            zip(FEATURES if documented else WORDS, weights.round(4).tolist(), strict=True)
        ),
        "offset": round(offset, 4),
        "threshold": round(threshold, 4),
        "relevant": int((~wrong).sum()),
        "irrelevant": int(wrong.sum()),
        "false alarms, left out": round(float((held_out[~wrong] > threshold).mean()), 4),
        "recall, left out": round(float((held_out[wrong] > threshold).mean()), 4),
    }


def left_out_odds(values: Array, wrong: npt.NDArray[np.bool_], toolkits: Sequence[str]) -> Array:
    """Log-odds of each sample by weights that were fitted without its toolkit."""
    folds = np.array([hashlib.sha256(name.encode()).digest()[1] % FOLDS for name in toolkits])
    odds = np.zeros(len(values))
    for fold in range(FOLDS):
        weights, offset = logistic(values[folds != fold], wrong[folds != fold])
        odds[folds == fold] = values[folds == fold] @ weights + offset
    return odds


def logistic(values: Array, wrong: npt.NDArray[np.bool_]) -> tuple[Array, float]:
    """Weights and offset for values as they are, fitted on standardised ones."""
    from sklearn.linear_model import LogisticRegression

    mean, scale = values.mean(axis=0), values.std(axis=0) + 1e-9
    curve = LogisticRegression(C=STRENGTH, max_iter=2_000).fit((values - mean) / scale, wrong)
    weights = curve.coef_[0] / scale
    return weights, float(curve.intercept_[0] - weights @ mean)


def digest(data: Path) -> str:
    """SHA-256 of all files read."""
    content = hashlib.sha256()
    files = sorted(path for path in (data / "openapi").rglob("*") if path.is_file())
    for path in (*files, data / "toolbench_g1" / "corpus.jsonl"):
        content.update(f"{path.relative_to(data)}\0".encode())
        content.update(hashlib.sha256(path.read_bytes()).digest())
    return content.hexdigest()


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the data sets")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--root", type=Path, default=PACKAGE, help="folder of the rooms")
    return parser.parse_args()


if __name__ == "__main__":
    main()
