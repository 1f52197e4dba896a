"""A language model that says a tool in several words."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from gretel.contracts.errors import ConfigurationError, IndexCorrupt
from gretel.nodes.retrieve.language.adapters import whole
from gretel.nodes.retrieve.language.base import CausalModel, Known, check_base
from gretel.nodes.retrieve.toolgen.artifact import Artifact
from gretel.nodes.retrieve.toolgen.codes import Codebook
from gretel.nodes.retrieve.toolgen.decoding import NEVER
from gretel.nodes.retrieve.toolgen.model import Read, ToolModel
from gretel.nodes.retrieve.toolgen.rows import Rows
from gretel.nodes.retrieve.toolgen.slots import Slots
from gretel.nodes.retrieve.toolgen.trie import CodeTrie, as_scores, search

WIDTH = 32
"""Beginnings of codes that are alive at once."""


class CodedModel(ToolModel):
    """Scores of tools are logarithms of the shares that a search over their codes gives them.

    Attributes:
        book: how codes are made.
        trie: all tools that can be named, and what is no tool.
    """

    def __init__(self, base: CausalModel, rows: Rows, book: Codebook, slots: Slots) -> None:
        """`rows`: of words. `base` is extended; nothing else may use it."""
        super().__init__(base, rows)
        self.book = book
        self.know(slots)

    def know(self, slots: Slots, book: Codebook | None = None) -> None:
        """The tools as they are now, and how they are coded, where that is another way."""
        with self.lock:
            self.book = book or self.book
            self._slots = len(slots)
            self._codes = slots.codes()
            self.trie = CodeTrie(self._codes)

    def said(self, slot: int) -> list[int]:
        """The tokens of a slot."""
        return [self.base.vocabulary + word for word in self._codes[slot]]

    def read(self, prompts: Sequence[Sequence[int]], among: Sequence[int] | None = None) -> Read:
        """Of each token list one search; on the CPU.

        `among`: slots that the search is limited to. Others score as what is never said.

        Raises:
            ConfigurationError: the base does not keep what it made of earlier tokens.
        """
        with self.lock, torch.inference_mode():
            trie = self.trie if among is None else self.trie.only(among)
            read = [self._searched(prompt, trie) for prompt in prompts]
            if not read:
                return Read(torch.zeros(0, self._slots), torch.zeros(0, self.base.d_out))
        scores, hidden = zip(*read, strict=True)
        return Read(torch.stack(scores), torch.stack(hidden))

    def _searched(self, prompt: Sequence[int], trie: CodeTrie) -> tuple[Tensor, Tensor]:
        first, hidden, kept = self._passed([prompt], None)
        if not len(trie):
            return torch.full((self._slots,), NEVER), hidden[0]

        def step(parents: Sequence[int], words: Sequence[int]) -> Tensor:
            kept.reorder_cache(torch.tensor(parents, device=self.base.device))
            return self._passed([[self.base.vocabulary + word] for word in words], kept)[0]

        found = search(trie, first[0], step, WIDTH)
        return as_scores(trie, found, self._slots), hidden[0]

    def _passed(self, tokens: Sequence[Sequence[int]], kept: Any) -> tuple[Tensor, Tensor, Any]:
        """Scores of words and hidden states at the ends, and what is kept of all tokens."""
        read = torch.tensor(tokens, device=self.base.device)
        ends = torch.full((len(read),), read.shape[1] - 1, device=self.base.device)
        with self.extension.scoring("tools", ends) as hidden:
            made = self.base.model(input_ids=read, past_key_values=kept, use_cache=True)
        if getattr(made, "past_key_values", None) is None:
            raise ConfigurationError(
                "does not keep what it made of earlier tokens, as a search takes it",
                field=f"base {self.base.name}",
                remedy="Train it with a token a tool: --codes atomic.",
            )
        return made.logits[:, 0].float().cpu(), hidden[-1].float().cpu(), made.past_key_values


def opened(artifact: Artifact) -> ToolModel:
    """The base, tuned as in training, with the tools' tokens.

    Raises:
        ConfigurationError: the base cannot be loaded, or has other weights or another tokenizer.
        IndexCorrupt: the rows are none of this base's.
    """
    shape = artifact.manifest.shape
    base = CausalModel(shape.base)
    check_base(base, Known(shape.base_digest, shape.vocabulary, shape.template))
    if (shape.d_in, shape.d_out) != (base.d_in, base.d_out):
        raise IndexCorrupt("the artefact's rows are of another base. Train it again.")
    base.weights.tune(whole(artifact.weights, base.weights.known))
    book = artifact.book
    model = (
        ToolModel(base, artifact.rows)
        if book is None
        else CodedModel(base, artifact.rows, book, shape.slots)
    )
    model.hold()
    return model
