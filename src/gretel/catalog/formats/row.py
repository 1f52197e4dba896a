"""One row of a JSONL catalogue, and the tool that is put together from it."""

from dataclasses import dataclass, field

from gretel.catalog.bounds import DESCRIPTION_LIMIT, TOOLKIT_DESCRIPTION_LIMIT, Pool
from gretel.catalog.document import as_object, as_text
from gretel.catalog.identity import clean_name, mint
from gretel.catalog.references import UnusableError
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import Binding, NoBinding, Parameter, Response, Tool


@dataclass
class Row:
    """One line, parsed."""

    content: JsonObject
    place: str
    notes: list[str] = field(default_factory=list)
    """What was changed while reading."""
    pool: Pool = field(default_factory=Pool)
    """What is left for the schemas of all rows."""

    @property
    def metadata(self) -> JsonObject:
        """What a corpus row carries beside its text."""
        return as_object(self.content.get("metadata"))

    @property
    def api(self) -> JsonObject:
        """The function's own description: a corpus keeps it in its metadata, others wrap it."""
        for holder, key in ((self.metadata, "api"), (self.content, "function")):
            if key in holder:
                return as_object(holder[key])
        return self.content

    @property
    def external_id(self) -> str | None:
        """The id that qrels use."""
        return as_text(self.content.get("_id")) or None


def row_tool(
    row: Row,
    *,
    toolkit: str,
    operation: str,
    description: str,
    toolkit_description: str = "",
    category: str = "",
    parameters: tuple[Parameter, ...] = (),
    response: Response | None = None,
    binding: Binding | None = None,
    deprecated: bool = False,
) -> Tool:
    """A tool without a provider is its own toolkit; one without a name has its row's id."""
    operation = operation or row.external_id or ""
    if not operation:
        raise UnusableError("the row names no tool", "Give it a title or an `_id`")
    return Tool(
        tool_id=mint(toolkit or operation, operation),
        toolkit=clean_name(toolkit or operation),
        operation=clean_name(operation),
        description=description[:DESCRIPTION_LIMIT],
        toolkit_description=toolkit_description[:TOOLKIT_DESCRIPTION_LIMIT],
        category=clean_name(category) if category else "",
        parameters=parameters,
        response=response or Response(),
        binding=binding or NoBinding(),
        external_id=row.external_id,
        source=row.place,
        deprecated=deprecated,
    )
