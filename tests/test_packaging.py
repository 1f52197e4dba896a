"""The package is found and built whole, and every list of rooms names all of them."""

import ast
import itertools
import os
import pkgutil
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from collections import Counter
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

import gretel

PACKAGE = Path("src/gretel")
LINKED = {"graph", "nodes", "prompts", "sandbox"}
"""Rooms that stand at the root of the repository; `src/gretel` holds a link to each."""


def rooms(root: Path) -> list[str]:
    """Folders below the package that are packages, linked ones included."""
    return sorted(place.parent.name for place in (root / PACKAGE).glob("*/__init__.py"))


def files(root: Path) -> set[str]:
    """Files of the package as they are imported, without caches."""
    found = set()
    for folder, _, names in os.walk(root / PACKAGE, followlinks=True):
        place = Path(folder).relative_to(root / PACKAGE)
        if "__pycache__" not in place.parts:
            found |= {(Path("gretel") / place / name).as_posix() for name in names}
    return found


@pytest.fixture(scope="module")
def pyproject(root: Path) -> dict[str, Any]:
    return tomllib.loads((root / "pyproject.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def checkout(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree, in a folder named `gretel`."""
    copy = tmp_path_factory.mktemp("above") / "gretel"
    for folder in ("src", *LINKED):
        ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
        shutil.copytree(root / folder, copy / folder, ignore=ignored, symlinks=True)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(root / name, copy)
    return copy


@pytest.fixture(scope="module")
def built(checkout: Path) -> Path:
    """A folder with the source distribution, and the wheel made from it alone."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", "dist"]
    run = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return checkout / "dist"


@pytest.fixture(scope="module")
def editable(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of installed packages that holds an editable install of the checkout."""
    place = tmp_path_factory.mktemp("site")
    code = f"from setuptools import build_meta; build_meta.build_editable({str(place)!r})"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=checkout, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    (wheel,) = place.glob("*.whl")
    with ZipFile(wheel) as archive:
        archive.extractall(place)
    return place


@pytest.mark.slow
def test_the_wheel_holds_the_files_of_the_tree(root: Path, built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with ZipFile(wheel) as archive:
        found = {name for name in archive.namelist() if ".dist-info/" not in name}
        links = [info.filename for info in archive.infolist() if info.external_attr >> 28 == 0xA]

    assert found == files(root)
    assert links == []


@pytest.mark.slow
def test_the_source_distribution_holds_real_files(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        links = [member.name for member in archive if member.issym() or member.islnk()]

    assert links == []


def test_the_links_lead_to_the_rooms_at_the_root(root: Path) -> None:
    links = {place.name: place for place in (root / PACKAGE).iterdir() if place.is_symlink()}

    assert {name: link.readlink() for name, link in links.items()} == {
        name: Path("../..") / name for name in LINKED
    }


def test_every_room_has_its_place_in_the_import_direction(
    root: Path, pyproject: dict[str, Any]
) -> None:
    (layers,) = (
        contract["layers"]
        for contract in pyproject["tool"]["importlinter"]["contracts"]
        if contract["name"] == "Rooms import one way"
    )
    named = [name.strip() for layer in layers for name in layer.split("|")]

    assert sorted(named) == [f"gretel.{room}" for room in rooms(root)]


def test_a_linked_room_may_not_be_imported_by_its_bare_name(pyproject: dict[str, Any]) -> None:
    banned = pyproject["tool"]["ruff"]["lint"]["flake8-tidy-imports"]["banned-api"]

    assert set(banned) == LINKED


def test_every_module_is_found_by_walking_the_package(root: Path) -> None:
    walked = {module.name for module in pkgutil.walk_packages(gretel.__path__, "gretel.")}
    names = {
        file.removesuffix(".py").replace("/", ".") for file in files(root) if file[-3:] == ".py"
    }

    assert walked == {name.removesuffix(".__init__") for name in names} - {"gretel"}


@pytest.mark.slow
@pytest.mark.parametrize("place", ["..", ".", "src", "graph", "src/gretel", "/"])
def test_the_package_is_found_from_every_folder(checkout: Path, editable: Path, place: str) -> None:
    """Also from the one above a checkout that is named gretel: that folder must not hide it."""
    code = (
        f"import site; site.addsitedir({str(editable)!r})\n"
        "import gretel.graph; print(gretel.__file__); print(gretel.graph.__file__)"
    )
    command = [sys.executable, "-S", "-c", code]  # without what else is installed
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    run = subprocess.run(
        command, cwd=checkout / place, env=environment, capture_output=True, text=True, check=False
    )
    found = [Path(line).resolve() for line in run.stdout.splitlines()]

    assert run.returncode == 0, run.stderr
    assert found == [checkout / PACKAGE / "__init__.py", checkout / "graph/__init__.py"]


def test_no_room_holds_more_than_twenty_modules(root: Path) -> None:
    counts = Counter(Path(file).parent.as_posix() for file in files(root) if file[-3:] == ".py")

    assert {room: count for room, count in counts.items() if count > 21} == {}


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


@pytest.mark.slow
def test_what_the_rooms_and_examples_import_is_declared(
    root: Path, pyproject: dict[str, Any]
) -> None:
    project = pyproject["project"]
    extras = [more for name, more in project["optional-dependencies"].items() if name != "dev"]
    declared = {
        normal(re.split(r"[\[<>=!~; ]", requirement)[0])
        for requirement in [*project["dependencies"], *itertools.chain(*extras)]
    }
    sources = [root / folder for folder in ("src", "examples", *LINKED)]
    names = {name for source in sources for file in source.rglob("*.py") for name in imported(file)}
    homes = packages_distributions()
    providers = {name: {normal(d) for d in homes[name]} for name in names & homes.keys()}

    own = {"gretel"}
    assert {name for name, by in providers.items() if not by & (declared | own)} == set()
