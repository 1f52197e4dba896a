import re
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gretel.catalog.digest import tool_digest
from gretel.catalog.identity import NAME_LIMIT, clean_name, mint, operation_name, tell_apart
from gretel.catalog.report import Loaded
from gretel.contracts.tool import HttpBinding, Tool, VirtualBinding


def tool(tool_id: str = "kit.op", **more) -> Tool:
    return Tool(**{"tool_id": tool_id, "toolkit": "kit", "operation": "op", **more})


def ids(*tools: Tool) -> list[str]:
    return [t.tool_id for t in tell_apart(Loaded(list(tools))).tools]


def test_case_and_script_are_kept():
    assert mint("FlightsPro", "search_Flights") == "FlightsPro.search_Flights"
    assert mint("Погода", "найти") == "Погода.найти"
    assert mint("👋 Demo  Project", "Get Order") == "👋_Demo_Project.Get_Order"


@pytest.mark.parametrize(
    ("hostile", "safe"),
    [
        ("a\tb\nc", "a b c"),
        ("a\x00b\x1b[31mc", "a b [31mc"),
        ("\u202egnp.exe", "gnp.exe"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("  spaced  ", "spaced"),
        ("line\u2028break", "line break"),
        ("cafe\u0301", "café"),
        ("half\ud800", "half"),
    ],
)
def test_a_hostile_name_is_made_safe(hostile, safe):
    assert clean_name(hostile) == safe


def test_a_long_name_keeps_its_beginning_and_stays_distinct():
    one, other = clean_name("x" * 10_000), clean_name("x" * 10_001)
    assert one != other
    assert one.startswith("x" * NAME_LIMIT) and len(one) < NAME_LIMIT + 20
    assert clean_name("y" * NAME_LIMIT) == "y" * NAME_LIMIT


def test_an_empty_name_is_named_after_what_it_was():
    assert clean_name("").startswith("unnamed~")
    assert clean_name("\u202e") != clean_name("\u202d")


@settings(derandomize=True, deadline=None)
@given(st.text(), st.text())
def test_an_id_is_one_printable_word(toolkit, operation):
    minted = mint(toolkit, operation)
    assert minted == mint(toolkit, operation)
    assert minted.isprintable() and len(minted.split()) == 1
    assert minted.encode()


@settings(derandomize=True, deadline=None)
@given(st.text(string.printable))
def test_an_operation_name_is_one_word(path):
    name = operation_name("GET", path)
    assert name.startswith("get") and len(name.split()) == 1


def test_equal_copies_are_kept_once_and_reported():
    loaded = tell_apart(Loaded([tool(), tool(source="elsewhere")]))
    assert [t.tool_id for t in loaded.tools] == ["kit.op"]
    assert "equal cop" in loaded.notes[0].detail


def test_the_category_tells_apart_first():
    assert ids(tool(category="Media"), tool(category="Fine Arts")) == [
        "kit.op@Media",
        "kit.op@Fine_Arts",
    ]


def test_then_method_and_path():
    get, post = (HttpBinding(method=m, path="/a b") for m in ("GET", "POST"))
    assert ids(tool(binding=get), tool(binding=post)) == ["kit.op@GET:/a_b", "kit.op@POST:/a_b"]
    virtual = VirtualBinding(category="", tool_name="kit", api_name="op", method="PUT")
    put, none = ids(tool(binding=virtual), tool())
    assert put == "kit.op@PUT"
    assert none == f"kit.op@{tool_digest(tool())[:8]}", "the id that several want is nobody's"


def test_then_the_declared_id_and_the_document():
    assert ids(tool(external_id="1"), tool(external_id="2")) == ["kit.op@1", "kit.op@2"]
    one, two = tool(source="a.yaml#/x", description="1"), tool(source="b.yaml#/x", description="2")
    assert ids(one, two) == ["kit.op@a.yaml", "kit.op@b.yaml"]


def test_the_result_does_not_depend_on_the_order():
    tools = [tool(category=c, external_id=e) for c, e in (("A", "1"), ("A", "2"), ("B", "3"))]
    assert sorted(ids(*tools)) == sorted(ids(*reversed(tools)))
    assert ids(*tools) == ["kit.op@A@1", "kit.op@A@2", "kit.op@B@3"]


def test_every_renamed_tool_is_reported():
    notes = tell_apart(Loaded([tool(category="A"), tool(category="B")])).notes
    assert [(n.place, "kit.op" in n.detail) for n in notes] == [
        ("kit.op@A", True),
        ("kit.op@B", True),
    ]


def test_what_nothing_else_tells_apart_its_content_does():
    found = ids(tool(description="1"), tool(description="2"))
    assert len({*found}) == 2
    assert all(re.fullmatch(r"kit\.op@[0-9a-f]{8}", each) for each in found)
    assert found == list(reversed(ids(tool(description="2"), tool(description="1"))))


def test_a_name_that_is_anothers_longer_id_is_neithers():
    taken = tool("kit.op@A", description="own name")
    found = ids(tool(category="A"), tool(category="B"), taken)
    assert len({*found}) == 3 and "kit.op@A" not in found
    assert "kit.op@B" in found


def test_a_name_that_is_anothers_marked_id_is_neithers():
    """Also where somebody who knows both works it out."""
    pair = [tool(description="1"), tool(description="2")]
    for _ in range(3):
        marked = ids(*pair)
        pair.append(tool(marked[0], description=f"guessed {len(pair)}"))
    found = {each.description: each.tool_id for each in tell_apart(Loaded(pair)).tools[:2]}
    assert found.keys() == {"1", "2"}
    assert {each.tool_id for each in pair}.isdisjoint(found.values())
