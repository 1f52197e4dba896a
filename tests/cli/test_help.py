"""What `--help` says: what is taken for markup does not go missing."""

from collections.abc import Iterator

import pytest
import typer.main
from rich.markup import render
from typer.core import TyperGroup

from gretel.cli.app import app
from lanes import every


def helps(group: object, name: str = "gretel") -> Iterator[tuple[str, str]]:
    """Every help text, with where it stands."""
    yield name, getattr(group, "help", None) or ""
    for parameter in getattr(group, "params", ()):
        yield f"{name} {parameter.name}", getattr(parameter, "help", None) or ""
    if isinstance(group, TyperGroup):
        for each, command in group.commands.items():
            yield from helps(command, f"{name} {each}")


@pytest.mark.parametrize(("place", "text"), every(3, helps(typer.main.get_command(app))))
def test_a_help_text_is_shown_whole(place: str, text: str) -> None:
    assert render(text).plain == text.replace("\\[", "["), place
