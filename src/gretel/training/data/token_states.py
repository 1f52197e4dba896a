"""Token states of texts below the layers that learn, so that each text passes those below once."""

from collections.abc import Sequence

import torch
from rich.progress import track
from torch import Tensor, nn

from gretel.nodes.retrieve.encoding.bundled import BundledModel

CHARACTERS = 300
"""Of a text: what a tool does stands at the start of its text."""
HALF = torch.autocast("cpu", torch.bfloat16)


class Texts:
    """Token states of texts below the layers that learn, each text once."""

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
                states, mask = model.before([texts[place] for place in own])
            for place, row, tokens in zip(own, states, mask.sum(1).tolist(), strict=True):
                found[place] = row[:tokens].half()
        self._states = [found[place] for place in range(len(texts))]

    def vectors(self, places: Sequence[int], layers: nn.ModuleList) -> Tensor:
        """Unit vectors of some texts, a row each."""
        order = sorted(range(len(places)), key=lambda row: len(self._states[places[row]]))
        halves = [order[: len(order) // 2], order[len(order) // 2 :]]  # less padding
        rows = torch.cat([self._read([places[n] for n in own], layers) for own in halves if own])
        return rows[torch.tensor([n for own in halves for n in own]).argsort()]

    def _read(self, places: Sequence[int], layers: nn.ModuleList) -> Tensor:
        states = nn.utils.rnn.pad_sequence([self._states[n] for n in places], True).float()
        sizes = torch.tensor([len(self._states[n]) for n in places])
        mask = torch.arange(states.shape[1])[None] < sizes[:, None]
        for layer in layers:
            states = layer(states, src_key_padding_mask=~mask)
        counted = mask[:, :, None].float()
        return nn.functional.normalize((states * counted).sum(1) / counted.sum(1), dim=-1)
