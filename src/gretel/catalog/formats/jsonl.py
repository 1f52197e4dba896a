"""JSONL catalogues: one tool a line."""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from gretel.catalog.base_url import authority
from gretel.catalog.bounds import Pool
from gretel.catalog.document import as_object, parse_json
from gretel.catalog.formats.lines import is_text, read_lines
from gretel.catalog.formats.row import Row
from gretel.catalog.formats.rows import read_row
from gretel.catalog.ownership import document_of
from gretel.catalog.report import Loaded
from gretel.contracts.errors import CatalogError
from gretel.contracts.tool import Binding, HttpBinding


def load_jsonl(path: str | Path) -> Loaded:
    """Every line that is a tool; an empty file gives no tools.

    Raises:
        CatalogError: the file cannot be read, or has lines and none is a tool; its lines hold more
            values together than one document may.
    """
    path = Path(path)
    loaded, pool, places = Loaded(), Pool(), list[str]()
    for place, line in read_lines(path, broken=True):
        if not is_text(line):
            loaded.skip(place, "is not UTF-8 text", "Save it in UTF-8")
            continue
        try:
            content = as_object(parse_json(line, place=place))
        except CatalogError as error:
            loaded.skip(place, "is not JSON", error.remedy)
            continue
        take_row(Row(content, place, pool=pool), loaded)
        places += [place] * (len(loaded.tools) - len(places))
    _tell_servers_apart(loaded, places)
    if loaded.skipped and not loaded.tools:
        place, reason, remedy = loaded.skipped[0]
        message = f"none of {len(loaded.skipped)} lines is a tool: {reason}"
        raise CatalogError(message, field=place, remedy=remedy)
    return loaded


def _tell_servers_apart(loaded: Loaded, places: Iterable[str]) -> None:
    """Let rows that say to be of one document, and name several servers, be of this list alone.

    Then each server's are an owner's of their own. So it is where some are called otherwise than
    over HTTP: no document has both.
    """
    servers: dict[str, set[str]] = defaultdict(set)
    for tool in loaded.tools:
        servers[document_of(tool)].add(_called_at(tool.binding))
    loaded.tools = [
        tool.model_copy(update={"source": place}) if len(servers[document_of(tool)]) > 1 else tool
        for tool, place in zip(loaded.tools, places, strict=True)
    ]


def _called_at(binding: Binding) -> str:
    """The server of a tool; of one that is not called over HTTP, how it is called."""
    if not isinstance(binding, HttpBinding):
        return f"{binding.kind}:"
    return authority(next(iter(binding.servers), "")).lower()


def take_row(row: Row, loaded: Loaded) -> None:
    """Add the tool that a row describes, or why it describes none."""
    with loaded.row(row.place):
        loaded.take(read_row(row))
        loaded.note(row.place, row.notes)
