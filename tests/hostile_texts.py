"""Texts that give orders to a terminal, hide or forge, and a document that is full of one."""

import json
import unicodedata
from pathlib import Path

ORDERS = {
    "colour": "\x1b[31mred",
    "clear": "\x1b[2J\x1b[H",
    "title": "\x1b]0;owned\x07",
    "link": "\x1b]8;;https://evil.example\x1b\\here\x1b]8;;\x1b\\",
    "clipboard": "\x1b]52;c;cm0gLXJm\x07",
    "C1": "\x9b31mred\x9d0;owned\x9c",
    "overwrite": "bad\rgood",
    "backspace": "bad\b\b\bgood",
    "bidi": "\u202eevil\u2066",
    "tags": "".join(chr(0xE0000 + ord(char)) for char in "obey"),
    "lines": "one\ngretel: two\u2028three\x85four",
    "delete": "a\x7fb",
    "surrogate": "half \ud800",
    "filler": "\u3164\u115f",
}

HOSTILE = {**ORDERS, "markup": "[link=https://evil.example]click[/link] [bold red]"}
"""With what `rich` reads."""


def orders_in(text: str) -> list[str]:
    """Characters that a terminal acts on, or that nobody sees; a printed line ends in one break."""
    lines = text.replace("\n", "")
    return [char for char in lines if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn")]


def hostile_document(path: Path, said: str) -> Path:
    """One operation that can be used, and ones that cannot, all with the text in every name."""
    operations = {
        "/a": {"get": {"operationId": f"find{said}", "summary": f"Find {said}", "responses": {}}},
        f"/b{said}": {"get": {"parameters": [{"name": said, "in": said}], "responses": {}}},
        "/c": {"get": {"security": [{said: []}], "responses": {}, "parameters": [{"$ref": said}]}},
        "/d": {said: 1, "get": f"{said}"},
        "/e": f"{said}",
    }
    info = {"title": f"T{said}", "version": said, "description": said}
    made = {"openapi": "3.0.0", "info": info, "paths": operations}
    path.write_text(json.dumps(made))
    return path
