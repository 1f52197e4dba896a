"""A data set whose vectors are given, so that an ablation needs no encoder."""

from collections.abc import Sequence

import torch
from torch.nn.functional import normalize

from fakes import tool
from gretel.catalog import Catalog
from gretel.nodes.retrieve.masstool.backbone import Vectors
from gretel.training.masstool.data import Examples
from gretel.training.masstool.first import Asked
from gretel.training.masstool.train import Encoded

WIDTH, TOOLS, TRAIN, DEV, NO_TOOL = 16, 6, 48, 12, 10


def examples(seed: int = 7, *, no_tool: int = NO_TOOL) -> Examples:
    """Requests of six scenes: request n is served by tool n mod 6 and the next one."""
    catalog = Catalog.from_tools([tool(f"Kit{n}.lookup{n}") for n in range(TOOLS)])
    texts = [f"seed {seed}: word{n % TOOLS} number {n}" for n in range(TRAIN + DEV)]
    gold = [tuple(sorted({n % TOOLS, (n + 1) % TOOLS})) for n in range(TRAIN + DEV)]
    return Examples(
        catalog=catalog,
        tools=tuple(sorted(catalog, key=lambda each: each.tool_id)),
        train=Asked(tuple(texts[:TRAIN]), tuple(gold[:TRAIN])),
        dev=Asked(tuple(texts[TRAIN:]), tuple(gold[TRAIN:])),
        no_tool=tuple(f"poem {n}" for n in range(no_tool)),
        no_tool_dev=tuple(f"joke {n}" for n in range(no_tool // 2)),
        digest="data",
    )


def encoded(asked: Examples, seed: int = 7) -> Encoded:
    """Requests of a scene lie together, requests without need apart from all others."""
    drawn = torch.Generator().manual_seed(seed)
    scenes = torch.randn(TOOLS + 1, WIDTH, generator=drawn)

    def vectors(places: Sequence[int]) -> Vectors:
        noise = 0.3 * torch.randn(len(places), WIDTH, generator=drawn)
        made = normalize(scenes[list(places)] + noise, dim=-1) if places else noise
        return Vectors(made, made)

    return Encoded(
        train=vectors([n % TOOLS for n in range(TRAIN)]),
        dev=vectors([n % TOOLS for n in range(TRAIN, TRAIN + DEV)]),
        no_tool=vectors([TOOLS] * len(asked.no_tool)),
        no_tool_dev=vectors([TOOLS] * len(asked.no_tool_dev)),
        texts=normalize(torch.randn(TOOLS, WIDTH, generator=drawn), dim=-1),
    )
