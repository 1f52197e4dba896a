"""Wordings of a blind list that were planned wrongly: counts, literals, codes, follow-ups."""

from typing import Any

import pytest

import service_tools
from gretel.contracts.tool import Tool
from service_tools import planned, values


def made(about: str, path: str = "/x", /, **given: str) -> Tool:
    """A GET; each parameter as `type|description`, required with a star behind the type."""
    needs = [name for name, said in given.items() if said.partition("|")[0].endswith("*")]
    schemas = {name: _schema(said) for name, said in given.items()}
    return service_tools.made(about, path, needs=" ".join(needs), **schemas)


def _schema(said: str) -> dict[str, Any]:
    kind, _, about = said.partition("|")
    name, _, members = kind.rstrip("*").partition(":")
    listed = {"type": "string", "enum": members.split(",")} if members else {"type": name}
    return {**listed, "description": about}


ERRORS = made("List errors", limit="integer|Maximum number of results", since="string|First day")
PAGED = made("List errors", page="integer|Page number", per_page="integer|Results per page")
SIZED = made("List events", page="integer", page_size="integer")
NUMBERED = made("List events", page_number="integer", page_limit="integer")
FOLDER = made(
    "List the files in a folder",
    path="string*|Path of the folder",
    recursive="boolean|Descend into subfolders",
    pattern="string|Glob that names must match",
)
DECODE = made("Decode a base64 string", value="string*|The encoded text")
ORDERS = made("List orders", sort="enum:date,total", order="enum:asc,desc", customer="string")
FILTERED = made("List orders", filter="string|Filter expression", fields="string|Fields to return")
NOTES = made("Search notes", q="string*|Text to look for", limit="integer")
DIFF = made("Diff between two branches", base="string*", head="string*")
VERSIONS = made("Compare two versions", **{"from": "string*", "to": "string*"})
PRICE = made("Price of a coin in a currency", coin="string*", currency="enum:usd,eur,gbp*")
HOLIDAYS = made(
    "Public holidays of a country in a year",
    "/holidays/{year}/{countryCode}",
    year="integer",
    countryCode="string|ISO 3166-1 alpha-2 code",
)
HOLIDAY = made(
    "Whether a day is a holiday in a country",
    country="string*|Two-letter country code",
    day="integer",
)
TRANSLATE = made("Translate a text", text="string*", target="string*|Code of the target language")
TREE = made("Directory tree of a folder", root="string*|Folder", depth="integer|Levels")
BOOKS = made("List books", author="string", year="integer", sort_by="enum:title,year")
PRODUCTS = made("List products", max_price="number", min_price="number")
HOSTS = made("Find hosts", min_memory_gb="number", max_memory_gb="number")
LOG = made(
    "Read a log", path="string*", head="number|The first lines", tail="number|The last lines"
)

SAID: list[tuple[str, Tool, dict[str, object]]] = [
    ("List ten errors", ERRORS, {"limit": 10}),
    ("List a hundred errors", ERRORS, {"limit": 100}),
    ("Show just one error", ERRORS, {"limit": 1}),
    ("Show at most half a dozen errors", ERRORS, {"limit": 6}),
    ("Show two dozen errors", ERRORS, {"limit": 24}),
    ("Return the oldest three errors", ERRORS, {"limit": 3}),
    ("Limit the list of errors to 12", ERRORS, {"limit": 12}),
    ("Show me the last one", ERRORS, {}),
    ("List errors, page 3 with 25 per page", PAGED, {"page": 3, "per_page": 25}),
    ("Show the second page of errors", PAGED, {"page": 2}),
    ("I want 30 events per page, page 2", SIZED, {"page": 2, "page_size": 30}),
    ("列出事件，每页 3 条。", NUMBERED, {"page_limit": 3}),
    ("列出事件，每页显示 30 条", NUMBERED, {"page_limit": 30}),
    ("Orders with the filter size=2.", FILTERED, {"filter": "size=2"}),
    ("Orders with filter size>=2, sorted", FILTERED, {"filter": "size>=2"}),
    ("Show orders with the fields id,size.", FILTERED, {"fields": "id,size"}),
    ("Show orders with fields id, size", FILTERED, {}),
    ("the last 20 lines of /var/log/syslog", LOG, {"path": "/var/log/syslog", "tail": 20}),
    ("List the files below src/main/java/", FOLDER, {"path": "src/main/java/"}),
    ("List everything in /opt/app recursively", FOLDER, {"path": "/opt/app", "recursive": True}),
    (
        "Which *.log files are in the folder /var/log?",
        FOLDER,
        {"path": "/var/log", "pattern": "*.log"},
    ),
    ("Show the directory tree of /srv/www, 2 levels deep", TREE, {"root": "/srv/www", "depth": 2}),
    ("Decode the base64 value aGk+Lw+/", DECODE, {"value": "aGk+Lw+/"}),
    (
        "Which hosts are in the subnet 10.1.0.0/16?",
        made("Hosts in a subnet", cidr="string*|Subnet in CIDR notation"),
        {"cidr": "10.1.0.0/16"},
    ),
    (
        "Which vendor has the MAC address 00:1A:2B:3C:4D:5E?",
        made("Vendor of a MAC address", mac="string*"),
        {"mac": "00:1A:2B:3C:4D:5E"},
    ),
    (
        "What is the colour #ff8800 called?",
        made("Name of a colour", hex="string*|Hex code of the colour"),
        {"hex": "#ff8800"},
    ),
    (
        "What is the status of build v1.4.0+build.77?",
        made("Status of a build", "/builds/{version}", version="string"),
        {"version": "v1.4.0+build.77"},
    ),
    (
        "List the tags of the image registry.local/team/app",
        made("Tags of an image", image="string*"),
        {"image": "registry.local/team/app"},
    ),
    (
        "Show the contact of the supplier Müller & Sons",
        made("Contact of a supplier", supplier="string*"),
        {"supplier": "Müller & Sons"},
    ),
    ("List orders sorted by total, descending", ORDERS, {"sort": "total", "order": "desc"}),
    ("Which public holidays has Germany in 2025?", HOLIDAYS, {"year": 2025, "countryCode": "DE"}),
    ("Is it a holiday in France?", HOLIDAY, {"country": "FR"}),
    ("Translate 'good night' into Spanish", TRANSLATE, {"text": "good night", "target": "es"}),
    ("Which notes mention kubernetes?", NOTES, {"q": "kubernetes"}),
    ("Show the diff between the branches dev and main", DIFF, {"base": "dev", "head": "main"}),
    ("Compare version 1.2 with version 1.4", VERSIONS, {"from": "1.2", "to": "1.4"}),
    ("Books from 1984 sorted by title", BOOKS, {"year": 1984, "sort_by": "title"}),
    ("Show products cheaper than 25 euros", PRODUCTS, {"max_price": 25}),
    ("Find hosts with more than 64 GB of memory", HOSTS, {"min_memory_gb": 64}),
]


@pytest.mark.parametrize(("text", "asked", "arguments"), SAID, ids=[each[0] for each in SAID])
async def test_what_is_said_arrives(text: str, asked: Tool, arguments: dict[str, object]) -> None:
    assert values(await planned(text, asked)) == arguments


@pytest.mark.parametrize(
    ("text", "asked", "missing"),
    [
        (
            "Describe one process",
            made("Describe a process", "/processes/{process_id}", process_id="integer"),
            "process_id",
        ),
        (
            "Which files does the commit change?",
            made("Files that a commit changes", "/commits/{sha}/files", sha="string"),
            "sha",
        ),
    ],
)
async def test_what_nobody_says_is_missing(text: str, asked: Tool, missing: str) -> None:
    found = await planned(text, asked)
    assert found.kind == "refusal"
    assert [each.name for each in found.missing] == [missing]


@pytest.mark.parametrize(
    ("before", "text", "asked", "arguments"),
    [
        (
            "What is the price of the coin bitcoin in euros?",
            "Now in dollars",
            PRICE,
            {"coin": "bitcoin", "currency": "usd"},
        ),
        (
            "List the users with the role admin",
            "then page 2",
            made("List users", page="integer", role="string"),
            {"page": 2, "role": "admin"},
        ),
    ],
)
async def test_what_a_follow_up_changes(
    before: str, text: str, asked: Tool, arguments: dict[str, object]
) -> None:
    assert values(await planned(text, asked, before)) == arguments


async def test_a_bare_word_is_no_country() -> None:
    found = await planned("Show the building with ID kX7, please", HOLIDAYS)
    assert found.kind == "refusal"
    assert {each.name for each in found.missing} >= {"countryCode"}
