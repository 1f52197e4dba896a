"""Where Python code lies that a child process may read, and what lies beside it and is none."""

import contextlib
import os
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Places(NamedTuple):
    """What a child process may read of the folders of code."""

    readable: list[str]
    """Files and folders, with all that is in them."""
    listable: list[str]
    """Folders of which it may read the names alone."""


def places_of_code() -> Places:
    """Where Python code lies that this process can import or has imported.

    A folder on `sys.path` that holds the home folder, by whatever name, is left out: with it come
    keys and passwords. So is the user's own, where the environment names another. Of one that holds
    hidden files or folders, as a `.env` or a `.git`, these are left out: no code is in them.
    """
    homes = [os.path.join(os.path.realpath(home), "") for home in _homes()]
    kept: list[str] = []
    for place in sorted(os.path.join(place, "") for place in _imported()):
        if any(_is_within(place, other) for other in kept):
            continue
        real = os.path.join(os.path.realpath(place), "")
        if not any(home.startswith(real) for home in homes):
            kept.append(place)
    found = Places([], [])
    for place in (each.rstrip(os.sep) for each in kept):
        entries = _beside_hidden(place)
        found.readable.extend([place] if entries is None else entries)
        found.listable.extend([] if entries is None else [place])
    return found


def _imported() -> set[str]:
    """The folders and files of code, and those of the interpreter."""
    places = {sys.prefix, sys.base_prefix, *map(os.path.abspath, sys.path)}
    for name, module in list(sys.modules.items()):
        folders = getattr(module, "__path__", None)
        file = getattr(module, "__file__", None)
        if isinstance(folders, Iterable):  # torch has a module whose `__path__` is none
            places.update(map(os.path.abspath, folders))
        elif file and "." not in name:
            places.add(os.path.abspath(file))
    return places


def _is_within(place: str, other: str) -> bool:
    """Whether who may read `other` may read `place`, which does not lie in something hidden."""
    return place.startswith(other) and f"{os.sep}." not in f"{os.sep}{place[len(other) :]}"


def _beside_hidden(place: str) -> list[str] | None:
    """What is in a folder that holds something hidden, but that; None where all may be read.

    No link: who may read the folder may not read what a link in it leads to.
    """
    try:
        with os.scandir(place) as entries:
            found = [(each.name, each.is_symlink()) for each in entries]
    except OSError:  # no folder, or none that we may read
        return None
    if not any(name.startswith(".") for name, _ in found):
        return None
    return [os.path.join(place, name) for name, link in found if name[0] != "." and not link]


def _homes() -> Iterator[str]:
    """The home folders that the environment and the system name; none of a user without one."""
    named = [os.path.expanduser("~")]
    with contextlib.suppress(ImportError, KeyError):  # Windows has no such list
        import pwd

        named.append(pwd.getpwuid(os.getuid()).pw_dir)
    return (each for each in named if os.path.isabs(each))
