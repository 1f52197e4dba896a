"""Paths whose folders or file name are several words: `Trips/Lofoten 2027.md`."""

import re
from collections.abc import Iterator

from gretel.text.words import STOP_WORDS, word_set

_ENDINGS = (
    "md|markdown|txt|rtf|tex|pdf|docx?|odt|xlsx?|ods|csv|tsv|pptx?|odp|epub|json|ya?ml|toml|ini|xml"
    "|html?|log|png|jpe?g|gif|svg|webp|tiff?|heic|mp[34]|wav|flac|ogg|mov|mkv|avi|zip|t?gz|tar|7z|py"
    "|ipynb|js|ts|sql|sqlite|ics|eml|canvas|geojson|gpx"
)
_SPACED = re.compile(
    r"(?<![\w/.@:*~-])(?:(?:~|\.{1,2})?/)?(?P<folders>(?:[\w.-]+/)+)"
    r"(?P<name>[\w'’()&+-]+(?: [\w'’()&+,-]+){0,4} (?:- )?[\w'’()&+-]+)"
    rf"\.(?:{_ENDINGS})(?![\w-]|\.\w)",
    re.IGNORECASE,
)
_INSIDE = word_set("of the a my our")
"""Function words that stand in the names of files, and seldom between two files."""
_ABROAD = word_set(
    """aus auf bei das dem den der die ein eine im in ist mit nach oder und von vom zu zum zur avec
    dans depuis et les ou pour sur vers con desde el en los las hacia para por un una y o"""
)
"""Function words of other languages that stand between two files."""
_FOLDER = r"[\w'’()&+.-]+(?: [\w'’()&+.-]+){0,4}"
_THROUGH = re.compile(
    rf"(?<![\w/.@:*~-])(?:~|\.{{1,2}})?/(?P<folders>(?:{_FOLDER}/)+)"
    rf"(?P<name>{_FOLDER}\.(?:{_ENDINGS})(?![\w-]|\.\w)|{_FOLDER}(?=[.?!]?\s*(?:\n|$))"
    r"|[\w'’()&+.-]*[\w'’()&+-])?"
)
"""From the root, through folders; the end of a line is the end of a name of several words."""


def spaced_paths(text: str) -> Iterator[tuple[int, int]]:
    """Where paths stand whose file name, up to a known ending, or folder is several words.

    A path whose folders have one word each ends with its first word: "list /data/Music as a tree".
    Each name begins with a capital or a digit, and no word of it is one that joins two things:
    neither "and/or", "he/she said hi.txt" nor "src/main into lib.py" is such a path.
    """
    within = 0
    found = sorted((*_THROUGH.finditer(text), *_SPACED.finditer(text)), key=re.Match.start)
    for match in found:
        end = _end(match) if match.start() >= within else 0
        if end:
            yield match.start(), end
            within = end


def _end(match: re.Match[str]) -> int:
    """One past the last character of a path; 0 where it is none of several words."""
    name, folders = match["name"] or "", match["folders"].split("/")
    spaced = [folder for folder in folders if " " in folder]
    if match.re is _SPACED:
        return match.end() if _is_name(name, " ".join(folders)) else 0
    if not spaced or not all(map(_is_name, spaced)):
        return 0
    whole = " " not in name or _is_name(name)
    return match.end() if whole else match.start("name") + name.index(" ")


def _is_name(name: str, around: str = "") -> bool:
    """Whether several words can be a name, and neither they nor those around it join two things."""
    common = (STOP_WORDS - _INSIDE) | _ABROAD
    words = f"{name} {around}".lower().split()
    return (name[0].isupper() or name[0].isdigit()) and common.isdisjoint(words)
