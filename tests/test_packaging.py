"""The wheel holds exactly the rooms, and every list of rooms names all of them."""

import ast
import itertools
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

SHELL = Path("src/gretel")
"""The only room that stands under its import name."""


def rooms(root: Path) -> list[str]:
    """Top-level folders that are packages."""
    return sorted(place.parent.name for place in root.glob("*/__init__.py"))


def files(folder: Path) -> set[str]:
    """Files below `folder`, without caches."""
    found = (place.relative_to(folder) for place in folder.rglob("*") if place.is_file())
    return {place.as_posix() for place in found if "__pycache__" not in place.parts}


@pytest.fixture(scope="module")
def pyproject(root: Path) -> dict[str, Any]:
    return tomllib.loads((root / "pyproject.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def wheel_files(root: Path, tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Built from a copy: setuptools keeps a `build/` where files of earlier builds live on."""
    copy = tmp_path_factory.mktemp("tree")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(root / name, copy)
    for room in ("src", *rooms(root)):
        ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
        shutil.copytree(root / room, copy / room, ignore=ignored)
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", "dist"]
    run = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    (wheel,) = (copy / "dist").glob("*.whl")
    with ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def test_the_wheel_holds_the_files_of_the_tree(root: Path, wheel_files: set[str]) -> None:
    tree = {f"gretel/{file}" for file in files(root / SHELL)}
    tree |= {f"gretel/{room}/{file}" for room in rooms(root) for file in files(root / room)}

    assert wheel_files == tree


def test_the_type_checkers_see_every_room(root: Path) -> None:
    links = root / "typings" / "gretel"
    targets = {link.name: link.resolve(strict=True) for link in links.iterdir()}

    expected = {room: root / room for room in rooms(root)}
    expected |= {file: root / SHELL / file for file in files(root / SHELL)}
    assert targets == expected


def test_every_package_is_listed_with_its_folder(root: Path, pyproject: dict[str, Any]) -> None:
    setuptools = pyproject["tool"]["setuptools"]
    folders = {folder for room in rooms(root) for folder in packages(root / room)}
    expected = {"gretel." + ".".join(f.relative_to(root).parts): f for f in folders}
    expected["gretel"] = root / SHELL

    assert {name: root / folder for name, folder in setuptools["package-dir"].items()} == expected
    assert sorted(setuptools["packages"]) == sorted(expected)


def packages(room: Path) -> set[Path]:
    """Folders of `room`, itself included, that hold Python files."""
    return {file.parent for file in room.rglob("*.py")}


def test_every_room_has_its_place_in_the_import_direction(
    root: Path, pyproject: dict[str, Any]
) -> None:
    (contract,) = (
        contract
        for contract in pyproject["tool"]["importlinter"]["contracts"]
        if contract["type"] == "layers"
    )
    layers = [name.strip() for layer in contract["layers"] for name in layer.split("|")]

    assert sorted(layers) == [f"gretel.{room}" for room in rooms(root)]


def test_no_room_may_be_imported_by_its_bare_name(root: Path, pyproject: dict[str, Any]) -> None:
    banned = pyproject["tool"]["ruff"]["lint"]["flake8-tidy-imports"]["banned-api"]

    assert sorted(banned) == rooms(root)


def imported(file: Path) -> set[str]:
    """Top-level names that `file` imports, at any depth of its code."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").partition(".")[0])
    return found


def normal(name: str) -> str:
    """A distribution's name as PEP 503 compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def test_what_the_rooms_and_examples_import_is_declared(
    root: Path, pyproject: dict[str, Any]
) -> None:
    project = pyproject["project"]
    extras = [more for name, more in project["optional-dependencies"].items() if name != "dev"]
    declared = {
        normal(re.split(r"[\[<>=!~; ]", requirement)[0])
        for requirement in [*project["dependencies"], *itertools.chain(*extras)]
    }
    sources = [root / folder for folder in (str(SHELL), "examples", *rooms(root))]
    names = {name for source in sources for file in source.rglob("*.py") for name in imported(file)}
    homes = packages_distributions()
    providers = {name: {normal(d) for d in homes[name]} for name in names & homes.keys()}

    own = {"gretel"}
    assert {name for name, by in providers.items() if not by & (declared | own)} == set()
