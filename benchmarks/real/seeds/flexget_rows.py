# ruff: noqa: C901
"""Run by the Python of FlexGet on its new database: what a household has watched and waits for."""

import os
import sqlite3
from datetime import datetime

from flexget.components.series.utils import normalize_series_name as normal
from flexget.entry import Entry
from flexget.utils import json, serialization

# id: (name, alternate names, tasks)
SERIES = {
    1: ("Harbour Lights", ["Hafenlichter"], ["tv-evening"]),
    2: ("The Beekeeper's Year", [], ["tv-evening"]),
    3: ("Northbound", ["Nordwärts"], ["tv-evening", "kids"]),
    4: ("Pip and the Lighthouse", [], ["kids"]),
}
# id: (series, season, number, releases (quality, downloaded, title, first seen))
EPISODES = {
    1: (
        1,
        1,
        1,
        [
            ("720p webdl", 1, "Harbour.Lights.S01E01.720p.WEB-DL", "2026-09-04 20:10:00"),
            ("1080p webdl", 0, "Harbour.Lights.S01E01.1080p.WEB-DL", "2026-09-05 08:30:00"),
        ],
    ),
    2: (1, 1, 2, [("720p webdl", 1, "Harbour.Lights.S01E02.720p.WEB-DL", "2026-09-11 20:12:00")]),
    3: (1, 1, 3, [("480p hdtv", 0, "Harbour.Lights.S01E03.480p.HDTV", "2026-09-18 20:05:00")]),
    4: (1, 2, 1, [("1080p webdl", 1, "Harbour.Lights.S02E01.1080p.WEB-DL", "2026-10-02 20:11:00")]),
    5: (
        2,
        1,
        1,
        [("1080p bluray", 1, "The.Beekeepers.Year.S01E01.1080p.BluRay", "2026-08-20 19:00:00")],
    ),
    6: (
        2,
        1,
        2,
        [("1080p bluray", 1, "The.Beekeepers.Year.S01E02.1080p.BluRay", "2026-08-20 19:05:00")],
    ),
    7: (
        3,
        4,
        7,
        [
            ("720p hdtv", 1, "Northbound.S04E07.720p.HDTV", "2026-09-29 21:40:00"),
            ("720p hdtv", 0, "Northbound.S04E07.PROPER.720p.HDTV", "2026-09-30 10:15:00"),
        ],
    ),
    8: (3, 4, 8, [("720p hdtv", 1, "Northbound.S04E08.720p.HDTV", "2026-10-06 21:41:00")]),
    9: (
        4,
        1,
        12,
        [("576p webdl", 1, "Pip.and.the.Lighthouse.S01E12.576p.WEB-DL", "2026-10-03 07:30:00")],
    ),
}
# id: (series, season, releases)
SEASONS = {
    1: (1, 1, []),
    2: (
        2,
        1,
        [
            (
                "1080p bluray",
                1,
                "The.Beekeepers.Year.S01.COMPLETE.1080p.BluRay",
                "2026-09-12 12:00:00",
            ),
            (
                "720p bluray",
                0,
                "The.Beekeepers.Year.S01.COMPLETE.720p.BluRay",
                "2026-09-13 09:00:00",
            ),
        ],
    ),
    3: (3, 3, [("720p webdl", 1, "Northbound.S03.720p.WEB-DL", "2026-06-01 18:00:00")]),
}
HISTORY = [
    (
        "tv-evening",
        "Harbour.Lights.S01E01.720p.WEB-DL",
        "2026-09-04 20:15:00",
        "/media/tv/harbour-lights/s01e01.mkv",
    ),
    (
        "tv-evening",
        "Harbour.Lights.S01E02.720p.WEB-DL",
        "2026-09-11 20:20:00",
        "/media/tv/harbour-lights/s01e02.mkv",
    ),
    (
        "tv-evening",
        "Northbound.S04E07.720p.HDTV",
        "2026-09-29 21:50:00",
        "/media/tv/northbound/s04e07.mkv",
    ),
    (
        "tv-evening",
        "Harbour.Lights.S02E01.1080p.WEB-DL",
        "2026-10-02 20:20:00",
        "/media/tv/harbour-lights/s02e01.mkv",
    ),
    (
        "kids",
        "Pip.and.the.Lighthouse.S01E12.576p.WEB-DL",
        "2026-10-03 07:35:00",
        "/media/kids/pip-s01e12.mkv",
    ),
    (
        "podcasts",
        "Slow Kitchen 88 - Sourdough",
        "2026-10-04 06:05:00",
        "/media/podcasts/slow-kitchen-88.mp3",
    ),
]
FAILED = [
    (
        "Northbound.S04E06.720p.HDTV",
        "http://feeds.example/northbound-s04e06",
        "2026-10-01 22:00:00",
        "404 for url",
        3,
    ),
    (
        "Slow Kitchen 87 - Stock",
        "http://feeds.example/slow-kitchen-87.mp3",
        "2026-09-27 06:10:00",
        "Disk is full",
        1,
    ),
    (
        "The Quiet Island 2025",
        "http://feeds.example/quiet-island",
        "2026-10-03 23:10:00",
        "Timed out",
        2,
    ),
]
REJECTED_TASKS = {1: "tv-evening", 2: "films"}
REJECTED = [
    (
        1,
        "Harbour.Lights.S01E03.CAM",
        "http://feeds.example/hl-cam",
        "regexp",
        "CAM recordings are unwanted",
    ),
    (2, "Winter Ferry 1998", "http://feeds.example/winter-ferry", "imdb", "Rating below 6.0"),
    (
        2,
        "Storm over Askøy 2024",
        "http://feeds.example/storm",
        "content_size",
        "Larger than 8000 MB",
    ),
]
SEEN = [
    ("Harbour.Lights.S01E01.720p.WEB-DL", "tv-evening", 0, "http://feeds.example/hl-s01e01"),
    ("Northbound.S04E08.720p.HDTV", "tv-evening", 0, "http://feeds.example/northbound-s04e08"),
    ("The Glass Orchard 2023", "films", 0, "http://feeds.example/glass-orchard"),
    ("Slow Kitchen 88 - Sourdough", "podcasts", 1, "http://feeds.example/slow-kitchen-88.mp3"),
]
PENDING = [
    ("films", "The Copper Kettle 2025", "http://feeds.example/copper-kettle", 0),
    ("films", "Two Weeks in Tromsø 2026", "http://feeds.example/tromso", 0),
    ("kids", "Pip at Sea 2026", "http://feeds.example/pip-at-sea", 1),
]
TASKS = ["tv-evening", "films", "kids", "podcasts"]
# task, start, end, succeeded, produced, accepted, rejected, failed, abort reason
EXECUTIONS = [
    (1, "2026-10-01 20:00:00", "2026-10-01 20:00:21", 1, 34, 1, 12, 0, None),
    (1, "2026-10-02 20:00:00", "2026-10-02 20:00:19", 1, 36, 2, 11, 0, None),
    (1, "2026-10-03 20:00:00", "2026-10-03 20:01:40", 0, 0, 0, 0, 1, "The feed did not answer"),
    (2, "2026-10-02 22:00:00", "2026-10-02 22:00:44", 1, 80, 0, 61, 0, None),
    (2, "2026-10-03 22:00:00", "2026-10-03 22:00:47", 1, 82, 1, 60, 1, None),
    (3, "2026-10-03 07:30:00", "2026-10-03 07:30:08", 1, 5, 1, 0, 0, None),
    (4, "2026-10-04 06:00:00", "2026-10-04 06:00:05", 1, 9, 1, 0, 0, None),
]
ENTRY_LISTS = {
    "to-download": ["Harbour Lights season 3", "Slow Kitchen 89"],
    "never-again": ["Winter Ferry 1998", "Celebrity Sauna", "Storm over Askøy 2024"],
}
PENDING_LISTS = {
    "ask-grandma": [("The Copper Kettle 2025", 0), ("Fjord Brass Band live", 1)],
    "ask-the-kids": [("Pip at Sea 2026", 0)],
}
MOVIE_LISTS = {
    "sunday-films": [
        ("The Glass Orchard", 2023, "tt9900101"),
        ("The Quiet Island", 2025, "tt9900102"),
        ("Two Weeks in Tromsø", 2026, "tt9900103"),
    ],
    "grandma-classics": [
        ("A Letter from Bergen", 1954, "tt9900104"),
        ("The Lamplighter", 1961, "tt9900105"),
    ],
}
VARIABLES = '{"media_root": "/media", "max_size_mb": 8000, "quiet_hours": "23:00-06:00"}'
NOW = "2026-10-04 08:00:00"


def main() -> None:
    """All rows, in one transaction."""
    connection = sqlite3.connect(os.environ["SEED_DATABASE"])

    def add(table: str, *values: object) -> int:
        marks = ", ".join("?" * (len(values) + 1))
        made = connection.execute(f"INSERT INTO {table} VALUES ({marks})", (None, *values))
        return int(made.lastrowid or 0)

    def entry(title: str, url: str) -> str:
        return serialization.dumps(Entry(title=title, url=url))

    for name, others, tasks in SERIES.values():
        made = add("series", name, normal(name), "ep", None)
        for other in others:
            add("series_alternate_names", other, normal(other), made)
        for task in tasks:
            add("series_tasks", made, task)
    for show, season, number, releases in EPISODES.values():
        made = add("series_episodes", f"S{season:02d}E{number:02d}", season, number, "ep", show)
        for quality, downloaded, title, seen in releases:
            add("episode_releases", made, quality, downloaded, 0, title, seen + ".000000")
    for show, season, releases in SEASONS.values():
        made = add("series_seasons", f"S{season:02d}", "ep", season, show)
        for quality, downloaded, title, seen in releases:
            add("season_releases", made, quality, downloaded, 0, title, seen + ".000000")
    for task, title, when, path in HISTORY:
        add("history", task, path, f"http://feeds.example/{title}", title, when + ".000000", "")
    for title, url, when, reason, count in FAILED:
        add("failed", title, url, when + ".000000", reason, count, "2026-10-05 06:00:00.000000")
    for name in REJECTED_TASKS.values():
        add("remember_rejected_feeds", name)
    for task, title, url, by, reason in REJECTED:
        add(
            "remember_rejected_entry",
            NOW + ".000000",
            "2035-01-01 00:00:00.000000",
            title,
            url,
            by,
            reason,
            task,
        )
    for title, task, local, url in SEEN:
        made = add("seen_entry", title, None, task, NOW + ".000000", local)
        add("seen_field", made, "title", title, NOW + ".000000")
        add("seen_field", made, "url", url, NOW + ".000000")
    for task, title, url, approved in PENDING:
        add("pending_entries", task, title, url, approved, entry(title, url), NOW + ".000000")
    for task in TASKS:
        add("status_task", task)
    for task, start, end, *rest in EXECUTIONS:
        add("status_execution", task, start + ".000000", end + ".000000", *rest)
    for name, titles in ENTRY_LISTS.items():
        made = add("entry_list_lists", name, NOW + ".000000")
        for title in titles:
            url = f"http://feeds.example/{normal(title).replace(' ', '-')}"
            add("entry_list_entries", made, NOW + ".000000", title, url, entry(title, url))
    for name, waiting in PENDING_LISTS.items():
        made = add("pending_list_lists", name, NOW + ".000000")
        for title, approved in waiting:
            url = f"http://feeds.example/{normal(title).replace(' ', '-')}"
            add("wait_list_entries", made, NOW + ".000000", title, url, entry(title, url), approved)
    for name, films in MOVIE_LISTS.items():
        made = add("movie_list_lists", name, NOW + ".000000")
        for title, year, imdb in films:
            film = add("movie_list_movies", NOW + ".000000", title, year, made)
            add("movie_list_ids", NOW + ".000000", "imdb_id", imdb, film)
    add("variables", VARIABLES, NOW + ".000000")
    never = json.dumps(datetime(2035, 1, 1), encode_datetime=True)
    add("simple_persistence", None, "manager", "last_cleanup", never, NOW + ".000000")
    connection.commit()


main()
