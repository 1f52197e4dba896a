"""MCP servers over stdio of the part `report`: a clock's source, news feeds, a house's papers."""

import os
import subprocess

from seeds import feed_rows, tide_clock, tide_panel
from service import Place, Service, Wheels

CLOCK = "tideclock"
PAPERS = "papers"
READER = "reader/feeds.db"
CHANGES = (
    ("2026-10-05T09:00:00+00:00", "The clock as it runs in the harbour office"),
    ("2026-11-20T16:30:00+00:00", "Range of the day; turns longer than one round"),
)


def _draw_graph(place: Place) -> None:
    """A repository with two commits, and the program's own graph and wiki of it."""
    clock = place.data / CLOCK
    clock.mkdir()
    _git(place, "init", "--initial-branch=main", moment=CHANGES[0][0])
    for number, (moment, message) in enumerate(CHANGES):
        for name, text in {**tide_panel.FILES, **tide_clock.FILES}.items():
            old, new = tide_clock.LATER.get(name, ("", "")) if number else ("", "")
            place.written(f"{CLOCK}/{name}", text.replace(old, new) if old else text)
        _git(place, "add", ".", moment=moment)
        _git(place, "commit", "--message", message, moment=moment)
    for words in ("build", "wiki"):
        CODEGRAPH.run(place, place.program("code-review-graph"), words, "--repo", str(clock))
    CODEGRAPH.run(
        place, place.program("code-review-graph"), "register", str(clock), "--alias", CLOCK
    )


def _git(place: Place, *words: str, moment: str) -> None:
    person = {"NAME": "Jorunn Eik", "EMAIL": "jorunn@tideclock.example"}
    told = {f"GIT_{who}_{key}": value for who in ("AUTHOR", "COMMITTER") for key, value in
            person.items()}  # fmt: skip
    dates = {"GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": moment}
    environment = {"PATH": os.environ["PATH"], "HOME": str(place.data), **told, **dates}
    folder = place.data / CLOCK
    subprocess.run(["git", *words], cwd=folder, env=environment, check=True, capture_output=True)


def _fill_reader(place: Place) -> None:
    (place.data / READER).parent.mkdir()
    feed_rows.write(place.data / READER)


def _write_papers(place: Place) -> None:
    (place.data / PAPERS).mkdir()
    WORD.seeded(place, "word_papers.py", str(place.data / PAPERS))


CODEGRAPH = Service(
    name="codegraph",
    kind="mcp",
    part="report",
    install=Wheels("mcp-codegraph"),
    fixed=True,
    prepare=_draw_graph,
    command=lambda place: [
        place.program("code-review-graph"),
        "serve",
        "--repo",
        str(place.data / CLOCK),
    ],
)
FEEDS = Service(
    name="feeds",
    kind="mcp",
    part="report",
    install=Wheels("mcp-feeds"),
    prepare=_fill_reader,
    command=lambda place: [place.program("mcp-feed-reader-crunchtools")],
    environment=lambda place: {"FEED_READER_DB": str(place.data / READER)},
)
WORD = Service(
    name="word",
    kind="mcp",
    part="report",
    install=Wheels("mcp-word"),
    fixed=True,
    prepare=_write_papers,
    command=lambda place: [place.program("word_mcp_server")],
)
SERVICES = (CODEGRAPH, FEEDS, WORD)
