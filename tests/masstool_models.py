"""MassTool over some tools, made without training."""

from collections.abc import Mapping, Sequence
from functools import cache

import pytest
import torch

from gretel.catalog import Catalog
from gretel.catalog.digest import tool_digest
from gretel.contracts.tool import Tool, ToolId
from gretel.nodes.retrieve.artifact.manifest import Calibration
from gretel.nodes.retrieve.encoding.encoder import Encoder
from gretel.nodes.retrieve.masstool.artifact import Artifact, Manifest
from gretel.nodes.retrieve.masstool.backbone import Backbone
from gretel.nodes.retrieve.masstool.config import Shape
from gretel.nodes.retrieve.masstool.model import MassTool
from gretel.nodes.retrieve.masstool.pool import Pool
from gretel.nodes.retrieve.masstool.retriever import WARM, MassToolRetriever
from gretel.nodes.retrieve.semantic.signals import dense_text


@cache
def bundled() -> Backbone:
    """The encoder of the install, as it came; loading it is most of what an opening takes."""
    return Backbone()


@cache
def _of_requests(*texts: str) -> torch.Tensor:
    return bundled().encode(texts).final


@cache
def _of_tools(*texts: str) -> torch.Tensor:
    return torch.from_numpy(Encoder().documents(texts)).reshape(len(texts), bundled().width)


DETECTS = Calibration(slope=2.0, offset=1.0, detects=True)


def by_text(tools: Sequence[Tool], times: int = WARM) -> list[tuple[str, list[ToolId]]]:
    """Requests that put each tool's own text in other words, `times` of each."""
    ways = ("please: {}", "I need this: {}", "help me. {}", "what about: {}")
    return [
        (way.format(tool.description), [tool.tool_id]) for tool in tools for way in ways[:times]
    ]


def untrained(
    tools: Sequence[Tool],
    requests: Sequence[tuple[str, Sequence[ToolId]]],
    *,
    calibration: Calibration | None = None,
) -> Artifact:
    """An artefact of a model as it is before its first step, with a pool of `requests`."""
    backbone = bundled()
    place = {tool.tool_id: number for number, tool in enumerate(tools)}
    shape = Shape(width=backbone.width, neighbours=10)
    torch.manual_seed(7)
    vectors = _of_requests(*(text for text, _ in requests)).clone()
    none = Pool(torch.empty(0, backbone.width), ())
    texts = _of_tools(*map(dense_text, tools)).clone()
    catalog = Catalog.from_tools(tools)
    return Artifact(
        manifest=Manifest(
            encoder=None,
            encoder_digest=backbone.weights.digest,
            shape=shape,
            calibration=calibration or Calibration(slope=2.0, offset=1.0),
            catalog_digest=catalog.digest,
            tools={tool.tool_id: tool_digest(tool) for tool in tools},
            files={},
            made={},
        ),
        model=MassTool(shape).state_dict(),
        encoder={},
        pool=none.with_more(vectors, [[place[tool] for tool in served] for _, served in requests]),
        texts=texts,
    )


def retriever_of(
    tools: Sequence[Tool],
    uses: Mapping[ToolId, int] | None = None,
    *,
    calibration: Calibration | None = None,
) -> MassToolRetriever:
    """Over `tools`, each known by `uses` requests; all by `WARM` where nothing is said."""
    requests = [
        request
        for tool in tools
        for request in by_text([tool], WARM if uses is None else uses.get(tool.tool_id, 0))
    ]
    artifact = untrained(tools, requests, calibration=calibration)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gretel.nodes.retrieve.masstool.reader.Backbone", lambda _: bundled())
        return MassToolRetriever(artifact, Catalog.from_tools(tools))
