"""Names of fields as JSON escapes what a server wrote into them: the secrets beside are masked."""

import json

import pytest

from gretel.sandbox.answers.answer import read_answer
from gretel.text.foreign import excerpt

SECRET = "hunter2x9"
NAMES = ["password\b", "\bpassword", "password\r", "pass\rword", "password\n", "\tpassword"]
NAMES += [
    "pass\tword",
    "password\f",
    "\fpassword",
    "password\x1b[",
    "\x1b[password",
    "password\x7f",
]
NAMES += ["p\bpa\bas\bss\bsw\bwo\bor\brd\bd", "_\bp_\ba_\bs_\bs_\bw_\bo_\br_\bd", "password\x85"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("more", [0, 60_000])
def test_a_secret_beside_a_name_with_escapes(name: str, more: int) -> None:
    said = {"id": 1, name: SECRET, "rest": "and " * more}
    answer = read_answer("GET", 200, "application/json", json.dumps(said))

    assert SECRET not in excerpt(answer.shown) and '"id":' in answer.shown


def test_lines_of_values_stay() -> None:
    text = '{"path":"C:\\\\new","text":"one\\n\\ttwo","two  words":1}'
    assert read_answer("GET", 200, "application/json", text).shown == text
