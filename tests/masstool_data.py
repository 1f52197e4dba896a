"""A small data set of our own for MassTool: tools, requests that they serve, and no-tool requests.

Twelve scenes of two tools each; half of a scene's requests need both tools, half the first alone.
Everything is drawn by a seed from words and templates of this file.
"""

import json
import random
from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any, NamedTuple

from gretel.contracts.record import JsonObject
from gretel.nodes.retrieve.masstool.artifact import Manifest

PER_SCENE = 20
TEST_SHARE = 5
"""Every fifth request is a test request."""
NO_TOOL = 80


class Scene(NamedTuple):
    """Two tools that serve requests together, and what those requests ask for."""

    toolkit: str
    tools: tuple[tuple[str, str], tuple[str, str]]
    """Name and what it does, of each."""
    alone: str
    both: str


SCENES = (
    Scene(
        "Harbour",
        (("find_ferry", "Ferries between two ports."), ("tide_table", "Tides at a port.")),
        "I want to cross by ferry from {a} to {b}",
        "which ferry leaves {a} for {b}, and when is high water there",
    ),
    Scene(
        "Bakery",
        (("bread_recipe", "A recipe for bread."), ("flour_price", "Price of flour.")),
        "how do I bake a loaf the way they do in {a}",
        "bake bread as in {a} and tell me what the flour costs in {b}",
    ),
    Scene(
        "Museum",
        (("exhibitions", "Exhibitions of a museum."), ("entry_fee", "Entry fee of a museum.")),
        "what paintings are on show in {a} this month",
        "paintings on show in {a}, and what does the entrance cost",
    ),
    Scene(
        "Garden",
        (("plant_care", "How to care for a plant."), ("frost_dates", "Last frost of a place.")),
        "my tomatoes in {a} look pale, what helps them",
        "can I set out tomatoes in {a} yet, or will it freeze",
    ),
    Scene(
        "Chess",
        (("opening_line", "Moves of a chess opening."), ("club_nights", "Evenings of a club.")),
        "which moves answer the queen's gambit as played in {a}",
        "teach me the queen's gambit and find players in {a} tonight",
    ),
    Scene(
        "Stars",
        (("moon_phase", "Phase of the moon."), ("dark_sites", "Dark places to observe from.")),
        "is the moon full over {a} tonight",
        "where near {a} is it dark, and does the moon disturb",
    ),
    Scene(
        "Repair",
        (("bicycle_parts", "Spare parts of bicycles."), ("workshop_slot", "Books a workshop.")),
        "I need a new chain for my bicycle in {a}",
        "get a bicycle chain and a workshop slot in {a}",
    ),
    Scene(
        "Choir",
        (("sheet_music", "Sheet music of a song."), ("rehearsal_room", "Rooms to sing in.")),
        "the notes of a carol from {a} for four voices",
        "notes of a carol from {a} and a room in {b} where we can sing it",
    ),
    Scene(
        "Honey",
        (("bloom_calendar", "What blooms when."), ("hive_weight", "Weight of a beehive.")),
        "what do the bees find in bloom around {a}",
        "is anything in bloom near {a}, and has my hive grown heavier",
    ),
    Scene(
        "Ski",
        (("snow_depth", "Depth of snow on a slope."), ("lift_status", "Which lifts run.")),
        "how deep is the snow above {a}",
        "is there snow above {a}, and do the lifts turn",
    ),
    Scene(
        "Ledger",
        (("tax_rate", "Sales tax of a country."), ("invoice_check", "Checks an invoice.")),
        "how much sales tax do I owe in {a}",
        "look over my invoice from {a} with the right sales tax",
    ),
    Scene(
        "Post",
        (("parcel_track", "Where a parcel is."), ("office_hours", "Hours of a post office.")),
        "where is the parcel that I sent from {a} to {b}",
        "has my parcel from {a} come, and is the counter in {b} open",
    ),
)
PLACES = ("Oslo", "Turin", "Cork", "Graz", "Vigo", "Lund", "Brno", "Metz", "Bari", "Riga")
POLITE = ("", "Please: ", "Hello, ", "Quick question, ", "For my aunt: ")
TALK = (
    "write a poem about {a}",
    "why do people laugh",
    "explain in your own words what patience is",
    "tell me a story of a fox from {a}",
    "is it better to be early or late",
    "sum up what friendship means in {b}",
)


class Written(NamedTuple):
    """The files that were written."""

    folder: Path
    """In BEIR layout, with judgements `train` and `test`."""
    no_tool: Path
    """Requests that need no tool."""


def tool_name(scene: Scene, which: int) -> str:
    """What a tool is called in the corpus."""
    return f"{scene.toolkit}.{scene.tools[which][0]}"


def write_data(folder: Path, *, seed: int = 7) -> Written:
    """Write the data set."""
    drawn = random.Random(seed)
    (folder / "qrels").mkdir(parents=True)
    _write(
        folder / "corpus.jsonl",
        (
            {"_id": tool_name(scene, which), "title": name, "text": said}
            for scene in SCENES
            for which, (name, said) in enumerate(scene.tools)
        ),
    )
    queries, judged = [], []
    for number in range(PER_SCENE * len(SCENES)):
        scene, both = SCENES[number % len(SCENES)], number // len(SCENES) % 2 == 1
        said = scene.both if both else scene.alone
        name = f"r{number:03}"
        queries.append({"_id": name, "text": _new(said, drawn, {row["text"] for row in queries})})
        part = "test" if number // len(SCENES) % TEST_SHARE == 0 else "train"
        judged += [(part, name, tool_name(scene, which)) for which in range(1 + both)]
    _write(folder / "queries.jsonl", queries)
    for part in ("train", "test"):
        rows = [f"{name}\t{tool}\t1" for which, name, tool in judged if which == part]
        lines = "\n".join(["query-id\tcorpus-id\tscore", *rows])
        (folder / "qrels" / f"{part}.tsv").write_text(lines + "\n", encoding="utf-8")
    no_tool = folder / "no_tool.jsonl"
    _write(no_tool, (_no_tool(number, drawn) for number in range(NO_TOOL)))
    return Written(folder, no_tool)


def _no_tool(number: int, drawn: random.Random) -> JsonObject:
    text = _filled(TALK[number % len(TALK)], drawn)
    return {"id": f"idle-{number}", "query": text, "needs_tool": False}


def _new(said: str, drawn: random.Random, taken: AbstractSet[str]) -> str:
    while (text := drawn.choice(POLITE) + _filled(said, drawn)) in taken:
        pass
    return text


def _filled(said: str, drawn: random.Random) -> str:
    first, second = drawn.sample(PLACES, 2)
    return said.format(a=first, b=second)


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def forge(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change an artefact's manifest, and let it say the digest of what it now says."""
    path = folder / "manifest.json"
    content = json.loads(path.read_text())
    change(content)
    digest = Manifest.model_validate(content).content_digest
    path.write_text(json.dumps(content | {"digest": digest}))
