"""The models of `nodes/retrieve/need/classifier.py`, fitted. `training/answerable.py` runs it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gretel.nodes.retrieve.encoding.encoder import Matrix
from gretel.nodes.retrieve.need.classifier import NeedClassifier, phrases
from gretel.nodes.retrieve.semantic.sparse import Vector
from gretel.training.need_data import OPERATIONS, WRITTEN, Requests, folds

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Sequential

UNITS = 32
EPOCHS = 12
BATCH = 512
DROPOUT = 0.3
RATE = 2e-3
DECAY = 0.03
SMOOTHING = 0.04
"""Share of each label that is given to the other: the data are wrong now and then."""
RIDGE = 10.0
"""Penalty on the weights of phrases, as scikit-learn's 1/C."""
SHARED = 3
"""Sources that must know a phrase: what fewer know is their own."""
PHRASES_COUNT = 0.3
"""Share of their log odds that phrases keep: both models know the other's half of the evidence, and
phrases carry over worse to a hand that neither saw (AUROC .68 where the network has .92)."""
FOLDS = 5
WEIGHTS = {"metatool_toole": 3.5, "tooldet": 2.0, OPERATIONS: 2.0, WRITTEN: 3.0}
"""Of a source where not 1: metatool_toole asks most like people do, in vague words too, and what
was written for the purpose asks after the records of a system, as its users do."""

MiddleEmbeddings = Mapping[str, Matrix]
"""`Embeddings.middle` of each text that is learnt from or judged."""


class Labelled(NamedTuple):
    """Texts with their labels, each with its weight; both labels weigh the same."""

    texts: list[str]
    sources: list[str]
    asks: Vector
    weights: Vector


def labelled(parts: Sequence[Requests]) -> Labelled:
    """One list of all requests, every source counting as `WEIGHTS` says."""
    rows = [(part, text) for part in parts for text in part.texts]
    sizes = Counter((part.source, part.asks) for part, _ in rows)
    asks = np.array([part.asks for part, _ in rows], dtype=np.float32)
    weights = np.array(
        [WEIGHTS.get(p.source, 1.0) / sizes[p.source, p.asks] for p, _ in rows], dtype=np.float32
    )
    for answer in (0, 1):
        weights[asks == answer] *= len(rows) / 2 / weights[asks == answer].sum()
    return Labelled([text for _, text in rows], [p.source for p, _ in rows], asks, weights)


def fit(parts: Sequence[Requests], middle: MiddleEmbeddings, *, seed: int) -> NeedClassifier:
    """Both models of some requests, the same for the same seed."""
    data = labelled(parts)
    weights, offset = _phrases(data)
    hidden, hidden_bias, output, bias = _network(data, middle, seed)
    return NeedClassifier(hidden, hidden_bias, output, weights, offset + bias)


def _phrases(data: Labelled) -> tuple[dict[str, float], float]:
    """Weights of the phrases that at least `SHARED` sources know, and the offset, as they count."""
    from scipy.sparse import csr_matrix
    from sklearn.linear_model import LogisticRegression

    said = [set(phrases(text)) for text in data.texts]
    uses = Counter(
        (source, phrase) for source, own in zip(data.sources, said, strict=True) for phrase in own
    )
    known = Counter(phrase for (_, phrase), count in uses.items() if count > 1)
    places = {p: n for n, p in enumerate(sorted(p for p, c in known.items() if c >= SHARED))}
    rows = [sorted(places[phrase] for phrase in own if phrase in places) for own in said]
    matrix = csr_matrix(
        (
            np.ones(sum(map(len, rows))),
            [place for row in rows for place in row],
            np.cumsum([0, *map(len, rows)]),
        ),
        shape=(len(rows), len(places)),
    )
    model = LogisticRegression(C=1 / RIDGE, max_iter=2_000)
    model.fit(matrix, data.asks, sample_weight=data.weights)
    kept = PHRASES_COUNT * model.coef_[0]
    weights = dict(zip(places, kept.round(4).tolist(), strict=True))
    offset = PHRASES_COUNT * float(model.intercept_[0])
    return {phrase: weight for phrase, weight in weights.items() if weight}, offset


def _network(
    data: Labelled, middle: MiddleEmbeddings, seed: int
) -> tuple[Matrix, Vector, Vector, float]:
    """The hidden layer and the output, for inputs as they come."""
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(seed)
    raw = np.stack([middle[text] for text in data.texts], dtype=np.float32)
    # Networks learn best on entries around one; both layers undo it for the product.
    centre, spread = raw.mean(axis=0), raw.std(axis=0)
    scale = np.where(spread > 0, spread, 1).astype(np.float32)
    network = torch.nn.Sequential(
        torch.nn.Dropout(DROPOUT * 2 / 3),
        torch.nn.Linear(raw.shape[1], UNITS),
        torch.nn.ReLU(),
        torch.nn.Dropout(DROPOUT),
        torch.nn.Linear(UNITS, 1),
    )
    _train(network, torch.tensor((raw - centre) / scale), data)
    hidden, hidden_bias, output, bias = (part.detach().numpy() for part in network.parameters())
    hidden = np.asarray(hidden / scale, dtype=np.float32)
    return hidden, hidden_bias - hidden @ centre, output[0], float(bias[0])


def _train(network: "Sequential", inputs: "Tensor", data: Labelled) -> None:
    import torch
    from torch.nn.functional import binary_cross_entropy_with_logits as loss

    targets = torch.tensor(data.asks * (1 - SMOOTHING) + SMOOTHING / 2)
    weights = torch.tensor(data.weights)
    # Half of each batch is drawn by weight, so that every batch holds some of the rare kinds.
    chance = (weights / weights.mean() + 1) / 2
    weights = weights / chance
    steps = EPOCHS * len(inputs) // BATCH
    optimizer = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps)
    for _ in range(steps):
        batch = torch.multinomial(chance, BATCH, replacement=True)
        each = loss(network(inputs[batch])[:, 0], targets[batch], reduction="none")
        optimizer.zero_grad()
        (each * weights[batch]).mean().backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        schedule.step()


def cross_fitted(
    parts: Sequence[Requests], middle: MiddleEmbeddings, *, seed: int
) -> dict[str, float]:
    """Log odds of each text by a model that was not fitted on it."""
    dealt = [folds(part.texts, FOLDS, seed=seed) for part in parts]
    found: dict[str, float] = {}
    for number in range(FOLDS):
        kept, held = [], []
        for part, hands in zip(parts, dealt, strict=True):
            held += [part.texts[place] for place in hands[number]]
            rest = [place for hand in hands if hand is not hands[number] for place in hand]
            kept.append(part._replace(texts=tuple(part.texts[place] for place in rest)))
        need = fit(kept, middle, seed=seed)
        found |= {text: need.log_odds(text, middle[text]) for text in held}
    return found


def left_out(parts: Sequence[Requests], middle: MiddleEmbeddings, *, seed: int) -> dict[str, float]:
    """Log odds of each text by a model that saw nothing of its source; `WRITTEN` is no hand."""
    found: dict[str, float] = {}
    for source in sorted({part.source for part in parts} - {WRITTEN}):
        need = fit([part for part in parts if part.source != source], middle, seed=seed)
        own = (text for part in parts if part.source == source for text in part.texts)
        found |= {text: need.log_odds(text, middle[text]) for text in own}
    return found


def write(path: Path, need: NeedClassifier) -> None:
    """Write what `NeedClassifier.load` reads."""
    np.savez_compressed(
        path,
        hidden=need.hidden,
        hidden_bias=need.hidden_bias,
        output=need.output,
        bias=np.array(need.bias),
        phrases=np.array(list(need.phrases)),
        weights=np.array(list(need.phrases.values()), dtype=np.float32),
    )
