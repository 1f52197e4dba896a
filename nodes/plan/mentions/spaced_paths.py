"""Paths whose file name has blanks and no quotes around it: "Recipes/Plum jam.md"."""

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


def spaced_paths(text: str) -> Iterator[re.Match[str]]:
    """The paths of a text whose file name is several words, up to a known ending.

    The name begins with a capital or a digit behind its folder, and no word of it is one that joins
    two things: neither "and/or", "he/she said hi.txt" nor "src/main into lib.py" is such a path.
    """
    for match in _SPACED.finditer(text):
        name = match["name"].split()
        folders = match["folders"].lower().split("/")
        common = (STOP_WORDS - _INSIDE) | _ABROAD
        told = name[0][0].isupper() or name[0][0].isdigit()
        if told and common.isdisjoint(word.lower() for word in (*name, *folders)):
            yield match
