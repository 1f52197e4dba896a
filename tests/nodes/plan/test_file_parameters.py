"""Parameters that are files: the caller gives them, and no words of a request do."""

import pytest

from gretel.contracts.ranking import Request
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import Parameter
from gretel.contracts.trial import Refusal
from service_tools import plan_of, required, values

BINARY: JsonObject = {"type": "string", "format": "binary"}
TEXT = "Upload the photo of the harbour at dawn with the title Morning"


def field(name: str, schema: JsonObject) -> Parameter:
    """A required field of a form."""
    return required(name).model_copy(update={"location": "body", "json_schema": schema})


TITLE = field("title", {"type": "string"})


@pytest.mark.parametrize(
    "schema",
    [
        BINARY,
        {"type": "string", "contentMediaType": "image/png"},
        {"type": "string", "contentMediaType": "application/octet-stream"},
        {"type": "array", "items": BINARY},
        {"anyOf": [BINARY, {"type": "null"}]},
    ],
)
async def test_a_file_is_asked_of_the_caller(schema: JsonObject) -> None:
    plan = await plan_of(TEXT, field("photo", schema), TITLE)
    assert isinstance(plan, Refusal)
    assert plan.reason == "missing_required"
    assert [each.name for each in plan.missing] == ["photo"]
    assert plan.missing[0].file
    assert plan.confidence > 0.9


async def test_an_optional_file_is_left_out() -> None:
    photo = field("photo", BINARY).model_copy(update={"required": False})
    assert "photo" not in values(await plan_of(TEXT, photo, TITLE))


async def test_a_file_of_the_context_is_sent() -> None:
    asked = Request(text=TEXT, today="2026-05-14", context={"photo": "PNG"})
    plan = await plan_of(asked, field("photo", BINARY), TITLE)
    assert values(plan)["photo"] == "PNG"


@pytest.mark.parametrize("media", ["text/plain", "application/json", "application/sql"])
async def test_a_text_of_any_kind_may_be_said(media: str) -> None:
    query = field("note", {"type": "string", "contentMediaType": media})
    assert values(await plan_of("Save the note 'buy milk'", query)) == {"note": "buy milk"}
