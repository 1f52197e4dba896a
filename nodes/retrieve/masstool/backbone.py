"""Texts to vectors, by a sentence-transformers model some of whose layers may be tuned."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import normalize

from gretel.nodes.retrieve.artifact.tuning import TunedModel, faster, layers_of
from gretel.nodes.retrieve.encoding.embed import Progress
from gretel.nodes.retrieve.encoding.encoder import Encoder
from gretel.nodes.retrieve.encoding.folders import TOKEN_CHARACTERS, cut_after

MAX_TOKENS = 80
"""Of a request; what comes after is cut, since the longest one decides what a batch costs."""
_BATCH = 64
_COUNTED = 1_024
_CHARACTERS = TOKEN_CHARACTERS * MAX_TOKENS


class Vectors(NamedTuple):
    """What an encoder makes of `n` texts."""

    final: Tensor
    """(n, width) unit vectors, as the model means them."""
    early: Tensor
    """(n, width) unit vectors: the mean over the tokens half way up. What a text is about is most
    of the final vector; how it asks is plainer to see here. The final vector again where the model
    has no layers."""


class Backbone:
    """A model of our own, apart from the `Encoder` that others share, so that it can be tuned.

    Attributes:
        name: model name or folder; None for the one that comes with the install.
        module: the whole model, for training.
        layers: the transformer's layers, lowest first; none where they cannot be told apart.
        width: length of its vectors.
        depth: number of its layers; 0 where it has none, as a table of words has.
        middle: the layer whose output is `Vectors.early`; those below are never tuned by the
            preset `top-layers`.
        weights: what was tuned.
    """

    def __init__(self, name: str | None = None, *, device: str = "cpu") -> None:
        """Open the model.

        Raises:
            ConfigurationError: it cannot be loaded.
        """
        self.name = name
        self.device = torch.device(device)
        self.module = Encoder(name).open().to(self.device)
        cut_after(self.module, MAX_TOKENS)
        self._transformer = self.module.transformers_model
        self.depth = 0
        self.layers: list[torch.nn.Module] = []
        if self._transformer is not None:
            config: Any = self._transformer.config
            config.output_hidden_states = True
            self.depth = int(getattr(config, "num_hidden_layers", 0) or 0)
            self.layers = layers_of(self._transformer, self.depth)
        self.middle = self.depth // 2
        self.width = int(self.module.get_embedding_dimension() or 0)
        self.weights = TunedModel(self.module, f"encoder {name or 'of the install'}")

    def before_tuning(self) -> None:
        """Make ready for gradients: without dropout, and with attention whose way back is fast.

        Dropout costs time on a CPU, and a few epochs do not overfit; the way back through the
        fused attention is slower there than through the plain one.
        """
        self.module.eval()
        if self._transformer is not None:
            self._transformer.set_attn_implementation("eager")

    def encode(
        self, texts: Sequence[str], progress: Progress | None = None, *, exact: bool = True
    ) -> Vectors:
        """Vectors of texts, cut after `MAX_TOKENS`, in their order.

        Not `exact`: in half precision where the machine is faster so, for passing use.
        """
        self.module.eval()
        lengths = self.lengths(texts)
        order = sorted(range(len(texts)), key=lambda place: (lengths[place], place))
        final = torch.zeros(len(texts), self.width)
        early = torch.zeros(len(texts), self.width)
        told = progress or (lambda done, total: None)
        for start in range(0, len(order), _BATCH):
            told(start, len(order))
            batch = order[start : start + _BATCH]
            with torch.inference_mode(), faster(self.device, enabled=not exact):
                made = self.forward(self.tokens([texts[place] for place in batch]))
            final[batch], early[batch] = made.final.cpu(), made.early.cpu()
        told(len(order), len(order))
        return Vectors(final, early)

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text: those of like length together cost least, as each costs as much as
        the longest beside it.

        A single batch is not counted, since its order changes nothing; characters stand for tokens
        of a model without any.
        """
        found: list[int] = []
        for start in range(0, len(texts), _COUNTED):
            part = texts[start : start + _COUNTED]
            mask = self.tokens(part).get("attention_mask") if len(texts) > _BATCH else None
            found += map(len, part) if mask is None else mask.sum(1).tolist()
        return found

    def tokens(self, texts: Sequence[str]) -> dict[str, Tensor]:
        """What `forward` reads."""
        features = self.module.preprocess([text[:_CHARACTERS] for text in texts])
        return {
            key: value.to(self.device)
            for key, value in features.items()
            if isinstance(value, Tensor)
        }

    def forward(self, tokens: Mapping[str, Tensor]) -> Vectors:
        """As `encode`, of one batch, with gradients."""
        made = self.module(dict(tokens))
        final = normalize(made["sentence_embedding"].float(), dim=-1)
        if "all_layer_embeddings" not in made:
            return Vectors(final, final)
        mask = tokens["attention_mask"][..., None].float()
        layer = made["all_layer_embeddings"][self.middle].float()
        early = (layer * mask).sum(1) / mask.sum(1).clamp(min=1)
        return Vectors(final, normalize(early, dim=-1))
