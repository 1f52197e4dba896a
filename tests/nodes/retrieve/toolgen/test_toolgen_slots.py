"""A token is one tool's, for ever."""

import pytest

from gretel.contracts.errors import InputError
from gretel.contracts.tool import ToolId
from gretel.nodes.retrieve.toolgen.slots import RESERVED, Slot, Slots

A, B, C = (ToolId(name) for name in ("T.a", "T.b", "T.c"))


@pytest.fixture
def slots() -> Slots:
    return Slots().appended([Slot(tool_id=A, digest="1"), Slot(tool_id=B, digest="2")])


def test_the_first_slots_are_no_tools(slots: Slots) -> None:
    assert slots.present() == [RESERVED, RESERVED + 1]
    assert len(slots) == RESERVED + 2
    with pytest.raises(IndexError):
        slots.at(0)


def test_a_removed_tool_leaves_its_token_to_nobody(slots: Slots) -> None:
    later = slots.removed([A, ToolId("Nobody.knows")]).appended([Slot(tool_id=C, digest="3")])

    assert later.by_id() == {B: RESERVED + 1, C: RESERVED + 2}
    assert later.at(RESERVED).status == "gone"


def test_a_tool_of_the_same_id_takes_another_token(slots: Slots) -> None:
    later = slots.appended([Slot(tool_id=A, digest="9")])

    assert later.by_id() == {A: RESERVED + 2, B: RESERVED + 1}


def test_a_renamed_tool_is_found_by_both_names(slots: Slots) -> None:
    later = slots.renamed(A, C)

    assert later.by_id() == {C: RESERVED, A: RESERVED, B: RESERVED + 1}
    assert later.at(RESERVED).tool_id == C
    assert later.renamed(A, A).at(RESERVED).tool_id == A


@pytest.mark.parametrize(("old", "new"), [(C, ToolId("T.d")), (A, B)])
def test_a_name_that_is_unknown_or_taken_is_an_error(
    slots: Slots, old: ToolId, new: ToolId
) -> None:
    with pytest.raises(InputError, match="renamed"):
        slots.renamed(old, new)


def test_one_id_cannot_have_two_places() -> None:
    with pytest.raises(ValueError, match="two places"):
        Slots(tools=(Slot(tool_id=A, digest="1"), Slot(tool_id=A, digest="2")))
