"""Lists that repeat what is there: a stranger's word on a tool changes nothing of it."""

import json
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from fakes import FakeRetriever, tool
from gretel.catalog import Catalog
from gretel.catalog.digest import tool_digest
from gretel.contracts.tool import Tool
from gretel.graph.parts import Options
from gretel.graph.selector import Selector

SKY = "https://sky.example"


def listed(folder: Path, *tools: Tool, **changed: Any) -> Catalog:
    """The tools as records of a stranger's list."""
    rows = [each.model_dump(mode="json") | changed for each in tools]
    (folder / "list.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return Catalog.from_jsonl(folder / "list.jsonl")


def test_a_changed_tool_is_not_pinned_anew_by_whoever_lists_it(tmp_path: Path) -> None:
    def trial(selector: Selector) -> str:
        found = selector.select("find a star", abstain_below=0.0).trials[0].executed.failure
        return found.kind if found else ""

    options: Options = {"index": tmp_path / "index"}
    with Selector(
        Catalog.from_tools([tool("Sky.find", "Find a star.", server=SKY)]), **options
    ) as s:
        assert trial(s) == "host_not_allowed"
    changed = tool("Sky.find", "Find a star, or what I say by now.", server=SKY)
    with Selector(Catalog.from_tools([changed]), **options) as s:
        assert trial(s) == "drift"
        s.add(listed(tmp_path, changed))
        assert trial(s) == "drift"
        s.add([changed])
        assert trial(s) == "drift"
        s.add([changed], replace=True)  # on purpose
        assert trial(s) == "host_not_allowed"


def pay(amount: int) -> str:
    """Pay an amount."""
    return f"paid {amount}"


@pytest.mark.parametrize("join", [Catalog.__add__, Catalog.add])
def test_a_list_that_copies_a_function_does_not_take_its_place(
    join: Callable[[Catalog, Catalog], Catalog], tmp_path: Path
) -> None:
    def nameless(amount: int) -> str:
        """Pay an amount."""
        return pay(amount)

    own = Catalog.from_callables([nameless], toolkit="bank")
    together = join(listed(tmp_path, *own, source="x"), own)
    assert list(together.live.values()) == [nameless] and len(together) == 1
    assert [each.source for each in together] == [each.source for each in own]


def test_tools_come_and_go_while_others_read(monkeypatch: pytest.MonkeyPatch) -> None:
    catalog = Catalog.from_tools(tool(f"A.find{at}") for at in range(9))
    before, numbers = catalog.digest, count()
    catalog.add([tool("B.find")]).remove(["B.find"])

    def meanwhile(each: Tool) -> str:
        if each.tool_id.startswith("A"):
            catalog.remove(["A.find5"]).add([tool(f"B.find{next(numbers)}")])
        return tool_digest(each)

    monkeypatch.setattr("gretel.catalog.collection.tool_digest", meanwhile)
    assert catalog.digest == before  # of the tools that were there when it was asked for


def test_a_selector_asks_its_retriever_for_what_is_new_alone() -> None:
    old, new = tool("A.find"), tool("B.find")
    retriever = FakeRetriever([old])
    with Selector(Catalog.from_tools([old]), retriever=retriever) as selector:
        selector.add([old, new])
    added = [call.arguments["tools"] for call in retriever.calls if call.method == "add"]
    assert added == [(new,)]
