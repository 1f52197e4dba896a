"""A generative rewriter over some tools, made without training."""

from collections.abc import Sequence

import torch

from gretel.catalog import Catalog
from gretel.catalog.digest import tool_digest
from gretel.contracts.tool import Tool
from gretel.nodes.retrieve.encoding.encoder import Encoder
from gretel.nodes.retrieve.language.base import CausalModel
from gretel.nodes.retrieve.semantic.signals import dense_text
from gretel.nodes.rewrite.generative.artifact import Artifact, Calibration, Manifest, Shape
from gretel.nodes.rewrite.generative.writer import Writer, Written
from toolgen_models import tiny


class Says(Writer):
    """A writer that says the same to every request."""

    def __init__(self, text: str, *, ended: bool = True) -> None:
        super().__init__(CausalModel(str(tiny())))
        self._said = Written(text, ended)

    def write(self, requests: Sequence[str]) -> list[Written]:
        return [self._said for _ in requests]


def untaught(tools: Sequence[Tool], *, weight: float = 0.3) -> Artifact:
    """An artefact before its first step."""
    base = CausalModel(str(tiny()))
    texts = torch.from_numpy(Encoder().documents([dense_text(tool) for tool in tools]))
    return Artifact(
        manifest=Manifest(
            encoder=None,
            encoder_digest="",
            shape=Shape(
                base=str(tiny()),
                base_digest=base.weights.digest,
                vocabulary=base.vocabulary,
                template=base.template,
            ),
            calibration=Calibration(weight=weight),
            catalog_digest=Catalog.from_tools(tools).digest,
            tools={tool.tool_id: tool_digest(tool) for tool in tools},
            files={},
            made={},
        ),
        weights={"model.norm.weight": base.weights.known["model.norm.weight"].detach() * 2},
        texts=texts,
    )
