"""The tree drawn in `contracts/errors.py` is the tree of the classes."""

import inspect
import pickle
import re

import pytest

from gretel.contracts import errors

CLASS = re.compile(r"^[ │├└─]*(?P<name>[A-Z]\w+)(?:\((?P<base>\w+)\))?\s{2,}")
"""One class of the drawing; the blank columns behind it tell it from prose."""


def drawn() -> dict[str, set[str]]:
    """Class → names of its bases, as drawn."""
    tree: dict[str, set[str]] = {}
    above: list[tuple[int, str]] = []
    for match in filter(None, map(CLASS.match, (errors.__doc__ or "").splitlines())):
        column = match.start("name")
        above = [parent for parent in above if parent[0] < column]
        tree[match["name"]] = {name for _, name in above[-1:]} | {*filter(None, [match["base"]])}
        above.append((column, match["name"]))
    return tree


def real() -> dict[str, set[str]]:
    """Class → names of its bases, as declared."""
    return {
        name: {base.__name__ for base in cls.__bases__}
        for name, cls in inspect.getmembers(errors, inspect.isclass)
        if cls.__module__ == errors.__name__
    }


def test_the_drawn_tree_is_the_real_one() -> None:
    assert drawn() == real()


def test_an_input_error_names_field_and_remedy() -> None:
    error = errors.CatalogError("has no paths", field="flights.yaml", remedy="Add one.")

    assert (error.field, error.remedy) == ("flights.yaml", "Add one.")
    assert str(error) == "flights.yaml: has no paths. Add one."


def test_errors_reach_the_clients_of_the_server() -> None:
    # langgraph's server shows the text of a RuntimeError and hides that of unknown exceptions
    assert issubclass(errors.GretelError, RuntimeError)


@pytest.mark.parametrize(
    "error",
    [
        errors.ConfigurationError("is unknown", field="k", remedy="Leave it out."),
        errors.CallRefused("not so", reason="drift"),
        errors.ApprovalNeeded("t-1", {"a": {"tool_id": "A.book"}}),
        errors.BudgetSpent("calls"),
    ],
)
def test_errors_go_from_one_process_to_another_as_they_are(error: errors.GretelError) -> None:
    arrived = pickle.loads(pickle.dumps(error))

    assert (type(arrived), str(arrived), vars(arrived)) == (type(error), str(error), vars(error))
