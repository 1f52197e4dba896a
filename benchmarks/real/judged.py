"""`requests.jsonl`: what is asked, and the calls that are right; README has each field."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from service import HERE

FILE = HERE / "requests.jsonl"
OUT = HERE.parent.parent / "build" / "real"
KINDS = ("answerable", "missing_argument", "nothing_serves", "changes_something")
LANGUAGES = ("en", "de", "fr", "es", "zh")


@dataclass(frozen=True)
class Call:
    """An operation with its arguments."""

    operation: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Request:
    """One line of the file; README says what each field means."""

    id: str
    service: str
    part: str
    language: str
    kind: str
    text: str
    gold: Sequence[Call]
    also_right: Sequence[Call]
    said: Sequence[str]
    history: Sequence[str] = ()
    context: Mapping[str, Any] = field(default_factory=dict)
    free: Sequence[str] = ()
    note: str = ""

    @property
    def words(self) -> str:
        """All that the user said."""
        return "\n".join([*self.history, self.text])


def requests(path: Path = FILE) -> list[Request]:
    """All of the file."""
    found = []
    for line in path.read_text().splitlines():
        row: dict[str, Any] = json.loads(line)
        for name in ("gold", "also_right"):
            row[name] = [Call(**each) for each in row[name]]
        found.append(Request(**row))
    return found
