"""What trials show becomes an example; what they do not show does not."""

import pytest

from fakes import failed, place, succeeded, trial
from gretel.contracts.ranking import SelectedTool, Selection
from gretel.contracts.trial import Outcome, Trial
from gretel.nodes.retrieve.masstool.retriever import Example

NOT_SENT = Outcome(status="unavailable", source="none")
SIMULATED = succeeded().model_copy(update={"source": "simulated"})


def selection(*trials: Trial) -> Selection:
    return Selection(
        tools=tuple(
            SelectedTool(**place(one, rank).model_dump(), trial=one)
            for rank, one in enumerate(trials, 1)
        )
    )


def test_tools_that_answered_make_an_example() -> None:
    shown = selection(trial("a.a"), trial("b.b", 2, executed=failed()), trial("c.c", 3))

    assert Example.shown("a request", shown) == Example("a request", ("a.a", "c.c"))


@pytest.mark.parametrize(
    "shown",
    [
        selection(),
        selection(trial("a.a", executed=failed())),
        selection(trial("a.a", executed=NOT_SENT, simulated=SIMULATED)),
        selection(trial("a.a", executed=succeeded().model_copy(update={"status": "empty"}))),
    ],
    ids=("nothing", "failed", "simulated", "empty"),
)
def test_where_nothing_answered_nothing_is_shown(shown: Selection) -> None:
    assert Example.shown("a request", shown) is None
