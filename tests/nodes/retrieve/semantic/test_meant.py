"""Words of APIs that turns of a request ask for."""

import numpy as np
import pytest

from fakes import tool
from gretel.catalog import Catalog
from gretel.contracts.ranking import RetrievalQuery
from gretel.nodes.retrieve.semantic.fusion import FEATURES, features
from gretel.nodes.retrieve.semantic.retriever import SemanticRetriever
from gretel.nodes.retrieve.semantic.signals import ToolIndex

TOOLS = [
    tool("app.about", "Read the version."),
    tool("app.release", "Release the handbrake."),
    tool("app.teams", "List all teams."),
]
INDEX = ToolIndex(TOOLS, np.zeros((len(TOOLS), 1), dtype=np.float32))
ASKED = "which release is it"


def test_what_is_meant_counts_beside_what_is_said_and_less() -> None:
    own = INDEX.signals(ASKED, np.zeros((1, len(TOOLS)), dtype=np.float32))
    both = INDEX.signals(ASKED, np.zeros((1, len(TOOLS)), dtype=np.float32), meant=["version"])

    assert own.sparse.astype(bool).tolist() == [False, True, False]
    assert both.sparse.astype(bool).tolist() == [True, True, False]
    assert both.sparse[0] < both.sparse[1] == own.sparse[1]
    assert both.asked == own.asked
    assert both.meant == {"version"}


@pytest.mark.parametrize("meant", [["unheard"], ["release"], []])
def test_words_that_no_tool_has_and_words_that_are_said_count_nothing(meant: list[str]) -> None:
    signals = INDEX.signals(ASKED, np.zeros((1, len(TOOLS)), dtype=np.float32), meant=meant)
    own = INDEX.signals(ASKED, np.zeros((1, len(TOOLS)), dtype=np.float32))

    assert signals.sparse.tolist() == own.sparse.tolist()
    assert not signals.meant


def test_a_tool_whose_name_is_meant_is_mentioned() -> None:
    places = np.arange(len(TOOLS))
    zeros = np.zeros((1, len(TOOLS)), dtype=np.float32)
    own, both = (
        features(INDEX, INDEX.signals(ASKED, zeros, meant=meant), places)[:, FEATURES.index("name")]
        for meant in ([], ["teams"])
    )

    assert own[2] == 0 < both[2]


LONG = "amber basalt cedar dolomite elm feldspar granite hazel iris juniper kelp larch"


@pytest.mark.parametrize(
    ("text", "reached"),
    [
        ("Wer gehört alles zu der Version?", True),
        ("Who belongs to the version?", True),
        (f"Who belongs to the version of {LONG}?", False),
    ],
)
async def test_turns_of_short_requests_count_but_not_in_how_well_the_best_matches(
    text: str, reached: bool
) -> None:
    people = tool("app.people", "Members.")
    retriever = await SemanticRetriever.build(Catalog.from_tools([*TOOLS, people]))
    found = await retriever.retrieve([RetrievalQuery(text=text)], k=4)
    parts = {each.tool_id: each.parts["sparse"] for each in found.candidates[0]}

    assert bool(parts.pop("app.people")) == reached
    assert found.signals[0].sparse == parts["app.about"] > 0
