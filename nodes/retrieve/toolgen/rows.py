"""Tool rows: what a language model's own vocabulary is extended by, kept beside it."""

from collections.abc import Iterable
from dataclasses import dataclass, fields

import torch
from torch import Tensor


@dataclass(frozen=True)
class Tensors:
    """Tensors by name, each a field."""

    @classmethod
    def names(cls) -> list[str]:
        """Of all of them."""
        return [each.name for each in fields(cls)]

    @property
    def shapes(self) -> list[tuple[int, ...]]:
        """Of all of them."""
        return [tuple(getattr(self, name).shape) for name in self.names()]

    @property
    def tensors(self) -> dict[str, Tensor]:
        """All of them by name, apart from every graph."""
        return {name: getattr(self, name).detach().cpu() for name in self.names()}


@dataclass(frozen=True)
class Rows(Tensors):
    """One row a slot, in full precision whatever the model's is: near tools differ by little.

    Attributes:
        out: (slots, d_out) by which a hidden state scores each token.
        bias: (slots,) added to it; zeros where the model has none.
        into: (slots, d_in) what a token is read as.
        documents: (slots, d_out) unit directions of what the model makes of the tools' documents;
            nothing where there is no document.
    """

    out: Tensor
    bias: Tensor
    into: Tensor
    documents: Tensor

    def __len__(self) -> int:
        return len(self.out)

    @classmethod
    def empty(cls, slots: int, d_in: int, d_out: int) -> "Rows":
        """Rows of zeros: scores of 0."""
        out, into = torch.zeros(slots, d_out), torch.zeros(slots, d_in)
        return cls(out, torch.zeros(slots), into, torch.zeros(slots, d_out))

    def at(self, places: Iterable[int]) -> "Rows":
        """Those of some slots."""
        chosen = torch.tensor(list(places), dtype=torch.long)
        return Rows(*(value[chosen] for value in self.tensors.values()))

    def appended(self, other: "Rows") -> "Rows":
        """With more rows behind."""
        pairs = zip(self.tensors.values(), other.tensors.values(), strict=True)
        return Rows(*(torch.cat(pair) for pair in pairs))

    def replaced(self, slots: Iterable[int], other: "Rows") -> "Rows":
        """With others at these slots."""
        places = torch.tensor(list(slots), dtype=torch.long)
        pairs = zip(self.tensors.values(), other.tensors.values(), strict=True)
        return Rows(*(mine.index_copy(0, places, theirs) for mine, theirs in pairs))

    def to(self, device: torch.device) -> "Rows":
        """On another device."""
        return Rows(*(value.to(device) for value in self.tensors.values()))
