"""Installing: once for each set of pins, into folders of their own below the output folder."""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

from service import HERE, DebianPackages, NodePackages, Place, Wheels, emptied

PINS = HERE / "pins"
UV = "uv==0.13.8"
"""Resolves nothing here, since everything is pinned; it is several times as fast as pip."""


def installed(place: Place) -> bool:
    """Install what the service needs; False where it was there."""
    stamp = place.home / ".installed"
    wanted = _digest(place)
    if stamp.exists() and stamp.read_text() == wanted:
        return False
    match place.install:
        case Wheels(pins):
            _wheels(place, PINS / f"requirements-{pins}.txt")
        case NodePackages(pins, moved):
            _node_packages(place, PINS / f"{pins}.package.json", moved)
        case DebianPackages(_, packages):
            _debian_packages(place, packages)
    stamp.write_text(wanted)
    return True


def _digest(place: Place) -> str:
    match place.install:
        case Wheels(pins):
            read = (PINS / f"requirements-{pins}.txt").read_bytes()
        case NodePackages(pins, _):
            read = (PINS / f"{pins}.package.json").read_bytes()
        case DebianPackages(_, packages):
            read = " ".join(packages).encode()
    return hashlib.sha256(read).hexdigest()


def _wheels(place: Place, requirements: Path) -> None:
    tools = place.out / "venvs" / "tools"
    uv = tools / "bin" / "uv"
    if not uv.exists():
        _run(sys.executable, "-m", "venv", str(tools))
        _run(str(tools / "bin" / "python"), "-m", "pip", "install", "--quiet", UV)
    _run(str(uv), "venv", "--quiet", "--clear", "--python", sys.executable, str(place.home))
    python = str(place.home / "bin" / "python")
    _run(str(uv), "pip", "install", "--quiet", "--python", python, "-r", str(requirements))


def _node_packages(place: Place, manifest: Path, moved: str) -> None:
    emptied(place.home)
    shutil.copy(manifest, place.home / "package.json")
    quietly = ("--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error")
    _run("npm", "install", *quietly, cwd=place.home)
    if moved:
        package = place.home / "node_modules" / moved
        package.rename(place.home / "src")
        package.symlink_to("../src")


def _debian_packages(place: Place, packages: tuple[str, ...]) -> None:
    emptied(place.home)
    try:
        _run("apt-get", "download", "--quiet", *packages, cwd=place.home)
    except SystemExit:  # the lists of packages are missing, or old
        _run("apt-get", "update", "--quiet")
        _run("apt-get", "download", "--quiet", *packages, cwd=place.home)
    for archive in sorted(place.home.glob("*.deb")):
        _run("dpkg", "--extract", str(archive), str(place.home))


def _run(*command: str, cwd: Path | None = None) -> None:
    done = subprocess.run(
        command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stdout[-2000:]}")
