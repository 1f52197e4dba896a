"""The rows of ACEBench: a conversation, the tools that it may call, and the right calls."""

import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from gretel.catalog.document import as_list, as_object, as_text
from gretel.contracts.record import JsonObject, JsonValue
from gretel.datasets.reading import read_lines

_NUMBERED = re.compile(r"_\d+$")
"""A tool that is called twice comes as `name_1` and `name_2`."""


class AceCall(NamedTuple):
    """One right call."""

    written: str
    """The tool as the call names it."""
    name: str | None
    """The tool as the row describes it; None where it does not."""
    arguments: JsonObject


class AceRow(NamedTuple):
    """One row."""

    place: str
    """`normal.jsonl:12`."""
    row_id: str
    subset: str
    specs: tuple[JsonObject, ...]
    """Its tools, as they are written."""
    calls: tuple[AceCall, ...]
    content: JsonObject
    """The whole row; `read_conversation` reads what was said in it."""

    @property
    def is_judged(self) -> bool:
        """Whether its right tools are known and among its tools."""
        return self.is_incomplete or self.subset.startswith("normal")

    @property
    def is_incomplete(self) -> bool:
        """Whether its right calls cannot be made from what was said: they name tools alone."""
        return self.subset == "special_incomplete"


def read_ace_rows(path: Path) -> Iterator[AceRow]:
    """Every row of a file.

    Raises:
        CatalogError: the file cannot be read, or a row is not JSON.
    """
    for place, row in read_lines(path):
        specs = tuple(map(as_object, as_list(row.get("tools"))))
        names = {as_text(spec.get("name")) for spec in specs}
        yield AceRow(
            place=place,
            row_id=as_text(row.get("id")),
            subset=as_text(row.get("subset")),
            specs=specs,
            calls=tuple(_calls(row.get("ground_truth"), names)),
            content=row,
        )


def _calls(truth: JsonValue, names: Collection[str]) -> Iterator[AceCall]:
    for call in map(as_object, as_list(truth) or [truth]):
        for written, arguments in call.items():
            base = written if written in names else _NUMBERED.sub("", written)
            yield AceCall(written, base if base in names else None, as_object(arguments))
