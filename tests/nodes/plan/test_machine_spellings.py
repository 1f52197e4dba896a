"""Values whose spelling a machine gave them: ids, locales, numbers of telephones, words in code."""

import pytest

from gretel.contracts.ranking import Request
from gretel.contracts.tool import Tool
from gretel.nodes.plan.matching.view import read_view
from service_tools import made, planned, values

TONGUE = made("A language", "/languages/{languageID}", languageID="string")
STATION = made("A hire station", "/areas/{areaUID}", areaUID="string")
MOVED = made(
    "Move reviews between projects",
    "/projects/{sourceProjectKey}/move/{destinationProjectKey}",
    sourceProjectKey="string",
    destinationProjectKey="string",
)
LINK = made(
    "Delete a link of an account",
    "/v3/{name}",
    name={"type": "string", "description": "The format is `accounts/{id}/links/{id}`."},
)
CAPTION = made(
    "A caption of a video",
    "/captions/{language}",
    language={"type": "string", "description": "BCP 47 language"},
)
SCHEDULE = made("A schedule", needs="lang", lang={"type": "string", "enum": ["en", "cy", "ga"]})
FLASH = made(
    "Send a flash message",
    needs="destination",
    destination={"type": "string", "description": "Telephone number of the recipient"},
)
COMMIT = made(
    "Analysis of a commit",
    "/analyses/{commit-id}",
    **{
        "commit-id": {
            "type": "string",
            "description": "A commit. Alternatively, use `latest` for the most recent one.",
        }
    },
)


@pytest.mark.parametrize(
    ("text", "asked", "arguments"),
    [
        ("What do we call the tongue 44d0e1f2?", TONGUE, {"languageID": "44d0e1f2"}),
        ("Opening times of the hire station 5512-ab", STATION, {"areaUID": "5512-ab"}),
        (
            "CR-OLD is being closed down; move all its reviews over to CR-NEW",
            MOVED,
            {"sourceProjectKey": "CR-OLD", "destinationProjectKey": "CR-NEW"},
        ),
        ("delete accounts/123/links/77", LINK, {"name": "accounts/123/links/77"}),
        ("english (en) caption", CAPTION, {"language": "en"}),
        ("the caption, language pt-BR please", CAPTION, {"language": "pt-BR"}),
        ("schedule of tonight, lang cy", SCHEDULE, {"lang": "cy"}),
        ("Pop up on the screen of 447700900160", FLASH, {"destination": "447700900160"}),
        ("summary for the latest commit", COMMIT, {"commit-id": "latest"}),
    ],
)
async def test_it_arrives_as_it_is_spelled(
    text: str, asked: Tool, arguments: dict[str, object]
) -> None:
    assert values(await planned(text, asked)) == arguments


@pytest.mark.parametrize(
    "text", ["a 7-year bond", "the 100-day plan", "a well-known name", "in en and cy", "call 2026"]
)
def test_ordinary_words_are_neither_codes_nor_locales_nor_telephones(text: str) -> None:
    spans = read_view(Request(text=text, today="2026-05-14")).spans
    assert {span.mention.kind for span in spans}.isdisjoint({"id", "language", "phone"})
