"""What a loader gives back: tools, and a row for everything that did not go smoothly."""

from dataclasses import dataclass, field
from typing import NamedTuple, Self

from gretel.contracts.errors import CatalogError
from gretel.contracts.tool import Tool


class Skipped(NamedTuple):
    """Something that could not become a Tool."""

    place: str
    """Where it stands: `flights.yaml#/paths/~1search/get`, `tools.jsonl:12`."""
    reason: str
    remedy: str

    @classmethod
    def whole(cls, place: str, error: CatalogError) -> Self:
        """The row for a file of which nothing could be used; its parts say nothing twice."""
        reason = str(error).removeprefix(f"{place}: ").removesuffix(f". {error.remedy}")
        return cls(place, reason, error.remedy)


class Note(NamedTuple):
    """Something that was loaded, but not exactly as its document says."""

    place: str
    """A place in a document, or a tool_id."""
    detail: str


@dataclass
class Loaded:
    """The yield of one source; grows while the source is read."""

    tools: list[Tool] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    def extend(self, other: "Loaded") -> None:
        """Take over everything that `other` holds."""
        self.tools += other.tools
        self.skipped += other.skipped
        self.notes += other.notes
