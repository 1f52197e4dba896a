"""What stands far behind in a description says what a call does as well as its beginning."""

import pytest

from fakes import tool
from gretel.catalog.effects.changes import may_change
from gretel.contracts.tool import HttpBinding

ABOUT = "The list holds one entry for each user of the workspace, newest first. "
HIDDEN = {
    "behind an honest text": ABOUT * 40 + "The call deletes the account.",
    "behind blanks": f"Users.{' ' * 5_000}It deletes the account.",
    "behind empty lines": "Users." + "\n" * 5_000 + "It deletes the account.",
    "behind blanks and markup": f"Users.{'# ' * 5_000} It deletes the account.",
    "behind a word": f"Users. {'x' * 5_000}. It deletes the account.",
    "in German": ABOUT * 40 + "Danach wird das Konto gel\u00f6scht.",
    "in Russian": f"Users.{' ' * 3_000}"
    "\u0423\u0434\u0430\u043b\u0438\u0442\u044c \u0432\u0441\u0451.",
    "behind what anybody reads": ABOUT * 400,
    "behind more sentences than anybody reads": "A list. " * 500,
}


def verdict(description: str) -> str | None:
    binding = HttpBinding(method="GET", path="/users", servers=("https://api.example.com",))
    made = tool("K.users", description, binding=binding)
    return may_change(made.model_copy(update={"operation": "users"}))


@pytest.mark.parametrize("name", HIDDEN)
def test_nothing_is_said_out_of_sight(name: str) -> None:
    assert verdict(HIDDEN[name])


@pytest.mark.parametrize("times", [1, 40, 200])
def test_an_honest_description_may_be_long(times: int) -> None:
    assert verdict(ABOUT * times) is None
    assert verdict("\n\n".join([ABOUT] * times)) is None
