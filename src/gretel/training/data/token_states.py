"""Texts for the training of an encoder's layers, and those layers as they learn."""

import math
from collections.abc import Sequence
from typing import Any

import torch
from rich.progress import track
from torch import Tensor, nn
from torch.nn import functional

from gretel.nodes.retrieve.encoding.bundled import BundledModel

CHARACTERS = 300
"""Of a text: what a tool does stands at the start of its text."""
PARTS = 4
"""That texts are read in, by length: less padding."""
HALF = torch.autocast("cpu", torch.bfloat16)


class Texts:
    """Token states of texts below the first layer, each text once."""

    def __init__(self) -> None:
        self._place: dict[str, int] = {}
        self._states: list[Tensor] = []

    def place(self, text: str) -> int:
        """Where a text stands."""
        return self._place.setdefault(text[:CHARACTERS], len(self._place))

    def read(self, model: BundledModel) -> None:
        """Read all that have a place."""
        texts = list(self._place)
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        found: dict[int, Tensor] = {}
        for first in track(range(0, len(order), 64), "reading texts"):
            own = order[first : first + 64]
            with HALF:
                states, mask = model.embedded([texts[place] for place in own])
            for place, row, tokens in zip(own, states, mask.sum(1).tolist(), strict=True):
                found[place] = row[:tokens].half()
        self._states = [found[place] for place in range(len(texts))]

    def vectors(self, places: Sequence[int], layers: nn.ModuleList) -> Tensor:
        """Unit vectors of some texts, a row each."""
        order = sorted(range(len(places)), key=lambda row: len(self._states[places[row]]))
        size = max(1, len(order) // PARTS)
        parts = [order[first : first + size] for first in range(0, len(order), size)]
        rows = torch.cat([self._read([places[n] for n in own], layers) for own in parts])
        return rows[torch.tensor([n for own in parts for n in own]).argsort()]

    def _read(self, places: Sequence[int], layers: nn.ModuleList) -> Tensor:
        states = nn.utils.rnn.pad_sequence([self._states[n] for n in places], True).float()
        sizes = torch.tensor([len(self._states[n]) for n in places])
        mask = torch.arange(states.shape[1])[None] < sizes[:, None]
        unread = torch.zeros(mask.shape).masked_fill(~mask, -1e4)
        for layer in layers:
            states = read_layer(layer, states, unread)
        counted = mask[:, :, None].float()
        return functional.normalize((states * counted).sum(1) / counted.sum(1), dim=-1)


def read_layer(layer: Any, states: Tensor, unread: Tensor) -> Tensor:
    """What torch's `TransformerEncoderLayer` makes of token states (texts, tokens, width).

    Its own attention takes three times as long backwards in bfloat16 on a processor. `unread`
    (texts, tokens) is added to the logits of attention.
    """
    attention, (texts, tokens, width) = layer.self_attn, states.shape
    heads = attention.num_heads
    joined = functional.linear(states, attention.in_proj_weight, attention.in_proj_bias)
    with torch.autocast("cpu", enabled=False):  # softmax would be taken in single precision
        query, key, value = (
            part.view(texts, tokens, heads, -1).transpose(1, 2).reshape(texts * heads, tokens, -1)
            for part in joined.chunk(3, dim=-1)
        )
        bias = unread.to(query.dtype)[:, None, None].expand(texts, heads, tokens, tokens)
        scale = 1 / math.sqrt(width // heads)
        weights = torch.baddbmm(bias.flatten(0, 1), query, key.transpose(1, 2), alpha=scale)
        read = torch.bmm(torch.softmax(weights, -1), value).view(texts, heads, tokens, -1)
    mixed = attention.out_proj(read.transpose(1, 2).reshape(texts, tokens, width))
    states = layer.norm1(states + mixed)
    inner = layer.linear2(functional.gelu(layer.linear1(states)))
    made: Tensor = layer.norm2(states + inner)
    return made
