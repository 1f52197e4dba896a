"""Codes of tools before a training, and rows of their words."""

import math

import numpy as np
import torch
from torch import Tensor

from gretel.nodes.retrieve.language.base import CausalModel
from gretel.nodes.retrieve.toolgen.coded import CodedModel
from gretel.nodes.retrieve.toolgen.codes import BRANCHES, Codebook, Scheme, token_of
from gretel.nodes.retrieve.toolgen.documents import (
    directions,
    first_middle,
    hidden_of,
    read_as,
)
from gretel.nodes.retrieve.toolgen.rows import Rows
from gretel.nodes.retrieve.toolgen.slots import RESERVED, Slots
from gretel.training.masstool.data import Examples

CODEWORDS = 32
"""Clusters of each step of a residual code, at most."""
_DEEPEST = 8
"""Levels of a tree."""
_SPARE = 2
"""Codes of residuals, times the tools: where they are as many, most would need one more word."""


def fitted(scheme: Scheme, vectors: Tensor, seed: int) -> Codebook:
    """How tools with documents of these (tools, width) vectors are coded."""
    if scheme == "numeric":
        places = len(str(BRANCHES * len(vectors) - 1))
        return Codebook(scheme, tuple(f"{p}:{n}" for p in range(places) for n in range(BRANCHES)))
    if scheme == "semantic":
        return Codebook(scheme)
    centres = _tree(vectors, seed) if scheme == "hierarchical" else _residuals(vectors, seed)
    return Codebook(scheme, centres=centres)


def started(base: CausalModel, examples: Examples, slots: Slots, book: Codebook) -> CodedModel:
    """A model whose words are what the documents of their tools say, or what the base's own are."""
    model = CodedModel(base, Rows.empty(RESERVED, base.d_in, base.d_out), book, slots)
    hidden = hidden_of(model, examples.tools)
    middle = first_middle(hidden)
    found, read = directions(hidden, middle.documents), read_as(model, examples.tools)
    tools: list[list[int]] = [[] for _ in book.words]
    for place, tool in enumerate(slots.tools):
        for word in set(tool.code):
            tools[word - RESERVED].append(place)
    means = [
        torch.stack([value[own].mean(0) if own else torch.zeros_like(value[0]) for own in tools])
        for value in (found, read)
    ]
    out, bias = middle.row(torch.nn.functional.normalize(means[0], dim=1), base.has_bias)
    rows = Rows(out, bias, means[1], torch.zeros_like(means[0]))
    model.rows = Rows.empty(RESERVED, base.d_in, base.d_out).appended(_own(base, book, rows))
    return model


def _own(base: CausalModel, book: Codebook, rows: Rows) -> Rows:
    """Words that are tokens of the base begin as these."""
    named = {n: token_of(word) for n, word in enumerate(book.words)}
    tokens = {n: token for n, token in named.items() if token is not None}
    if not tokens:
        return rows
    places = list(tokens.values())
    head, embedding = base.model.get_output_embeddings(), base.model.get_input_embeddings()
    bias = head.bias[places] if base.has_bias else torch.zeros(len(places))
    nothing = torch.zeros(len(places), base.d_out)
    taken = (head.weight[places], bias, embedding.weight[places], nothing)
    return rows.replaced(tokens, Rows(*(each.detach().float().cpu() for each in taken)))


def _tree(vectors: Tensor, seed: int) -> dict[str, Tensor]:
    """Clusters within clusters, until none has more than `BRANCHES` tools."""
    found: dict[str, Tensor] = {}
    waiting: list[tuple[str, Tensor]] = [("all", vectors)]
    while waiting:
        name, own = waiting.pop()
        if len(own) <= BRANCHES or name.count(".") >= _DEEPEST:
            continue
        centres, labels = _clusters(own, BRANCHES, seed)
        if len(set(labels.tolist())) < 2:  # all the same: nothing parts them
            continue
        found[name] = centres
        before = "" if name == "all" else f"{name}."
        waiting += [(f"{before}{n}", own[labels == n]) for n in range(len(centres))]
    return found


def _residuals(vectors: Tensor, seed: int) -> dict[str, Tensor]:
    """Clusters of vectors, then of what is left of each without its centre, and so on."""
    size, found, left = _size(len(vectors)), {}, vectors
    for level in range(_levels(len(vectors), size)):
        centres, labels = _clusters(left, size, seed)
        found[str(level)], left = centres, left - centres[labels]
    return found


def _size(tools: int) -> int:
    """Clusters of a step: of few tools two steps are enough."""
    return max(1, min(CODEWORDS, math.ceil(math.sqrt(_SPARE * tools))))


def _levels(tools: int, size: int) -> int:
    level = 1
    while size > 1 and size**level < _SPARE * tools:
        level += 1
    return level


def _clusters(vectors: Tensor, size: int, seed: int) -> tuple[Tensor, Tensor]:
    """Centres, and the nearest one of each vector."""
    from sklearn.cluster import KMeans

    different = len(np.unique(vectors.numpy(), axis=0))
    fitted = KMeans(min(size, different), n_init=1, random_state=seed).fit(vectors.numpy())
    centres = torch.from_numpy(fitted.cluster_centers_).float()
    return centres, torch.cdist(vectors, centres).argmin(1)
