"""Paths with blanks that nothing quotes."""

import pytest

from gretel.nodes.plan.mentions.literals import spaced_paths


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("read me Recipes/Plum jam.md from there", "Recipes/Plum jam.md"),
        ("house, Trips/Lofoten 2027.md - when?", "Trips/Lofoten 2027.md"),
        ("öffne Verein/Sitzung 3 Mai.docx", "Verein/Sitzung 3 Mai.docx"),
        ("~/docs/2026/Tax return final.pdf, please", "~/docs/2026/Tax return final.pdf"),
        ("the file Photos/Bay of Biscay.jpg?", "Photos/Bay of Biscay.jpg"),
    ],
)
def test_it_goes_on_to_its_ending(text: str, path: str) -> None:
    assert [match.group() for match in spaced_paths(text)] == [path]


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
    ],
)
def test_two_things_are_no_path(text: str) -> None:
    assert not list(spaced_paths(text))
