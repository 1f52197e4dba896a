"""What learns of a language model."""

from torch import nn

from gretel.nodes.retrieve.language.base import CausalModel
from gretel.training.language.lora import adapters
from gretel.training.loop import Group, LoopSettings, groups_of


def body(base: CausalModel, settings: LoopSettings) -> list[Group]:
    """What learns of a base: its adapters, or its upper layers."""
    found = adapters(base) if settings.lora else tunable(base, settings.tuned)
    return groups_of(found, settings.decay)


def tunable(base: CausalModel, share: float) -> dict[str, nn.Parameter]:
    """The weights of the upper layers and of what stands above them; the others stay.

    The head's own take no part in what is learnt. Modules stand in the order in which they were
    made, so that what is below the layers comes before them.
    """
    every = dict(base.weights.known)
    head = base.model.get_output_embeddings()
    chosen = {name: weight for name, weight in every.items() if weight is not head.weight}
    if share < 1:
        upper = base.layers[len(base.layers) - round(len(base.layers) * share) :]
        own = {id(weight) for layer in upper for weight in layer.parameters()}
        within = {id(weight) for layer in base.layers for weight in layer.parameters()}
        names = list(every)
        top = max((n for n, name in enumerate(names) if id(every[name]) in within), default=-1)
        above = set(names[top + 1 :])
        chosen = {n: each for n, each in chosen.items() if id(each) in own or n in above}
    for weight in every.values():
        weight.requires_grad = any(weight is each for each in chosen.values())
    return chosen
