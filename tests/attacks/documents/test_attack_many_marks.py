"""Ids and documents that claim to have been told apart from others again and again."""

import json
import tracemalloc
from pathlib import Path
from typing import Any

from fakes import tool
from gretel.catalog import Catalog
from gretel.catalog.identity import apart, before_marks
from gretel.catalog.ownership import Owner, owner_of, told_apart
from gretel.contracts.tool import ToolId


def rows(folder: Path, records: list[dict[str, Any]]) -> Catalog:
    (folder / "tools.jsonl").write_text("\n".join(map(json.dumps, records)))
    return Catalog.from_jsonl(folder / "tools.jsonl")


def test_ids_of_hundreds_of_marks_take_no_memory() -> None:
    """Each beginning of each id was kept: 1.3 MB of rows took 264 MB, and 6 s."""
    tools = [
        tool("S.find").model_copy(update={"tool_id": f"S.{at}{'@0123abcd' * 440}"})
        for at in range(40)
    ]
    tracemalloc.start()
    try:
        found, notes = apart(tools)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (found, notes) == (tools, [])
    assert most < 2_000_000


def test_the_marks_of_an_id_that_are_looked_at_are_few() -> None:
    assert len([*before_marks(ToolId("S.find" + "@0123abcd" * 440))]) < 20


def test_an_id_that_another_has_without_its_mark_is_nobodys(tmp_path: Path) -> None:
    """The bound takes away nothing of what tells honest tools apart."""
    made = json.loads(tool("S.find").model_dump_json())
    claimed = made | {"tool_id": "S.find@0123abcd", "operation": "other"}
    found = rows(tmp_path, [made, claimed])
    assert "S.find" not in found


class Counted(set[Owner]):
    """Owners that are taken, and how often one was asked for."""

    asked = 0

    def __contains__(self, owner: object) -> bool:
        self.asked += 1
        return super().__contains__(owner)


def test_a_document_under_a_thousand_numbers_is_counted_through_once() -> None:
    """Each of its tools counted anew: two files of 50,000 rows took half an hour to join."""
    tools = [tool(f"S.t{at}").model_copy(update={"source": f"doc#/{at}"}) for at in range(200)]
    first = owner_of(tools[0])
    taken = Counted(
        {first, *(first._replace(document=f"doc~{number}") for number in range(2, 1_001))}
    )
    found = told_apart(tools, taken)
    assert {owner_of(each).document for each in found} == {"doc~1001"}
    assert taken.asked < 2_000
