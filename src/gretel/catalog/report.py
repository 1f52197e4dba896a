"""What a loader gives back: tools, and a row for everything that did not go smoothly."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple, Self

from gretel.catalog.bounds import (
    ENTRY_LIMIT,
    EXAMPLE_COST,
    NAME_LIMIT,
    NOTES_LIMIT,
    OPERATION_NOTES,
    PARAMETERS_LIMIT,
    SAID_LIMIT,
    SCHEMES_LIMIT,
    SERVERS_LIMIT,
    TOOL_PARAMETERS,
    URL_LIMIT,
    weight,
)
from gretel.catalog.references import UnusableError
from gretel.contracts.errors import CatalogError
from gretel.contracts.tool import HttpBinding, Tool
from gretel.text.foreign import foreign, one_line

REASON_LIMIT = 200
"""Characters of an exception's own words that a reason repeats."""


_NUMBER = re.compile(r"(?:_\d+)?")
"""Behind a name and its place, where several are called alike (`distinct_names`)."""
_TOO_LONG = "a name, a path or a server's URL is too long"
_LABEL = 10 * NAME_LIMIT
"""Characters of what a document calls a tool itself, and of where it was read."""


def _check_names(tool: Tool) -> None:
    """Raise where a tool's names are no names: each is read word by word, by every request."""
    labels = (tool.external_id or "", tool.source)
    said = (text for p in tool.parameters for text in (p.name, p.wire_name, p.style or ""))
    names = [tool.category, *said]
    if isinstance(tool.binding, HttpBinding):
        names += _check_access(tool.binding)
    else:
        names += [text for _, text in tool.binding if isinstance(text, str)]
    if max(map(len, names)) > NAME_LIMIT or max(map(len, labels)) > _LABEL:
        raise UnusableError(_TOO_LONG, "Shorten it")
    places = [p.wire_name for p in tool.parameters if p.location == "path"]
    for some in ([p.name for p in tool.parameters], places):
        if len(set(some)) < len(some):  # one of them would be judged, and the other sent
            raise UnusableError("a parameter's name occurs twice", "Give each its own")
    for each in tool.parameters:
        number = each.name.removeprefix(f"{each.wire_name}_{each.location}")
        if each.name != each.wire_name and not _NUMBER.fullmatch(number):
            # A person who is asked whether a call may go out sees arguments by their names.
            reason = f"parameter {each.name[:40]!r} is sent as {each.wire_name[:40]!r}"
            raise UnusableError(reason, "Call it as it is sent")


def _check_access(binding: HttpBinding) -> list[str]:
    """The names by which a tool is called; raise where its URLs are none, or there are too many."""
    security = binding.security
    schemes = [scheme for alternative in security for scheme in alternative]
    most = max(1 + len(binding.servers), len(security), *map(len, security))
    if most > SERVERS_LIMIT or len(schemes) > SCHEMES_LIMIT:
        raise UnusableError("it has too many servers or credentials", "Leave out some of them")
    urls = [binding.path, *binding.servers, *(each.token_url or "" for each in schemes)]
    if max(map(len, urls)) > 2 * URL_LIMIT:
        raise UnusableError(_TOO_LONG, "Shorten it")
    said = [text for s in schemes for text in (s.name, s.parameter, s.scheme, *s.scopes)]
    return [binding.method, binding.media_type or "", *(text for text in said if text)]


def _said(tool: Tool) -> int:
    """How much a tool says, in characters, whoever else says the same."""
    binding = tool.binding
    servers = binding.servers if isinstance(binding, HttpBinding) else ()
    notes = (parameter.description for parameter in tool.parameters)
    said = sum(map(len, (tool.description, tool.response.description, *servers, *notes)))
    shown = (value for parameter in tool.parameters for value in parameter.examples)
    examples = [tool.response.example, *shown]
    return said + EXAMPLE_COST * sum(weight(each, SAID_LIMIT) for each in examples)


class _Row(NamedTuple):
    place: str
    """Where it stands: `flights.yaml#/paths/~1search/get`, `tools.jsonl:12`."""
    reason: str
    remedy: str


class Skipped(_Row):
    """Something that could not become a Tool; its texts can be printed."""

    __slots__ = ()

    def __new__(cls, place: str, reason: str, remedy: str) -> Self:
        """Make a row."""
        return super().__new__(cls, one_line(place), one_line(reason), one_line(remedy))

    @classmethod
    def whole(cls, place: str, error: CatalogError) -> Self:
        """The row for a file of which nothing could be used; its parts say nothing twice."""
        said, remedy = str(error), one_line(error.remedy)
        reason = said.removeprefix(f"{one_line(place)}: ").removesuffix(f". {remedy}")
        return cls(place, reason, error.remedy)


class _Detail(NamedTuple):
    place: str
    """A place in a document, or a tool_id."""
    detail: str


class Note(_Detail):
    """Something that was loaded, but not exactly as its document says; it can be printed."""

    __slots__ = ()

    def __new__(cls, place: str, detail: str) -> Self:
        """Make a note."""
        return super().__new__(cls, one_line(place), one_line(detail))


class Titled(NamedTuple):
    """A document whose tools are a toolkit of their own."""

    name: str
    """What stands for it in `Tool.source`, before the `#`."""
    title: str
    """The toolkit's name as the document, or the user, chose it."""
    toolkit: str
    """The toolkit's name in this catalogue."""
    digest: str
    """SHA-256 (hex) of what it says and where it is served."""
    marks: tuple[str, ...] = ()
    """What tells it from others of its title, best first; '' where it has no such mark."""
    named: bool = False
    """Whether the user chose the name."""


@dataclass
class Loaded:
    """The yield of one source; grows while the source is read.

    More entries, or parameters, than one source may have raise CatalogError.
    """

    tools: list[Tool] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    documents: list[Titled] = field(default_factory=list)
    base_urls: list[str] = field(default_factory=list)
    """Those that the user named."""
    parameters: int = 0
    """Parameters of all its tools."""
    said: int = 0
    """Characters of what they say."""
    declared: int = 0
    """Parameters that its operations declare, those that are left out included."""

    def take(self, tool: Tool) -> None:
        """Add a tool.

        Raises:
            UnusableError: a name, a path or a server of it is too long, or it has too many servers
                or parameters.
        """
        if len(tool.parameters) > TOOL_PARAMETERS:
            reason = f"{len(tool.parameters):,} parameters are more than {TOOL_PARAMETERS:,}"
            raise UnusableError(reason, "Leave out those that nobody sets")
        _check_names(tool)
        self.tools.append(tool)
        self.parameters += len(tool.parameters)
        self.said += _said(tool)
        self._check(tool.source)

    def skip(self, place: str, reason: str, remedy: str) -> None:
        """Add a row for what could not become a tool."""
        self.skipped.append(Skipped(place, reason, remedy))
        self._check(place)

    def note(self, place: str, details: Sequence[str]) -> None:
        """Add what was changed in one entry; of many changes the first, and how many there are."""
        left = NOTES_LIMIT - len(self.notes)
        shown = list(details[:OPERATION_NOTES])
        if len(details) > OPERATION_NOTES:
            shown.append(f"and {len(details) - OPERATION_NOTES} notes more")
        self.notes += [Note(place, detail) for detail in shown[: max(left, 0)]]
        if 0 < left <= len(shown):
            self.notes.append(Note(place, f"notes after the first {NOTES_LIMIT:,} are left out"))

    def read(self, place: str, parameters: int) -> None:
        """Count what an operation declares.

        Raises:
            CatalogError: the source declares more parameters than one source may.
        """
        self.declared += parameters
        self._check(place)

    @contextmanager
    def row(self, place: str) -> Iterator[None]:
        """Whatever stops the reading of one entry makes it a skipped row, and ends nothing else."""
        try:
            yield
        except UnusableError as error:
            self.skip(place, error.reason, error.remedy)
        except CatalogError:
            raise
        except Exception as error:  # a shape that no reader thought of: a stranger's document
            reason = f"cannot be read ({foreign(f'{type(error).__name__}: {error}', REASON_LIMIT)})"
            self.skip(place, reason, "Write it as its format says")

    def extend(self, other: "Loaded") -> None:
        """Take over everything that `other` holds."""
        self.tools += other.tools
        self.skipped += other.skipped
        self.notes += other.notes
        self.documents += other.documents
        self.parameters += other.parameters
        self.said += other.said
        self.declared += other.declared
        self._check(other.tools[-1].source if other.tools else "")

    def _check(self, place: str) -> None:
        for count, limit, what in (
            (len(self.tools) + len(self.skipped), ENTRY_LIMIT, "operations or rows"),
            (max(self.parameters, self.declared), PARAMETERS_LIMIT, "parameters"),
            (self.said, SAID_LIMIT, "characters of what its tools say"),
        ):
            if count > limit:
                raise CatalogError(
                    f"has more than {limit:,} {what}",
                    field=place.partition("#")[0] or "source",
                    remedy="Split it into several catalogues, and add them",
                )
