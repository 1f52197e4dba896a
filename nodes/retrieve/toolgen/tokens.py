"""Tool tokens of any causal model, without a change of its weights or its tokenizer.

The model's modules for input and output embeddings are wrapped: token `V + s` is slot `s`, where V
is how many rows the model's own embedding has (more than its tokenizer knows where it is padded).
What the model does to embeddings and logits beside (scaling, capping) it does to tools' as well.
No text can become a tool's token, since the tokenizer has none.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal, TypeAlias, cast

import torch
from torch import Tensor, nn
from torch.nn.functional import linear

from gretel.nodes.retrieve.toolgen.rows import Rows

Vocabulary: TypeAlias = Literal["text", "tools", "all", "none"]
"""Which tokens are scored: the model's own, the slots, both one behind the other, or none."""

Places: TypeAlias = Tensor | tuple[Tensor, Tensor]
"""Which positions are scored; see `ToolHead`."""


class ToolEmbedding(nn.Module):
    """Reads tokens of both kinds."""

    def __init__(self, own: nn.Module, rows: Rows) -> None:
        super().__init__()
        self.own = own
        self.rows = rows

    @property
    def weight(self) -> Tensor:
        """The model's own, at which others look."""
        return cast(Tensor, self.own.weight)

    def forward(self, tokens: Tensor) -> Tensor:
        """(…,) tokens to (…, d_in) vectors."""
        slots = tokens - len(self.weight)
        is_tool = slots >= 0
        found = cast(Tensor, self.own(tokens.masked_fill(is_tool, 0)))
        if not bool(is_tool.any()):
            return found
        read = self.rows.into[slots.clamp(min=0)].to(found.dtype)
        scale = getattr(self.own, "embed_scale", None)  # Gemma's, within the module
        read = read if scale is None else read * torch.as_tensor(scale).to(read)
        return torch.where(is_tool[..., None], read, found)


class ToolHead(nn.Module):
    """Scores tokens of either kind, or of both.

    Attributes:
        scored: which.
        places: (n,) the one position of each of n texts that is scored; two tensors (k,): texts and
            positions in them; None for all.
        taken: the hidden states at these places, of each pass.
    """

    def __init__(self, own: nn.Module, rows: Rows) -> None:
        super().__init__()
        self.own = own
        self.rows = rows
        self.scored: Vocabulary = "text"
        self.places: Places | None = None
        self.taken: list[Tensor] = []

    @property
    def weight(self) -> Tensor:
        """The model's own, at which others look."""
        return cast(Tensor, self.own.weight)

    @property
    def bias(self) -> Any:
        """The model's own; BERT takes it with a head."""
        return getattr(self.own, "bias", None)

    def forward(self, hidden: Tensor) -> Tensor:
        """(n, length, d_out) hidden states to (n, length or 1, tokens) scores; (1, k, tokens) where
        places of texts are named.
        """
        if isinstance(self.places, tuple):
            hidden = hidden[self.places][None]
            self.taken.append(hidden[0])
        elif self.places is not None:
            here = torch.arange(len(hidden), device=hidden.device)
            hidden = hidden[here, self.places][:, None]
            self.taken.append(hidden[:, 0])
        if self.scored == "none":
            return hidden[..., :0]
        if self.scored == "text":
            return cast(Tensor, self.own(hidden))
        with torch.autocast(hidden.device.type, enabled=False):
            tools = linear(hidden.float(), self.rows.out, self.rows.bias)
        if self.scored == "tools":
            return tools
        return torch.cat([cast(Tensor, self.own(hidden)).float(), tools], dim=-1)


class Extension:
    """A model with tool tokens, until `remove`.

    While it is there the model must not be saved, tied or resized.
    """

    def __init__(self, model: Any, rows: Rows) -> None:
        self._model = model
        self.embedding = ToolEmbedding(model.get_input_embeddings(), rows)
        self.head = ToolHead(model.get_output_embeddings(), rows)
        self.rows = rows
        model.set_input_embeddings(self.embedding)
        model.set_output_embeddings(self.head)

    @property
    def rows(self) -> Rows:
        """Of all slots; others may be put in their place."""
        return self.head.rows

    @rows.setter
    def rows(self, rows: Rows) -> None:
        self.head.rows = self.embedding.rows = rows

    @contextmanager
    def scoring(self, scored: Vocabulary, places: Places | None = None) -> Iterator[list[Tensor]]:
        """What the head scores meanwhile, and a list of what it was given; see `ToolHead`.

        For one thread at a time.
        """
        head = self.head
        before = head.scored, head.places, head.taken
        head.scored, head.places, head.taken = scored, places, []
        try:
            yield head.taken
        finally:
            head.scored, head.places, head.taken = before

    def remove(self) -> None:
        """The model as it was."""
        self._model.set_input_embeddings(self.embedding.own)
        self._model.set_output_embeddings(self.head.own)
