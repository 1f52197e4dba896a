"""Python's literals in strangers' texts: read as Python reads them, and without its warnings."""

import ast
import json
import warnings
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gretel.literals import read_literal
from gretel.sandbox.http.stabletoolbench import read_relayed
from growth import LINEAR, growth

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.binary() | st.complex_numbers(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(), inner, max_size=3)
    ),
    max_leaves=10,
)


@given(VALUES.filter(lambda value: "inf" not in repr(value) and "nan" not in repr(value)))
def test_whatever_python_writes_is_read(value: Any) -> None:
    assert repr(read_literal(repr(value))) == repr(ast.literal_eval(repr(value)))


SAME = [
    "{'a': [1, -2.5, 1_000, 0x1F], 'b': (True, None)}",
    "[u'x', r'\\d', R'\\'s', b'\\x00', rb'\\d', Rb\"it's\"]",
    "'''it's\n\"so\"''' 'and' \"so on\"",
    "'a\\\nb\\t\\u00e4\\N{DEGREE SIGN}\\U0001F600\\x41\\101\\0'",
    "{1, 2}",
    "{'not if': 'for # in \\\\' }",
]


@pytest.mark.parametrize("text", SAME)
def test_all_forms_are_read(text: str) -> None:
    assert read_literal(text) == ast.literal_eval(text)


ODD = {
    r'{"a": "\d\w"}': {"a": "\\d\\w"},
    r'{"a": "C:\Users\\new"}'.replace(r"\U", r"\P"): {"a": "C:\\Psers\\new"},
    r"['\400\777\377']": ["\u0100\u01ff\u00ff"],
    r"[b'\400\N']": [b"\x00\\N"],
}
NONE = ["[1if 1else 2]", "[0x1for x in y]", "1or 2", "[0b1and 1]", "1in[1]", "{'a': 1is 1}"]
NONE += [
    "1()",
    "'a' is 'b'",
    "[1][2]",
    "f'{1if 1else 2}'",
    "[1] # it's \\d '",
    "'\\d",
    "{'a': \"\\d}",
]
NONE += ["(" * 5_000, "-" * 90_000 + "1", "'\\", "9" * 5_000, "'\0'\0"]


@pytest.mark.parametrize("text", ODD)
def test_odd_escapes_are_read_and_not_told_of(text: str) -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert read_literal(text) == ODD[text]
    assert told == []


@pytest.mark.parametrize("text", NONE)
def test_what_is_no_literal_is_not_told_of_either(text: str) -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        with pytest.raises(ValueError, match=r"literal|digits|malformed|null"):
            read_literal(text)
    assert told == []


@pytest.mark.parametrize("unit", ["'\\", "a", "'", "\"'", "\\'\"", "b'\\d',", "in "])
def test_no_text_costs_more_than_its_length(unit: str) -> None:
    def read(size: int) -> None:
        with pytest.raises(ValueError, match="literal"):
            read_literal(f"[{unit * (size // len(unit))}(]")

    assert growth(read, 100_000) < LINEAR


def test_a_relayed_literal_is_read_with_its_odd_escapes(capfd: pytest.CaptureFixture[str]) -> None:
    reply = {"error": "", "response": "{'pattern': '\\d+'}"}
    relayed = read_relayed("POST", 200, "application/json", json.dumps(reply))
    assert relayed.value == {"pattern": "\\d+"}
    assert capfd.readouterr() == ("", "")
