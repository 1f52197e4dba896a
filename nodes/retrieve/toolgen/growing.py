"""More tools, and other documents, without training."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor

from gretel.catalog.digest import combined_digest, tool_digest
from gretel.contracts.tool import Tool
from gretel.nodes.retrieve.artifact.store import packed_texts, write_parts
from gretel.nodes.retrieve.encoding.encoder import Encoder
from gretel.nodes.retrieve.semantic.signals import dense_text
from gretel.nodes.retrieve.toolgen.artifact import Manifest, packed_rows, read_artifact
from gretel.nodes.retrieve.toolgen.coded import CodedModel, opened
from gretel.nodes.retrieve.toolgen.codes import Codebook, Words
from gretel.nodes.retrieve.toolgen.documents import Middle, directions, hidden_of, rows_of
from gretel.nodes.retrieve.toolgen.model import ToolModel
from gretel.nodes.retrieve.toolgen.rows import Rows
from gretel.nodes.retrieve.toolgen.slots import RESERVED, Slot, Slots


class Grown(NamedTuple):
    """Slots, and a row for each, or for each word of their codes."""

    slots: Slots
    rows: Rows
    book: Codebook | None = None
    """How tools are coded from now on; None where each is one token."""


def grown(
    model: ToolModel, slots: Slots, middle: Middle, tools: Sequence[Tool], texts: Tensor
) -> Grown:
    """With `tools`, or in the place of those with their ids; the model itself is as it was.

    A tool that was learnt keeps what was learnt: its row moves as its document does. Where tools
    are said in several words, it keeps its code, and others get that of their document.
    `texts`: (tools, width) vectors of these by the encoder, by which they are coded.
    """
    if isinstance(model, CodedModel):
        return _coded(model, slots, middle, tools, texts)
    here = slots.by_id()
    found = directions(hidden_of(model, tools), middle.documents)
    made = rows_of(model, tools, found, middle)
    places = {n: here[tool.tool_id] for n, tool in enumerate(tools) if tool.tool_id in here}
    rows = model.rows
    if places:
        rows = rows.replaced(places.values(), _moved(model, slots, middle, made, places))
        slots = slots.updated({slot: tool_digest(tools[n]) for n, slot in places.items()})
    new = [n for n in range(len(tools)) if n not in places]
    added = [Slot(tool_id=tools[n].tool_id, digest=tool_digest(tools[n])) for n in new]
    return Grown(slots.appended(added), rows.appended(made.at(new)))


def _coded(
    model: CodedModel, slots: Slots, middle: Middle, tools: Sequence[Tool], texts: Tensor
) -> Grown:
    """A word that was never said before gets the row that the tool's document would have."""
    here = slots.by_id()
    places = {n: here[tool.tool_id] for n, tool in enumerate(tools) if tool.tool_id in here}
    learnt = {n for n, slot in places.items() if slots.at(slot).status == "trained"}
    wanted = [n for n in range(len(tools)) if n not in learnt]
    used = [tool.code for tool in slots.tools]
    book, codes = model.book.coded(
        [tools[n] for n in wanted], texts[wanted], used, model.base.tokenizer
    )
    code_of = dict(zip(wanted, codes, strict=True))
    slots = slots.updated({slot: tool_digest(tools[n]) for n, slot in places.items()})
    slots = slots.recoded({slot: code_of[n] for n, slot in places.items() if n in code_of})
    added = [
        Slot(tool_id=tools[n].tool_id, digest=tool_digest(tools[n]), code=code_of[n])
        for n in wanted
        if n not in places
    ]
    first = {word: n for n, code in reversed(code_of.items()) for word in code}
    new = [tools[first[word]] for word in range(len(model.rows), RESERVED + len(book.words))]
    found = directions(hidden_of(model, new), middle.documents)
    rows = model.rows.appended(rows_of(model, new, found, middle))
    return Grown(slots.appended(added), rows, book)


def _moved(
    model: ToolModel, slots: Slots, middle: Middle, made: Rows, places: dict[int, int]
) -> Rows:
    """Rows of tools that are there already, by their places among `made`."""
    before, after = model.rows.at(places.values()), made.at(places)
    learnt = torch.tensor([slots.at(slot).status == "trained" for slot in places.values()])
    moved = middle.length * (after.documents - before.documents)
    change, bias = middle.levelled(moved, torch.tensor(0.0), model.base.has_bias)
    kept = Rows(
        before.out + change,
        before.bias + bias,
        before.into + after.into - before.into,
        after.documents,
    )
    return Rows(
        *(
            torch.where(learnt.view(-1, *[1] * (mine.ndim - 1)), mine, theirs)
            for mine, theirs in zip(kept.tensors.values(), after.tensors.values(), strict=True)
        )
    )


def grow(folder: Path, tools: Sequence[Tool]) -> Manifest:
    """Add `tools` to an artefact on disk, or put them in the place of those with their ids.

    Raises:
        ConfigurationError: the folder holds no artefact, or base or encoder cannot be loaded.
        IndexCorrupt: a file of it is missing or was changed.
    """
    artifact = read_artifact(folder)
    manifest, model = artifact.manifest, opened(artifact)
    read = torch.from_numpy(
        Encoder(manifest.encoder).documents([dense_text(tool) for tool in tools])
    )
    found = grown(model, manifest.shape.slots, artifact.middle, tools, read)
    known = dict(manifest.tools)
    texts = dict(zip(known, artifact.texts, strict=True))
    for tool, row in zip(tools, read, strict=True):
        known[tool.tool_id] = tool_digest(tool)
        texts[tool.tool_id] = row
    codes = found.book and Words(scheme=found.book.scheme, words=found.book.words)
    update = {
        "tools": known,
        "catalog_digest": combined_digest(known.values()),
        "shape": manifest.shape.model_copy(update={"slots": found.slots, "codes": codes}),
    }
    parts = {
        "rows.safetensors": packed_rows(found.rows, artifact.middle, artifact.centres),
        "tools.npz": packed_texts(torch.stack(list(texts.values()))),
    }
    return write_parts(folder, manifest.model_copy(update=update), parts)
