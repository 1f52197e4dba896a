"""The trained residual of a request's vector."""

from typing import cast

import torch
from pydantic import Field
from torch import Tensor, nn
from torch.nn.functional import gelu

from gretel.contracts.record import Record

SCALE = 20.0
"""Log-odds of a cosine of 1: as much as fusion gives it."""
_STEEP = 4.0
"""A unit vector's numbers are small: without it the curve of the hidden layer would hardly bend."""


class Shape(Record):
    """What decides the form of the head; an artefact carries it."""

    width: int = Field(ge=1, le=1 << 16)
    """Length of the encoder's vectors."""
    hidden: int = Field(default=512, ge=1, le=1 << 16)


class Head(nn.Module):
    """A linear map and one hidden layer beside it; nothing at all before its first step."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.linear = nn.Linear(shape.width, shape.width, bias=False)
        self.inner = nn.Linear(shape.width, shape.hidden)
        self.outer = nn.Linear(shape.hidden, shape.width)
        for each in (self.linear.weight, self.outer.weight, self.outer.bias):
            nn.init.zeros_(each)

    def forward(self, requests: Tensor, texts: Tensor) -> Tensor:
        """Request × tool: log-odds of the residual's product with the tools' vectors."""
        return SCALE * self.residual(requests) @ texts.T

    def residual(self, requests: Tensor) -> Tensor:
        """What is added to the vectors of requests."""
        bent = gelu(_STEEP * self.inner(requests))
        return cast(Tensor, self.linear(requests) + self.outer(bent))


def opened_head(shape: Shape, weights: dict[str, Tensor]) -> Head:
    """A head with its weights; RuntimeError where they are those of another form."""
    with torch.device("meta"):  # how large it is, is the manifest's word
        head = Head(shape)
    head.load_state_dict(weights, assign=True)
    return head.eval().requires_grad_(requires_grad=False)
