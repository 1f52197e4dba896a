"""Low-rank adapters (Hu et al., 2021, arXiv 2106.09685) in a base while it learns, by peft.

The lower layers need no gradients, and the upper ones none of their own weights: a step costs
little more than reading. Behind the training the changes stand in the weights, and peft is gone.
"""

from typing import Any

import torch
from torch import Tensor, nn

from gretel.contracts.errors import ConfigurationError
from gretel.nodes.retrieve.language.adapters import DOWN, UP, whole
from gretel.nodes.retrieve.language.base import CausalModel
from gretel.training.loop import LoopSettings

_NAME = "default"
_STRENGTH = 2.0
"""A change counts so often: `lora_alpha` over the rank."""


def adapt(base: CausalModel, settings: LoopSettings) -> None:
    """Put adapters of rank `settings.lora` into the matrices of the upper layers.

    Before the first step they change nothing. Nothing else of the base learns from here on.

    Raises:
        ConfigurationError: peft is not installed, or the layers cannot be told apart.
    """
    try:
        from peft import LoraConfig, inject_adapter_in_model
    except ImportError as error:
        remedy = "Install gretel[lora], or tune the upper layers themselves: --lora 0."
        raise ConfigurationError("needs the package peft", field="lora", remedy=remedy) from error
    names = _matrices(base, settings.tuned)
    if not names:
        remedy = "Tune weights of its own: --lora 0."
        raise ConfigurationError(
            "has no layers that can be told apart", field=f"base {base.name}", remedy=remedy
        )
    config = LoraConfig(
        r=settings.lora,
        lora_alpha=round(_STRENGTH * settings.lora),
        target_modules=names,
        fan_in_fan_out=not isinstance(base.model.get_submodule(names[0]), nn.Linear),
    )
    with torch.random.fork_rng():
        torch.manual_seed(settings.seed)
        inject_adapter_in_model(config, base.model, adapter_name=_NAME)
    base.model.eval()


def adapters(base: CausalModel) -> dict[str, nn.Parameter]:
    """Weights of the adapters that are there, by name."""
    return {name: w for name, w in base.model.named_parameters() if ".lora_" in name}


def settle(base: CausalModel) -> dict[str, Tensor]:
    """Take the adapters out, and put what they learnt into the base's weights.

    The factors of the changes, as `language/adapters.py` names them.
    """
    names = {id(weight): name for name, weight in base.weights.known.items()}
    factors: dict[str, Tensor] = {}
    for path, layer in _adapted(base.model):
        own = layer.get_base_layer()
        parent, _, last = path.rpartition(".")
        setattr(base.model.get_submodule(parent), last, own)
        up, down = layer.lora_B[_NAME].weight, layer.lora_A[_NAME].weight
        up, down = (value.detach().float().cpu() for value in (layer.scaling[_NAME] * up, down))
        if layer.fan_in_fan_out:  # GPT-2 keeps its matrices the other way round
            up, down = down.T, up.T
        name = names[id(own.weight)]
        factors |= {f"{UP}{name}": up.contiguous(), f"{DOWN}{name}": down.contiguous()}
    del base.model.peft_config  # as if peft had never been there: more adapters may come
    base.weights.tune(whole(factors, base.weights.known))
    return factors


def _adapted(model: nn.Module) -> list[tuple[str, Any]]:
    from peft.tuners.lora import LoraLayer

    return [(name, each) for name, each in model.named_modules() if isinstance(each, LoraLayer)]


def _matrices(base: CausalModel, share: float) -> list[str]:
    """Names of the linear modules of the upper layers."""
    from transformers.pytorch_utils import Conv1D

    upper = base.layers[len(base.layers) - round(len(base.layers) * share) :]
    within = {id(module) for layer in upper for module in layer.modules()}
    return [
        name
        for name, module in base.model.named_modules()
        if id(module) in within and isinstance(module, (nn.Linear, Conv1D))
    ]
