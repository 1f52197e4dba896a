"""More tools into an artefact on disk."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import torch

from gretel.catalog.digest import combined_digest, tool_digest
from gretel.contracts.tool import Tool
from gretel.nodes.retrieve.encoding.encoder import Encoder
from gretel.nodes.retrieve.masstool.artifact import Manifest, read_artifact, write_artifact
from gretel.nodes.retrieve.semantic.signals import dense_text


def grow(folder: Path, tools: Sequence[Tool]) -> Manifest:
    """Add `tools`, or put them in the place of those with their ids; nothing is trained.

    Raises:
        ConfigurationError: the folder holds no artefact, or the encoder cannot be loaded.
        IndexCorrupt: a file of it is missing or was changed.
    """
    artifact = read_artifact(folder)
    made = Encoder(artifact.manifest.encoder).documents([dense_text(tool) for tool in tools])
    known = dict(artifact.manifest.tools)
    rows = dict(zip(known, artifact.texts, strict=True))
    for tool, row in zip(tools, made, strict=True):
        known[tool.tool_id] = tool_digest(tool)
        rows[tool.tool_id] = torch.from_numpy(row)
    update = {"tools": known, "catalog_digest": combined_digest(known.values())}
    manifest = artifact.manifest.model_copy(update=update)
    return write_artifact(
        replace(artifact, manifest=manifest, texts=torch.stack(list(rows.values()))), folder
    )
