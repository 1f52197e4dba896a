"""Artefacts that are as they say in all, and whose vectors are none of the model's they name."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

import masstool_models
import rewriter_models
import toolgen_models
from fakes import tool
from gretel.catalog import Catalog
from gretel.contracts.errors import GretelError
from gretel.contracts.ranking import RetrievalQuery
from gretel.graph.entry import entry_node_retriever
from gretel.nodes.retrieve.masstool import artifact as masstool
from gretel.nodes.retrieve.masstool.config import Shape
from gretel.nodes.retrieve.masstool.model import MassTool
from gretel.nodes.retrieve.masstool.pool import Pool
from gretel.nodes.retrieve.rewriting import artifact as rewriting
from gretel.nodes.retrieve.rewriting.artifact import Head
from gretel.nodes.retrieve.rewriting.artifact import Shape as HeadShape
from gretel.nodes.retrieve.toolgen import artifact as toolgen
from gretel.nodes.retrieve.toolgen.documents import Middle
from gretel.nodes.retrieve.toolgen.rows import Rows

pytestmark = pytest.mark.slow

TOOLS = [tool("Bank.convert", "Convert money."), tool("Sky.find", "Find rain of a city.")]
WIDTH = 100


def unit(rows: int) -> torch.Tensor:
    return torch.nn.functional.normalize(torch.ones(rows, WIDTH), dim=-1)


def wide_masstool(folder: Path) -> dict[str, Any]:
    made, shape = (
        masstool_models.untrained(TOOLS, masstool_models.by_text(TOOLS)),
        Shape(width=WIDTH),
    )
    manifest = made.manifest.model_copy(update={"shape": shape})
    pool = Pool(unit(len(made.pool.gold)), made.pool.gold)
    model = MassTool(shape).state_dict()
    changed = replace(made, manifest=manifest, model=model, pool=pool, texts=unit(len(TOOLS)))
    masstool.write_artifact(changed, folder)
    return {"retriever": "masstool", "artifact": folder}


def wide_rewriter(folder: Path) -> dict[str, Any]:
    made, shape = (
        rewriter_models.taught(TOOLS, {"rain": TOOLS[1]}),
        HeadShape(width=WIDTH, hidden=4),
    )
    manifest = made.manifest.model_copy(update={"shape": shape})
    head = Head(shape).eval().requires_grad_(requires_grad=False)
    changed = replace(made, manifest=manifest, head=head, texts=unit(len(TOOLS)))
    rewriting.write_artifact(changed, folder)
    return {"rewriter": folder}


def wide_texts(folder: Path) -> dict[str, Any]:
    made = toolgen_models.untrained(TOOLS, new=[each.tool_id for each in TOOLS])
    toolgen.write_artifact(replace(made, texts=unit(len(TOOLS))), folder)
    return {"retriever": "toolgen", "artifact": folder}


def wide_rows(d_in: int, d_out: int, folder: Path) -> dict[str, Any]:
    made = toolgen_models.untrained(TOOLS)
    shape = made.manifest.shape.model_copy(update={"d_in": d_in, "d_out": d_out})
    manifest = made.manifest.model_copy(update={"shape": shape})
    rows = Rows.empty(shape.rows, d_in, d_out)
    changed = replace(made, manifest=manifest, rows=rows, middle=Middle.of(d_out))
    toolgen.write_artifact(changed, folder)
    return {"retriever": "toolgen", "artifact": folder}


WIDE: dict[str, Callable[[Path], dict[str, Any]]] = {
    "MassTool": wide_masstool,
    "a rewriter": wide_rewriter,
    "texts of a ToolGen": wide_texts,
    "what a ToolGen reads": lambda folder: wide_rows(16, 32, folder),
    "what a ToolGen scores": lambda folder: wide_rows(32, 16, folder),
}


@pytest.mark.parametrize("name", WIDE)
async def test_vectors_of_another_width_are_one_typed_error(name: str, tmp_path: Path) -> None:
    options = WIDE[name](tmp_path)
    rewriter = options.pop("rewriter", None)
    retriever = entry_node_retriever(Catalog.from_tools(TOOLS), options, rewriter=rewriter)
    with pytest.raises(GretelError, match=r"[Tt]rain it again"):
        await retriever.retrieve([RetrievalQuery(text="find rain in Oslo")], k=2)
