"""A value that is made to be dear to read as a statement of a database is read all the same."""

import pytest

from alarms import at_most
from fakes import param, tool
from gretel.catalog.effects.changes import may_change
from gretel.contracts.tool import HttpBinding
from lanes import every

LONG = 20_000
"""Characters of a value that are read."""
in_time = at_most(20)
HALVES = [
    "delete " + "a.* " * 20 + "x;", "delete " + "a.*, " * 20 + "x;", "delete " + "a.*" * 20 + "x;",
    "call { a ", "match ( a ", "update only ", "grant a ", "insert a(", "copy (", "declare @a ",
    "create or replace unique temp ", "foreach(a in [a ", "select 1 from $a$ ", "select '", "/*",
    "prefix a:<b> ", "for a in b insert ", "merge a as b ", "exec(", "{a:", "<a b='", "a=", "(a=b,",
    "<!--", "<![CDATA[", "<a>&#", "a=b c;d ", "a b&", "select case a (", "select _a(",
]  # fmt: skip


MANY = "With this 'x', GET may change something"
UNREAD = dict.fromkeys(["a=", "(a=b,", "<a>&#", "a b&"], MANY)
"""Pairs of so many that nobody has read them all."""


@pytest.mark.parametrize("half", every(3, HALVES))
def test_a_statement_that_never_ends_is_read_in_one_go(half: str) -> None:
    """Of the first, each table doubled the time of 88 characters, and minutes went by."""
    text = (half * LONG)[:LONG]
    binding = HttpBinding(method="GET", path="/items", servers=("https://a.com",))
    asked = tool("K.q1", binding=binding, params=[param("x")])
    assert may_change(asked, {"x": text}, {"x"}) == UNREAD.get(half)
