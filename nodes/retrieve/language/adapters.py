"""Changes of low rank (LoRA, arXiv 2106.09685) as an artefact keeps them: two factors a weight.

Of a matrix of 576 × 576 that is a twentieth. They are added to the base when it is opened, so that
whoever uses an artefact needs no library of adapters, and a request costs what it costs without.
"""

from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor

from gretel.nodes.retrieve.artifact.arrays import read_weights

UP, DOWN = "lora/up/", "lora/down/"
"""Before the name of the weight: (rows, rank) and (rank, columns) of the change."""


def whole(weights: Mapping[str, Tensor], known: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """What weights are to be, where `known` are those of the base: changes are added to them.

    For a change of a weight that the base does not have, or has in another size, nothing stands
    there, which is refused: such a product may be larger than any memory.
    """
    found = {key: value for key, value in weights.items() if not key.startswith((UP, DOWN))}
    for name in changed(weights):
        up, down, own = weights[f"{UP}{name}"], weights[f"{DOWN}{name}"], known.get(name)
        fits = own is not None and own.shape == (len(up), down.shape[1])
        found[name] = torch.zeros(0)
        if own is not None and fits:
            found[name] = own.detach().float().cpu() + up @ down
    return found


def changed(weights: Mapping[str, Tensor]) -> list[str]:
    """Names of the weights that are changed by factors.

    Raises:
        ValueError: a factor lacks its other one.
    """
    ups = [key.removeprefix(UP) for key in weights if key.startswith(UP)]
    downs = {key.removeprefix(DOWN): key for key in weights if key.startswith(DOWN)}
    if set(ups) != downs.keys() or any(
        weights[f"{UP}{name}"].ndim != 2
        or weights[downs[name]].ndim != 2
        or weights[f"{UP}{name}"].shape[1] != weights[downs[name]].shape[0]
        for name in ups
    ):
        raise ValueError("its factors are no pairs")
    return ups


def joined(first: Mapping[str, Tensor], second: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Factors of both changes, one behind the other: their products add up."""
    found = {**first, **second}
    for name in set(first) & set(second):
        side = 1 if name.startswith(UP) else 0
        found[name] = torch.cat([first[name], second[name]], side).contiguous()
    return found


def read_changes(path: Path) -> dict[str, Tensor]:
    """Weights of a file, tuned or as factors; ValueError where they are not what we write."""
    weights = read_weights(path)
    changed(weights)
    return weights
