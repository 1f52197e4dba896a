"""A file of pins that somebody else wrote is the documented error, and says what to do."""

import tracemalloc
from pathlib import Path
from unittest.mock import patch

import pytest

from fakes import tool
from gretel.contracts.errors import IndexCorrupt
from gretel.contracts.tool import Tool
from gretel.nodes.retrieve.stage.pins import FILE, Pins

DAMAGED = {
    "deep-list": "[" * 100_000,
    "deep-tools": '{"tools":' + '{"a":' * 5_000 + "1" + "}" * 5_000 + ',"new":[]}',
    "deep-new": '{"tools":{},"new":[' + "[" * 900 + "]" * 900 + "]" * 2_000,
    "list": "[]",
    "null": "null",
    "tools-text": '{"tools":"x","new":[]}',
    "new-number": '{"tools":{},"new":5}',
    "many-digits": '{"tools":{},"new":[' + "9" * 5_000 + "]}",
    "no-new": '{"tools":{}}',
    "nothing": "",
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_pins_are_corrupt(name: str, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(DAMAGED[name])

    with pytest.raises(IndexCorrupt, match="pins.json cannot be read .*Run `gretel index` again"):
        Pins.read(tmp_path)


def test_pins_that_are_no_text_are_corrupt(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"\xff\xfe\x00")

    with pytest.raises(IndexCorrupt, match="gretel index"):
        Pins.read(tmp_path)


def renamed(name: str) -> Tool:
    return tool("T.x").model_copy(update={"tool_id": name, "toolkit": name.partition(".")[0]})


def test_pins_that_are_gone_take_little_memory() -> None:
    """Each of sixteen endings of each was kept: 1 MB of ids took 7."""
    pins = Pins()
    pins.add([renamed(f"T.{at}" + f".{at}{'a' * 236}" * 16) for at in range(200)])
    tracemalloc.start()
    try:
        pins.add([renamed("T.x")])
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 1_000_000


def test_pins_of_one_title_that_are_gone_are_not_all_held_against_each_tool() -> None:
    """A catalogue that renames 5,000 tools had each held against each: minutes on opening it."""
    pins = Pins()
    pins.add([renamed(f"T@{at}.x") for at in range(100)])
    with patch("gretel.nodes.retrieve.stage.pins.once", return_value=None) as tried:
        pins.add([renamed(f"T@n{at}.x") for at in range(100)])
    assert tried.call_count <= 800
