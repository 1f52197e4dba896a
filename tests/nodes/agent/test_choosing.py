"""Which tool a language model takes, of what it learnt and what it only read of."""

import pytest
import torch

from gretel.contracts.tool import ToolId
from gretel.nodes.agent.toolgen.choosing import choice
from gretel.nodes.retrieve.toolgen.slots import FINISH, RESERVED, Slot, Slots

LEARNT, OTHER, THIRD, NEW, NEWER = (
    ToolId(f"Kit.{name}") for name in ("learnt", "other", "third", "new", "newer")
)
SLOTS = Slots(
    tools=(
        Slot(tool_id=LEARNT, digest="", status="trained"),
        Slot(tool_id=OTHER, digest="", status="trained"),
        Slot(tool_id=THIRD, digest="", status="trained"),
        Slot(tool_id=NEW, digest=""),
        Slot(tool_id=NEWER, digest=""),
    )
)
SURE_OF_ONE, UNSURE = {LEARNT: 9.0}, {LEARNT: 1.0, OTHER: 0.9, THIRD: 0.8}


def scores(tools: dict[ToolId, float], end: float = -9.0) -> torch.Tensor:
    """(1, slots), of what was learnt and of the end; what is new scores as it comes out: low."""
    found = torch.full((1, RESERVED + 5), -9.0)
    found[0, FINISH] = end
    for tool_id, score in tools.items():
        found[0, SLOTS.by_id()[tool_id]] = score
    return found


@pytest.mark.parametrize(
    ("believed", "offered", "wanted"),
    [
        (SURE_OF_ONE, (NEW, LEARNT), LEARNT),
        (SURE_OF_ONE, (NEW, OTHER), NEW),
        (UNSURE, (NEW, LEARNT, OTHER), NEW),
        (UNSURE, (LEARNT, NEW), LEARNT),
        (UNSURE, (OTHER, LEARNT, NEW), LEARNT),
        (UNSURE, (NEWER, NEW), NEWER),
    ],
)
def test_a_tool_it_is_sure_of_goes_first_and_a_new_one_where_it_is_offered(
    believed: dict[ToolId, float], offered: tuple[ToolId, ...], wanted: ToolId
) -> None:
    assert choice(scores(believed), SLOTS, offered, set()) == wanted


def test_the_end_is_read_beside_what_was_learnt_offered_or_not() -> None:
    ended = scores({LEARNT: 3.0}, end=1.0)
    assert choice(ended, SLOTS, (NEW,), set()) == NEW
    assert choice(scores({LEARNT: 3.0}, end=5.0), SLOTS, (NEW,), set()) is None
    assert choice(scores({LEARNT: 3.0}, end=5.0), SLOTS, (LEARNT,), set()) is None


def test_a_new_tool_that_was_tried_waits_behind_one_that_was_not() -> None:
    assert choice(scores(UNSURE), SLOTS, (NEW, NEWER), {NEW}) == NEWER
    assert choice(scores(UNSURE), SLOTS, (NEW,), {NEW}) == NEW


def test_where_nothing_was_learnt_all_rows_are_compared() -> None:
    fresh = Slots(tools=tuple(slot.model_copy(update={"status": "new"}) for slot in SLOTS.tools))
    assert choice(scores({NEWER: 2.0}), fresh, (NEW, NEWER), set()) == NEWER
    assert choice(scores({NEWER: 2.0}, end=3.0), fresh, (NEW, NEWER), set()) is None
