"""Rows of tools that nothing was learnt for: from what the model makes of their documents.

Memorisation moves a tool's row towards the hidden state that its document gives. Hidden states of
all documents share most of what they are, so what is left after their mean, brought to the length
of a trained row, is what a row of a new tool would be.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import normalize

from gretel.contracts.tool import Tool
from gretel.nodes.retrieve.semantic.signals import dense_text
from gretel.nodes.retrieve.toolgen.model import ToolModel
from gretel.nodes.retrieve.toolgen.rows import Rows, Tensors

_SPREAD = 5.0
"""Log odds by which a tool's own document, at first, speaks for it."""


@dataclass(frozen=True)
class Middle(Tensors):
    """Where hidden states are on average, and how trained rows lie to that.

    Attributes:
        documents: (d_out,) mean of the hidden states of trained tools' documents.
        requests: (d_out,) the same of requests.
        length: of a row of a new tool.
        level: score of a tool for the mean request.
    """

    documents: Tensor
    requests: Tensor
    length: Tensor
    level: Tensor

    @classmethod
    def of(cls, d_out: int) -> "Middle":
        """One that says nothing."""
        return cls(torch.zeros(d_out), torch.zeros(d_out), torch.zeros(()), torch.zeros(()))

    def row(self, found: Tensor, has_bias: bool) -> tuple[Tensor, Tensor]:
        """(tools, d_out) and (tools,) rows and bias in those directions, on the usual level."""
        return self.levelled(self.length * found, self.level, has_bias)

    def levelled(self, out: Tensor, level: Tensor, has_bias: bool) -> tuple[Tensor, Tensor]:
        """Rows that score `level` for the mean request.

        Without a bias it is its own direction in the rows that does so.
        """
        missing = level - out @ self.requests
        if has_bias:
            return out, missing
        unit = self.requests / (self.requests @ self.requests).clamp(min=1e-12)
        return out + missing[:, None] * unit, torch.zeros(len(out))


def hidden_of(model: ToolModel, tools: Sequence[Tool]) -> Tensor:
    """(tools, d_out) what the model makes of their documents."""
    return model.hidden(model.base.prompts([dense_text(tool) for tool in tools]))


def directions(hidden: Tensor, mean: Tensor) -> Tensor:
    """Unit directions of hidden states from their mean."""
    return normalize(hidden - mean, dim=1)


def first_middle(hidden: Tensor) -> Middle:
    """Before any training, from the hidden states of documents: they stand for requests, too."""
    mean = hidden.mean(0)
    reach = float((hidden - mean).norm(dim=1).mean())
    length = torch.tensor(_SPREAD / max(reach, 1e-6))
    return Middle(mean, mean, length, torch.tensor(0.0))


def rows_of(model: ToolModel, tools: Sequence[Tool], found: Tensor, middle: Middle) -> Rows:
    """Rows of tools by the directions of their documents."""
    out, bias = middle.row(found, model.base.has_bias)
    return Rows(out, bias, read_as(model, tools), found)


def read_as(model: ToolModel, tools: Sequence[Tool]) -> Tensor:
    """(tools, d_in) the mean of what the words of each document are read as, as long as these."""
    own = model.extension.embedding.weight.detach()
    prompts = model.base.prompts([dense_text(tool) for tool in tools])
    means = [own[prompt].float().cpu().mean(0) for prompt in prompts]
    if not means:
        return torch.zeros(0, model.base.d_in)
    return model.usual * normalize(torch.stack(means), dim=1)
