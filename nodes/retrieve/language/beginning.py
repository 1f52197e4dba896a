"""Tokens that every text begins with, read once instead of with each request."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any, NamedTuple

import torch

from gretel.nodes.retrieve.language.base import CausalModel

_WORTH = 2
"""From so many tokens on reading them costs more than a copy of what was kept of them."""


class Kept(NamedTuple):
    """What a model made of the first tokens, for a batch that goes on behind them."""

    tokens: int
    """How many were read."""
    states: Any
    """Keys and values of all layers, of transformers; what goes on writes into them."""


class Beginning:
    """What a model made of its template's first tokens, as long as its weights stay as they are.

    For one thread at a time, without gradients.
    """

    def __init__(self, base: CausalModel) -> None:
        self._base = base
        self._tokens = list(base.template.before)
        self._states: Any = None
        self._able = len(self._tokens) >= _WORTH

    def of(self, prompts: Sequence[Sequence[int]]) -> Kept | None:
        """For a batch of token lists; None where one begins otherwise, or nothing can be kept."""
        size = len(self._tokens)
        if not all(len(p) > size and [*p[:size]] == self._tokens for p in prompts):
            return None
        if self._able and self._states is None:
            self._states = self._read()
            self._able = self._states is not None
        if not self._able:
            return None
        states = deepcopy(self._states)
        if len(prompts) > 1:
            states.reorder_cache(torch.zeros(len(prompts), dtype=torch.long, device=self._device))
        return Kept(size, states)

    @property
    def _device(self) -> torch.device:
        return self._base.device

    def _read(self) -> Any:
        """None of a model that keeps nothing, as one that is recurrent."""
        read = torch.tensor([self._tokens], device=self._device)
        made = self._base.model(input_ids=read, use_cache=True)
        return getattr(made, "past_key_values", None)
