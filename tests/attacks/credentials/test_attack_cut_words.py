"""Words that others cut within a secret, and blanks that bring the cut to where it is shown."""

import json
from collections.abc import Callable

import pytest

from fakes import param, plan, tool
from gretel.sandbox.answers.answer import read_answer
from gretel.sandbox.answers.classify import classify
from gretel.sandbox.answers.results import raised
from gretel.sandbox.process.run import describe

SECRETS = {
    "card": "4111111111111111",
    "account": "DE89370400440532013000",
    "token": "ghp_aB3dE5gH7jK9mN1pQ3sT5vW7yZ",
}
TOOL = tool("Kit.show", "Show one.", params=[param("city")])
AT = range(1_930, 2_010, 3)


def said(blanks: int, secret: str) -> str:
    return f"Payment error: bad card{' ' * blanks}{secret} was refused"


def from_server(blanks: int, secret: str) -> str:
    body = json.dumps({"error": {"message": said(blanks, secret)}})
    answer = read_answer("GET", 400, "application/json", body)
    failure = classify(answer, TOOL, {"city": "x"}).failure
    return failure.detail if failure else ""


def from_process(blanks: int, secret: str) -> str:
    words = describe(ValueError(said(blanks, secret)), "call").words
    failure = raised(TOOL, plan("Kit.show", city="x"), words, 1.0).outcome.failure
    return failure.detail if failure else ""


@pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS)
@pytest.mark.parametrize("words", [from_server, from_process])
def test_no_beginning_of_a_secret_is_shown(words: Callable[[int, str], str], secret: str) -> None:
    shown = [words(blanks, secret) for blanks in AT]
    assert not [detail for detail in shown if secret[:10] in detail]


def test_what_is_said_in_short_or_at_length_is_shown() -> None:
    assert "bad card [redacted] was" in from_server(1, SECRETS["card"])
    assert "bad cardxxxxxxx" in from_server(0, "x" * 3_000)
