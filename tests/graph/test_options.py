"""Options of a run that are wrong: which one, and what there is instead."""

from typing import Any

import pytest

from gretel.contracts.errors import ConfigurationError
from gretel.graph.runs import read_context
from gretel.nodes.context import Context


@pytest.mark.parametrize(
    ("options", "said", "instead"),
    [
        ({"dept": 3}, "dept: is not an option.", "k, depth, "),
        ({"budget": {"wal_s": 5}}, "budget.wal_s: is not an option.", "wall_s, trial_s, "),
        ({"budget": {"wall_s": 0}}, "budget.wall_s: Input should be", "wall_s, trial_s, "),
        ({"timezone": "Mars"}, "timezone: timezone 'Mars' is not an IANA name", "k, depth, "),
    ],
)
def test_a_wrong_option_is_named_beside_those_of_its_place(
    options: dict[str, Any], said: str, instead: str
) -> None:
    with pytest.raises(ConfigurationError) as wrong:
        read_context(options, Context)

    assert str(wrong.value).startswith(said)
    assert wrong.value.remedy.startswith(f"Known options: {instead}")
