"""Tools that are several words each: their codes as a trie, and a search that knows nothing else.

At every step the belief is shared out over the words that lead to a permitted tool, and over
nothing else: so all tools' shares sum to one, and what comes out is a tool by construction. Beams
of `generate` compare what is left of it beside everything that was not permitted.
"""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple, Self, TypeAlias

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from gretel.nodes.retrieve.toolgen.decoding import NEVER, shares

Step: TypeAlias = Callable[[Sequence[int], Sequence[int]], Tensor]
"""Scores (n, words) behind one more word each: the live paths that are gone on with, by their
places, and the words."""


class Node(NamedTuple):
    """A beginning of codes: a run of a trie's codes that share it."""

    first: int
    behind: int
    depth: int
    """Words of the beginning."""

    @property
    def size(self) -> int:
        """How many tools are below; a single one needs no further word."""
        return self.behind - self.first


class CodeTrie:
    """Codes in their order: no node is kept, since each is a run of them.

    Attributes:
        slots: in the order of their codes, which is that of `search`.
    """

    def __init__(self, codes: Mapping[int, Sequence[int]]) -> None:
        """`codes`: words by slot; none is the beginning of another."""
        self.slots = np.array(sorted(codes, key=lambda slot: tuple(codes[slot])), dtype=np.int64)
        longest = max((len(code) for code in codes.values()), default=0)
        self._words = np.full((len(codes), longest), -1, dtype=np.int64)
        for row, slot in enumerate(self.slots.tolist()):
            self._words[row, : len(codes[slot])] = codes[slot]

    def __len__(self) -> int:
        """Tools."""
        return len(self.slots)

    @property
    def root(self) -> Node:
        """All tools."""
        return Node(0, len(self), 0)

    def only(self, slots: Collection[int]) -> Self:
        """Of these tools alone."""
        kept = np.isin(self.slots, np.fromiter(slots, dtype=np.int64, count=len(slots)))
        found = type(self)({})
        found.slots, found._words = self.slots[kept], self._words[kept]
        return found

    def below(self, node: Node) -> dict[int, Node]:
        """The nodes that are one word further, by that word."""
        column = self._words[node.first : node.behind, node.depth]
        cuts = node.first + np.flatnonzero(np.diff(column)) + 1
        edges = [node.first, *cuts.tolist(), node.behind]
        return {
            int(self._words[first, node.depth]): Node(first, behind, node.depth + 1)
            for first, behind in zip(edges, edges[1:], strict=False)
        }

    def path(self, slot: int) -> list[tuple[int, list[int]]]:
        """The choices that lead to a tool: at each its word, and all words that could be said."""
        (place,) = np.flatnonzero(self.slots == slot).tolist()
        node, choices = self.root, []
        while node.size > 1:
            word, below = int(self._words[place, node.depth]), self.below(node)
            choices.append((word, list(below)))
            node = below[word]
        return choices


class _Path(NamedTuple):
    """One of the beginnings that are looked at, and how it came to be."""

    belief: float
    node: Node
    parent: int
    word: int


def search(trie: CodeTrie, first: Tensor, step: Step, width: int) -> npt.NDArray[np.float64]:
    """Logarithms of all tools' shares, in the trie's order; they sum to one.

    Exact for every tool while no more than `width` beginnings are alive at once; the tools below
    those that are given up share evenly what these had. `first`: (words,) scores of the first word;
    `step` gives those that follow.
    """
    found = np.zeros(len(trie))
    alive, scores = [_Path(0.0, trie.root, 0, 0)], first[None]
    while alive := [path for path in alive if path.node.size > 1]:
        grown = [path for row, each in enumerate(alive) for path in _grown(trie, each, row, scores)]
        for path in grown:
            evenly = path.belief - math.log(path.node.size)
            found[path.node.first : path.node.behind] = evenly
        grown = sorted(
            (path for path in grown if path.node.size > 1),
            key=lambda path: (-path.belief, path.node.first),
        )
        alive = grown[:width]
        if alive:
            scores = step([path.parent for path in alive], [path.word for path in alive])
    return found


def _grown(trie: CodeTrie, path: _Path, row: int, scores: Tensor) -> list[_Path]:
    below = trie.below(path.node)
    believed = shares(scores[row : row + 1].detach().cpu(), list(below))[0].tolist()
    return [
        _Path(path.belief + each, node, row, word)
        for each, (word, node) in zip(believed, below.items(), strict=True)
    ]


def as_scores(trie: CodeTrie, found: npt.NDArray[np.float64], slots: int) -> Tensor:
    """(slots,) scores: of what is no tool of the trie `NEVER`."""
    scores = torch.full((slots,), NEVER)
    scores[torch.from_numpy(trie.slots)] = torch.from_numpy(found).float()
    return scores
