"""The bundled encoder, read without sentence-transformers: importing that costs more processor time
than a whole selection from a small catalogue.
"""

import copy
import json
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import torch

TUNED = "tuned.npz"
"""Changes of its layers, which `python -m gretel.training.encoder` makes."""
UP, DOWN = "up/", "down/"
"""Before the name of a matrix: (rows, rank) and (rank, columns) of its change."""
Changes: TypeAlias = Mapping[str, npt.NDArray[np.float16]]

_PARTS = {
    "self_attn.out_proj": "attention.output.dense",
    "norm1": "attention.output.LayerNorm",
    "linear1": "intermediate.dense",
    "linear2": "output.dense",
    "norm2": "output.LayerNorm",
}
"""What torch calls the parts of a layer, and what BERT's weights do."""

_ATTENDED = ("query", "key", "value")


class BundledModel:
    """BERT with mean pooling, out of torch's own encoder layers; on one thread of the CPU.

    Gives what sentence-transformers gives with the same weights, to about a millionth.

    Raises:
        OSError, ValueError, KeyError: the folder holds no such model.
    """

    def __init__(self, folder: Path, *, max_tokens: int) -> None:
        import torch
        from safetensors.torch import load_file
        from tokenizers import Tokenizer

        # More threads were slower on shared cores, and trials run beside this.
        torch.set_num_threads(1)
        self._config = json.loads((folder / "config.json").read_text("utf-8"))
        weights = load_file(folder / "model.safetensors")
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(max_tokens)
        self._tokenizer.enable_padding(pad_id=self._config["pad_token_id"])
        self._embedding = {
            name: weights[f"embeddings.{name}_embeddings.weight"]
            for name in ("word", "position", "token_type")
        }
        self._norm = [weights[f"embeddings.LayerNorm.{kind}"] for kind in ("weight", "bias")]
        self._layers = [
            self._layer(weights, f"encoder.layer.{number}.")
            for number in range(self._config["num_hidden_layers"])
        ]
        self._tuned: Sequence[torch.nn.Module] = ()
        self.width: int = self._config["hidden_size"]

    def read(self, texts: list[str], *, tuned: bool = False) -> "Iterator[torch.Tensor]":
        """Mean token vectors of each text, a row a text: as embedded, then after each layer.

        With `tuned`, those after the last layer as fine-tuned stand behind them.
        """
        import torch

        tokens, mask = self._tokens(texts)
        counted = mask[:, :, None].float()
        with torch.inference_mode():
            states = first = self._embedded(tokens)
            yield (states * counted).sum(1) / counted.sum(1)
            for layer in self._layers:
                states = layer(states, src_key_padding_mask=mask == 0)
                yield (states * counted).sum(1) / counted.sum(1)
            if tuned:
                states = first
                for layer in self.tuned():
                    states = layer(states, src_key_padding_mask=mask == 0)
                yield (states * counted).sum(1) / counted.sum(1)

    def token_vectors(self, text: str) -> "tuple[torch.Tensor, list[tuple[int, int]]]":
        """Vectors of a text's tokens after the fine-tuned layers, and the characters of each.

        The marks that the encoder sets at both ends stand for none: (0, 0).
        """
        import torch

        tokens, _ = self._tokens([text])
        with torch.inference_mode():
            states = self._embedded(tokens)
            for layer in self.tuned():
                states = layer(states)
        return states[0], self._tokenizer.encode(text).offsets

    def word_means(self, texts: list[str]) -> "torch.Tensor":
        """Mean of the input embeddings of each text's tokens, whatever their order; 0 of none."""
        import torch

        read = self._tokenizer.encode_batch(texts, add_special_tokens=False)
        ids = torch.tensor([each.ids for each in read], dtype=torch.long)
        counted = torch.tensor([each.attention_mask for each in read])[:, :, None].float()
        with torch.inference_mode():
            known = self._normed(self._embedding["word"][ids])
            return (known * counted).sum(1) / counted.sum(1).clamp(min=1)

    def tuned(self) -> "Sequence[torch.nn.Module]":
        """The layers, as they were fine-tuned."""
        if not self._tuned:
            with files("gretel.nodes.retrieve.encoding").joinpath(TUNED).open("rb") as file:
                self._tuned = changed(self._layers, np.load(file))
        return self._tuned

    def embedded(self, texts: list[str]) -> "tuple[torch.Tensor, torch.Tensor]":
        """Token states below the first layer, and which tokens are read."""
        import torch

        tokens, mask = self._tokens(texts)
        with torch.inference_mode():
            return self._embedded(tokens), mask

    def plain(self) -> "Sequence[torch.nn.Module]":
        """Copies of the layers, as they came."""
        return [copy.deepcopy(layer) for layer in self._layers]

    def _tokens(self, texts: list[str]) -> "tuple[torch.Tensor, torch.Tensor]":
        """A row of token ids for each text, and which of them are read."""
        import torch

        read = self._tokenizer.encode_batch(texts)
        ids = torch.tensor([each.ids for each in read])
        return ids, torch.tensor([each.attention_mask for each in read])

    def _embedded(self, tokens: "torch.Tensor") -> "torch.Tensor":
        known = self._embedding
        return self._normed(known["word"][tokens] + known["position"][: tokens.shape[1]])

    def _normed(self, summed: "torch.Tensor") -> "torch.Tensor":
        from torch.nn.functional import layer_norm

        weight, bias = self._norm
        typed = summed + self._embedding["token_type"][0]
        return layer_norm(typed, (self.width,), weight, bias, self._eps)

    @property
    def _eps(self) -> float:
        eps: float = self._config["layer_norm_eps"]
        return eps

    def _layer(self, weights: "Mapping[str, torch.Tensor]", prefix: str) -> Any:
        import torch

        layer = torch.nn.TransformerEncoderLayer(
            self._config["hidden_size"],
            self._config["num_attention_heads"],
            self._config["intermediate_size"],
            activation=torch.nn.functional.gelu,
            layer_norm_eps=self._eps,
            batch_first=True,
            device="meta",
        )
        taken = {
            f"{ours}.{kind}": weights[f"{prefix}{theirs}.{kind}"]
            for ours, theirs in _PARTS.items()
            for kind in ("weight", "bias")
        }
        for kind in ("weight", "bias"):
            asked = [weights[f"{prefix}attention.self.{n}.{kind}"] for n in _ATTENDED]
            taken[f"self_attn.in_proj_{kind}"] = torch.cat(asked)
        layer.load_state_dict(taken, assign=True)
        return layer.eval().requires_grad_(requires_grad=False)


def changed(layers: "Sequence[torch.nn.Module]", changes: Changes) -> "Sequence[torch.nn.Module]":
    """Copies of `layers` with the low-rank changes of their matrices and the other weights anew.

    Raises:
        KeyError, RuntimeError: the changes are of other layers.
    """
    import torch

    found = []
    for number, layer in enumerate(layers):
        made, own = copy.deepcopy(layer), f"{number}."
        weights = dict(made.state_dict())
        for key in changes:
            kind, _, name = key.partition(own)
            change = torch.from_numpy(changes[key].astype(np.float32))
            if name and kind == UP:
                down = torch.from_numpy(changes[f"{DOWN}{own}{name}"].astype(np.float32))
                weights[name] = weights[name] + change @ down
            elif name and not kind:
                weights[name] = weights.get(name, 0) + change  # an unknown name is refused below
        made.load_state_dict(weights)
        found.append(made.eval().requires_grad_(requires_grad=False))
    return found
