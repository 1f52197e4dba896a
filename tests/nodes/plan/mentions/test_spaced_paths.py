"""Paths with blanks that nothing quotes."""

import pytest

from gretel.nodes.plan.mentions.spaced import spaced_paths


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("read me Recipes/Plum jam.md from there", "Recipes/Plum jam.md"),
        ("house, Trips/Lofoten 2027.md - when?", "Trips/Lofoten 2027.md"),
        ("öffne Verein/Sitzung 3 Mai.docx", "Verein/Sitzung 3 Mai.docx"),
        ("~/docs/2026/Tax return final.pdf, please", "~/docs/2026/Tax return final.pdf"),
        ("the file Photos/Bay of Biscay.jpg?", "Photos/Bay of Biscay.jpg"),
        ("what is at /music/Field Takes/Dawn chorus?", "/music/Field Takes/Dawn chorus"),
        ("is /Field Takes/Dawn chorus.wav there", "/Field Takes/Dawn chorus.wav"),
        ("list /music/Field Takes/Dawn in full", "/music/Field Takes/Dawn"),
        ("list ~/Field Takes/2026 Lofoten/ for me", "~/Field Takes/2026 Lofoten/"),
    ],
)
def test_it_goes_on_to_its_ending(text: str, path: str) -> None:
    assert [text[start:end] for start, end in spaced_paths(text)] == [path]


@pytest.mark.parametrize(
    "text",
    [
        "read a.txt and/or b c.txt",
        "he/she said hi.txt",
        "he/She said hi.txt",
        "copy src/main into lib.py",
        "move Archive/Photos to Backup.zip",
        "compare docs/Old.md with New.md",
        "the client/server config.yaml",
        "Docs/Readme mentions example.com",
        "leg Archiv/Fotos in Sicherung.zip",
        "at https://example.org/Plum jam.md",
        "list /data/Music as a tree",
        "compare /data/Music and /data/Photos",
        "copy /data/Music to backup/Music",
        "show /data/Music and/or nothing",
    ],
)
def test_two_things_are_no_path(text: str) -> None:
    assert not list(spaced_paths(text))
