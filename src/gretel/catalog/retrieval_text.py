"""The text by which a tool is found."""

import re

from gretel.catalog.titles import bare_title
from gretel.contracts.tool import Tool
from gretel.text.identifiers import identifier_text
from gretel.text.invisible import visible

DESCRIPTION_LIMIT = 1_500
"""Characters of the description that take part; encoders cut at about 128 tokens anyway."""
PARAMETER_LIMIT = 40
"""Parameter names that take part."""
NAME_LIMIT = 100
"""Characters of a parameter name that take part."""

_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")
_LINK = re.compile(r"\[([^\[\]]{1,200})\]\([^()\s]{1,500}\)")


def retrieval_text(tool: Tool) -> str:
    """The document that retrievers index: "toolkit: operation. description (parameters)".

    Names are split into words. A part that only repeats another is left out, and so are characters
    that nobody sees. What parameters say of themselves takes no part, only their names do. Nor does
    the mark of a document whose title another one has: a stranger's title would make it hard to
    find.
    """
    operation = identifier_text(tool.operation) or tool.operation
    # A list states its toolkits itself, whatever signs are in them.
    toolkit = bare_title(tool.toolkit) if "#" in tool.source else tool.toolkit
    same = identifier_text(toolkit) == operation
    head = operation if same or not toolkit else f"{toolkit}: {operation}"
    description = plain_description(tool.description)
    if len(description) <= 2 * len(operation) and identifier_text(description) == operation:
        description = ""
    names = _parameter_names(tool)
    parts = [f"{head}." if description else head, description, f"({names})" if names else ""]
    return " ".join(part for part in parts if part)


def plain_description(description: str) -> str:
    """A description without HTML tags, link targets and line breaks, cut at a word."""
    shown = visible(description[: 4 * DESCRIPTION_LIMIT])
    text = _LINK.sub(r"\1", _TAG.sub(" ", shown))
    text = " ".join(text.split())
    if len(text) <= DESCRIPTION_LIMIT:
        return text
    cut = text[: DESCRIPTION_LIMIT + 1].rpartition(" ")[0]
    return cut or text[:DESCRIPTION_LIMIT]


def _parameter_names(tool: Tool) -> str:
    names = (identifier_text(parameter.wire_name[:NAME_LIMIT]) for parameter in tool.parameters)
    unique = list(dict.fromkeys(name for name in names if name))
    return ", ".join(unique[:PARAMETER_LIMIT])
