"""More tools into an artefact on disk."""

from collections.abc import Sequence
from pathlib import Path

import torch

from gretel.catalog.digest import combined_digest, tool_digest
from gretel.contracts.tool import Tool
from gretel.nodes.retrieve.artifact.manifest import Manifest
from gretel.nodes.retrieve.artifact.store import (
    TOOLS,
    check_files,
    packed_texts,
    read_manifest,
    read_texts,
    write_parts,
)
from gretel.nodes.retrieve.encoding.encoder import Encoder
from gretel.nodes.retrieve.semantic.signals import dense_text


def grow(folder: Path, tools: Sequence[Tool]) -> Manifest:
    """Add `tools`, or put them in the place of those with their ids; nothing is trained.

    Raises:
        ConfigurationError: the folder holds no artefact, or the encoder cannot be loaded.
        IndexCorrupt: a file of it is missing or was changed.
    """
    manifest = read_manifest(folder, Manifest)
    check_files(folder, manifest, tuple(manifest.files))
    made = Encoder(manifest.encoder).documents([dense_text(tool) for tool in tools])
    known = dict(manifest.tools)
    rows = dict(zip(known, read_texts(folder / TOOLS, made.shape[1], len(known)), strict=True))
    for tool, row in zip(tools, made, strict=True):
        known[tool.tool_id] = tool_digest(tool)
        rows[tool.tool_id] = torch.from_numpy(row)
    update = {"tools": known, "catalog_digest": combined_digest(known.values())}
    texts = packed_texts(torch.stack(list(rows.values())))
    return write_parts(folder, manifest.model_copy(update=update), {TOOLS: texts})
