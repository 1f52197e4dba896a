"""The measurement data, where it is at hand."""

import json
from pathlib import Path

import pytest

from gretel.catalog import Catalog
from gretel.catalog.arguments import argument_problems
from gretel.contracts.errors import CatalogError
from gretel.contracts.tool import HttpBinding, NoBinding, VirtualBinding
from lanes import every

CORPORA = {
    "toolbench_g1": (1_973, VirtualBinding),
    "sealtools": (4_076, NoBinding),
    "callnavi": (587, NoBinding),
    "livemcp": (527, NoBinding),
    "metatool_toole": (199, NoBinding),
    "toollens": (464, VirtualBinding),
}


@pytest.mark.parametrize("name", every(2, CORPORA))
def test_every_row_of_a_corpus_is_a_tool(data_dir: Path, name: str):
    rows, binding = CORPORA[name]
    catalog = Catalog.from_path(data_dir / name)
    assert (len(catalog), catalog.skipped) == (rows, ())
    assert all(isinstance(tool.binding, binding) for tool in catalog)
    with (data_dir / name / "corpus.jsonl").open() as lines:
        declared = [json.loads(line)["_id"] for line in lines]
    assert all(catalog.by_external_id(external_id) for external_id in declared)


@pytest.mark.slow
def test_a_first_part_of_the_flattened_operations(data_dir: Path, tmp_path: Path):
    lines = (data_dir / "arazzo" / "corpus.jsonl").read_text().split("\n")[:1_000]
    (tmp_path / "corpus.jsonl").write_text("\n".join(lines))
    catalog = Catalog.from_path(tmp_path)
    assert (len(catalog), catalog.skipped) == (1_000, ())
    assert all(isinstance(tool.binding, HttpBinding) for tool in catalog)


@pytest.mark.slow
def test_published_documents_end_in_a_catalogue_or_one_clear_error(data_dir: Path):
    with (data_dir / "openapi" / "index.jsonl").open() as lines:
        index = [json.loads(line) for line in lines]
    expected = loaded = 0
    for row in index[::4]:
        try:
            catalog = Catalog.from_openapi(data_dir / "openapi" / row["file"])
        except CatalogError as error:
            assert row["expect"] != "real-world", error
            continue
        if row["expect"] == "real-world":
            expected, loaded = expected + row["n_operations"], loaded + len(catalog)
        for tool in list(catalog)[:5]:
            argument_problems(tool, {"nothing": 1})
    assert loaded >= 0.95 * expected > 0
