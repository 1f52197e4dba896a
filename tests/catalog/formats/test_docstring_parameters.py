"""A parameter that says nothing of itself is described by the tool's docstring."""

from typing import Any

import pytest

from gretel.catalog import Catalog
from gretel.catalog.formats.docstrings import parameter_docs

GOOGLE = """Tell whether a shop is open.

Use it before a visit.

Args:
    day: the date, YYYY-MM-DD.
    country (str, optional): ISO 3166-1 alpha-2 code,
        in any case.
    unlisted: of nothing.
        Its second line.

Returns:
    day: the date that was asked.
"""
FIELDS = """Tell whether a shop is open.

:param day: the date, YYYY-MM-DD.
:param country: ISO 3166-1 alpha-2 code,
    in any case.
:returns: country: where it is.
"""
BULLETS = """Tell whether a shop is open.

Parameters:
- `day`: the date, YYYY-MM-DD.
- country - ISO 3166-1 alpha-2 code,
  in any case.
Example: country: DE
"""
SAID = {"day": "the date, YYYY-MM-DD.", "country": "ISO 3166-1 alpha-2 code, in any case."}


@pytest.mark.parametrize("text", [GOOGLE, FIELDS, BULLETS], ids=["google", "fields", "bullets"])
def test_a_list_of_arguments_says_what_each_is(text: str) -> None:
    assert parameter_docs(text, ["day", "country", "other"]) == SAID


@pytest.mark.parametrize("text", ["", "Counts. day: never", "Returns:\n    day: the day", "Args:"])
def test_other_text_says_nothing_of_a_parameter(text: str) -> None:
    assert parameter_docs(text, ["day"]) == {}


def listed(**country: Any) -> dict[str, Any]:
    properties = {"day": {"type": "string"}, "country": {"type": "string", **country}}
    schema = {"type": "object", "properties": properties, "required": ["day", "country"]}
    return {"name": "is_open", "description": GOOGLE, "inputSchema": schema}


def test_tools_of_a_server_take_what_the_docstring_says_unless_the_schema_does() -> None:
    (bare,) = Catalog.from_mcp([listed()], server="shop")
    (own,) = Catalog.from_mcp([listed(description="Where it is.")], server="shop")

    assert {each.name: each.description for each in bare.parameters} == SAID
    assert own.parameters[1].description == "Where it is."
