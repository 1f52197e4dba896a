"""Right values of a data set's requests: of its own right calls, or of an annotation file.

An annotation file is JSONL, a line for each request and right tool: `{"query": id, "tool": the
tool's id in the corpus, "arguments": {parameter: [accepted, …]}, "unsaid": [parameter, …]}`.
Accepted is `{"span": [start, end]}`, characters of the request's text, or `{"value": literal}`;
any of a list is right. `unsaid` are required parameters for which the request says no value; the
mock has none to look for in them, as in those that a line leaves out.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from gretel.catalog import Catalog
from gretel.contracts.errors import InputError
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Tool, ToolId
from gretel.datasets.judged import Dataset, JudgedRequest
from gretel.datasets.reading import files_digest, read_lines
from gretel.evaluation.mock.known_values import KnownValues, RightCall, may_be_unknown, wire_name

World: TypeAlias = Literal["values", "kind"]
"""What a mock asks of arguments. `values`: a tool must know them. `kind`: it takes every value of
the right kind, which the planner's own checks have seen to."""

_REMEDY = "A line has query, tool, arguments and unsaid: see `gretel evaluate --help`"


@dataclass(frozen=True)
class RightValues:
    """The right calls that are known."""

    calls: Mapping[tuple[str, ToolId], tuple[RightCall, ...]]
    digest: str | None = None
    """SHA-256 (hex) of the annotation; None: they are the data set's own."""

    def lacking(self, requests: Iterable[JudgedRequest], catalog: Catalog) -> list[str]:
        """Pairs of a request and a right tool whose right values are not known and matter."""
        return [
            f"{request.request_id} with {tool_id}"
            for request in requests
            for tool_id in sorted(request.gold)
            if tool_id in catalog and may_be_unknown(catalog[tool_id])
            if (request.request_id, tool_id) not in self.calls
        ]

    def known(self, *, seed: int) -> KnownValues:
        """What the tools of a mock know."""
        right = {(wire_name(request), tool): calls for (request, tool), calls in self.calls.items()}
        return KnownValues(right, seed)


def own_values(dataset: Dataset) -> RightValues:
    """The right values that a data set names itself."""
    found: dict[tuple[str, ToolId], tuple[RightCall, ...]] = {}
    for request in dataset.requests:
        for call in request.gold_calls:
            key = request.request_id, call.tool_id
            right = {name: (value,) for name, value in call.arguments.items()}
            found[key] = (*found.get(key, ()), right)
        if request.incomplete:  # nothing that was said makes a right call
            found |= {(request.request_id, tool_id): ({},) for tool_id in request.gold}
    return RightValues(found)


def check_values(values: RightValues, requests: Sequence[JudgedRequest], catalog: Catalog) -> None:
    """See that the right values of all requests are known.

    Raises:
        InputError: they are not.
    """
    lacking = values.lacking(requests, catalog)
    if lacking:
        problem = f"right values are not known of {len(lacking)} right tools ({lacking[0]}, …)"
        remedy = "Give --values FILE with a line for each, or --world kind"
        raise InputError(problem, field="--world values", remedy=remedy)


def read_values(path: Path, dataset: Dataset) -> RightValues:
    """The right values that an annotation file names; lines of other requests are left aside.

    Raises:
        CatalogError: the file cannot be read, or a row is not JSON.
        InputError: a line is no annotation, of a tool or parameter that is not there, of a tool
            that is not right, or occurs twice.
    """
    requests = {request.request_id: request for request in dataset.requests}
    found: dict[tuple[str, ToolId], tuple[RightCall, ...]] = {}
    for place, row in read_lines(path):
        line = _Line(place, row)
        request = requests.get(line.text("query"))
        tool = dataset.catalog.by_external_id(line.text("tool"))
        if tool is None:
            raise line.wrong(f"tool {line.text('tool')!r} is not in the catalogue")
        call = line.call(tool, request.text if request else None)
        if request is None:
            continue
        if tool.tool_id not in request.gold:
            raise line.wrong(f"{tool.tool_id} is not right for {request.request_id}")
        if (request.request_id, tool.tool_id) in found:
            raise line.wrong(f"{request.request_id} with {tool.tool_id} occurs twice")
        found[request.request_id, tool.tool_id] = (call,)
    return RightValues(found, files_digest([path]))


@dataclass(frozen=True)
class _Line:
    """One line of an annotation file."""

    place: str
    row: JsonObject

    def wrong(self, problem: str) -> InputError:
        return InputError(problem, field=self.place, remedy=_REMEDY)

    def text(self, key: str) -> str:
        value = self.row.get(key)
        if not isinstance(value, str) or not value:
            raise self.wrong(f"{key} is not text")
        return value

    def call(self, tool: Tool, said: str | None) -> RightCall:
        """The right call; `said` is the request's text, None: it is not of this data."""
        unknown = self.row.keys() - {"query", "tool", "arguments", "unsaid"}
        if unknown:
            raise self.wrong(f"{min(unknown)!r} is unknown")
        arguments, unsaid = self.row.get("arguments"), self.row.get("unsaid", [])
        if not isinstance(arguments, dict) or not isinstance(unsaid, list):
            raise self.wrong("arguments is not an object, or unsaid is not a list")
        names = {parameter.name for parameter in tool.fillable}
        left_out = frozenset(map(str, unsaid))
        for name in (*arguments, *left_out):
            if name not in names:
                raise self.wrong(f"{tool.tool_id} takes no {name!r}")
        if both := arguments.keys() & left_out:
            raise self.wrong(f"{min(both)!r} is both said and unsaid")
        return {name: tuple(self._accepted(each, said)) for name, each in arguments.items()}

    def _accepted(self, listed: JsonValue, said: str | None) -> Iterator[JsonValue]:
        if not isinstance(listed, list) or not listed:
            raise self.wrong("an argument has no list of accepted values")
        for each in listed:
            match each:
                case {"value": value, **rest} if not rest:
                    yield value
                case {"span": [int(start), int(end)], **rest} if not rest and 0 <= start < end:
                    if said is not None and end > len(said):
                        raise self.wrong(f"the request ends before {end}")
                    yield "" if said is None else said[start:end]
                case _:
                    raise self.wrong(f"{each!r} is neither a span nor a value")


def choose_world(
    wanted: World | None, dataset: Dataset, path: Path | None
) -> tuple[World, RightValues, str | None]:
    """The world of a run, its right values, and a note where it is not the one hoped for.

    Where none is wanted it is `values` if all right values are known, else `kind`, with the note.
    Without the path of an annotation the data set's own right calls are the right ones.

    Raises:
        InputError: right values are wanted and not all known, the annotation is wrong, or there
            is one for `kind`.
        CatalogError: the annotation cannot be read.
    """
    if wanted == "kind":
        if path is not None:
            problem, remedy = "right values are of no use to it", "Leave one of the two out"
            raise InputError(problem, field="--world kind", remedy=remedy)
        return "kind", RightValues({}), None
    values = own_values(dataset) if path is None else read_values(path, dataset)
    if wanted is None and path is None:
        lacking = values.lacking(dataset.requests, dataset.catalog)
        if lacking:
            note = (
                f"world kind, in which tools know every value: right ones are not known of "
                f"{len(lacking)} right tools. Services are harder; see --world and --values"
            )
            return "kind", values, note
    check_values(values, dataset.requests, dataset.catalog)
    return "values", values, None
