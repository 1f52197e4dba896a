"""A model some of whose weights are tuned: which, from what, and back again."""

import hashlib
from collections.abc import Mapping
from contextlib import AbstractContextManager

import torch
from torch import Tensor, nn

from gretel.contracts.errors import ConfigurationError


class TunedModel:
    """A model with a note of what its weights were when it was opened.

    Attributes:
        known: its weights by the names that they had then.
        digest: SHA-256 of what they were.
    """

    def __init__(self, module: nn.Module, name: str) -> None:
        """`name`: what a message calls it. Modules may be wrapped later: names are those of now."""
        self.known = dict(module.named_parameters())
        self._name = name
        self._original = {key: _digest(value) for key, value in self.known.items()}
        lines = "\n".join(f"{key} {value}" for key, value in sorted(self._original.items()))
        self.digest = hashlib.sha256(lines.encode()).hexdigest()

    def tuned(self) -> dict[str, Tensor]:
        """Those weights that are no longer what they were when the model was opened."""
        return {
            key: value.detach().cpu().contiguous()
            for key, value in self.known.items()
            if _digest(value) != self._original[key]
        }

    def tune(self, weights: Mapping[str, Tensor]) -> None:
        """Put tuned weights in the place of the model's own.

        Raises:
            ConfigurationError: they are of another model.
        """
        known = self.known
        for key, value in weights.items():
            if key not in known or known[key].shape != value.shape:
                raise ConfigurationError(
                    f"has no weights {key!r} of this shape",
                    field=self._name,
                    remedy="Open the artefact with the model that it was trained from.",
                )
            with torch.no_grad():
                known[key].copy_(value)


def faster(device: torch.device, *, enabled: bool = True) -> AbstractContextManager[object]:
    """Half precision where the machine multiplies in it."""
    able = enabled and multiplies_halves(device)
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=able)


def multiplies_halves(device: torch.device) -> bool:
    """Whether products in bfloat16 are faster there than in single precision."""
    known = torch.cpu.get_capabilities()
    return device.type == "cuda" or any(known.get(way) for way in ("amx_bf16", "avx512_bf16"))


def layers_of(transformer: nn.Module, depth: int) -> list[nn.Module]:
    """The layers of a transformer that says it has `depth` of them, wherever it keeps them.

    None where no list of that length holds modules of one class: ALBERT passes one layer again
    and again.
    """
    lists = (each for each in transformer.modules() if isinstance(each, nn.ModuleList))
    for layers in lists:
        if len(layers) == depth and len({type(layer) for layer in layers}) == 1:
            return list(layers)
    return []


def _digest(value: Tensor) -> str:
    plain = value.detach().cpu().contiguous()
    return hashlib.sha256(plain.view(-1).view(torch.uint8).numpy().tobytes()).hexdigest()
