import itertools
import pickle

import pytest

from gretel.catalog import Catalog, Skipped
from gretel.catalog.digest import tool_digest
from gretel.contracts.errors import DuplicateToolError, UnknownToolError
from gretel.contracts.tool import Tool


def tool(name: str, **more) -> Tool:
    return Tool(**{"tool_id": f"kit.{name}", "toolkit": "kit", "operation": name, **more})


def test_tools_are_looked_up_and_iterated_in_id_order():
    catalog = Catalog.from_tools([tool("b"), tool("a"), tool("c")])
    assert [t.operation for t in catalog] == ["a", "b", "c"]
    assert catalog["kit.b"].operation == "b"
    assert "kit.a" in catalog and "kit.z" not in catalog and 5 not in catalog
    assert len(catalog) == 3


def test_an_unknown_id_is_named():
    with pytest.raises(UnknownToolError, match=r"kit\.z"):
        Catalog()["kit.z"]


def test_an_empty_catalogue_is_one():
    assert (len(Catalog()), list(Catalog()), Catalog().skipped) == (0, [], ())
    assert Catalog().digest == Catalog.from_tools([]).digest


def test_the_digest_does_not_know_the_order():
    tools = [tool(name) for name in "abc"]
    digests = {Catalog.from_tools(order).digest for order in itertools.permutations(tools)}
    assert len(digests) == 1


def test_the_digest_knows_the_content_and_not_where_it_was_read():
    digest = Catalog.from_tools([tool("a")]).digest
    assert Catalog.from_tools([tool("a", source="x.yaml")]).digest == digest
    for change in ({"description": "x"}, {"external_id": "1"}, {"deprecated": True}):
        assert Catalog.from_tools([tool("a", **change)]).digest != digest


def test_the_digest_follows_every_change():
    catalog = Catalog.from_tools([tool("a"), tool("b")])
    before = catalog.digest
    assert catalog.remove(["kit.b", "kit.unknown"]).digest == Catalog([tool("a")]).digest
    assert catalog.add([tool("b")]).digest == before
    assert catalog.add([tool("b", description="new")], replace=True).digest != before
    assert len(catalog) == 2


def test_catalogues_add_with_what_was_skipped():
    row = Skipped("x", "broken", "mend it")
    left, right = Catalog([tool("a")], skipped=[row]), Catalog([tool("b"), tool("a")])
    both = left + right
    assert [t.operation for t in both] == ["a", "b"]
    assert both.skipped == (row,)
    assert (len(left), len(right)) == (1, 2)
    assert both.digest == (right + left).digest


def test_a_different_tool_of_the_same_id_is_refused_and_nothing_changes():
    catalog = Catalog([tool("a")])
    other = [tool("b"), tool("a", description="other")]
    with pytest.raises(DuplicateToolError, match=r"kit\.a"):
        catalog.add(other)
    with pytest.raises(DuplicateToolError):
        Catalog([*other, tool("a")])
    assert [t.operation for t in catalog] == ["a"]


def test_the_same_tool_again_is_no_error():
    catalog = Catalog([tool("a")])
    assert len(catalog.add([tool("a", source="elsewhere")])) == 1


def test_iteration_sees_no_later_change():
    catalog = Catalog([tool("a"), tool("b")])
    for found in catalog:
        catalog.remove([found.tool_id])
    assert len(catalog) == 0


def test_tools_are_found_by_their_documents_id():
    catalog = Catalog([tool("a", external_id="1"), tool("b", external_id="2"), tool("c")])
    found = catalog.by_external_id("2")
    assert found is not None and found.operation == "b"
    assert catalog.by_external_id("3") is None
    catalog.add([tool("d", external_id="2")])
    assert catalog.by_external_id("2") is None


def test_a_digest_takes_any_text():
    assert len(tool_digest(tool("a", description="день 👋"))) == 64


def test_the_text_form_counts():
    assert repr(Catalog([tool("a")])) == "Catalog(1 tools, 0 skipped)"


def test_a_catalogue_can_be_stored_also_after_a_selection_has_indexed_it():
    catalog = Catalog.from_tools([tool("a"), tool("b")])
    assert catalog.vocabulary
    stored = pickle.loads(pickle.dumps(catalog))
    assert (list(stored), stored.digest) == (list(catalog), catalog.digest)
    assert stored.vocabulary
