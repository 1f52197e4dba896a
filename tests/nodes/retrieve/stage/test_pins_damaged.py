"""A file of pins that somebody else wrote is the documented error, and says what to do."""

from pathlib import Path

import pytest

from gretel.contracts.errors import IndexCorrupt
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
