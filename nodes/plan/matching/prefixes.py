"""What the beginning of a code says of the thing that it is the code of: `inv-4402`, `tpl_9Lp2`.

Services often begin the codes of a kind with its name, with what is left of it without vowels, or
with the initials of its words.
"""

import re
from collections.abc import Iterable

_BEGINS = re.compile(r"([a-z]{1,12})(?:[-_]|:{1,3})\w|([a-z]{1,4})\d+")
WHOLE, SHORT, LETTER = 1.0, 0.6, 0.4
"""A word or its beginning, its consonants, its first letter alone."""


def prefix_of(code: str) -> str:
    """The letters that a code begins with; empty where it is none of this form."""
    found = _BEGINS.match(code)
    return (found[1] or found[2]) if found and " " not in code else ""


def kinship(prefix: str, words: Iterable[str]) -> float:
    """How surely codes with this prefix are those of what `words` name, in [0, 1]."""
    own = [word for word in words if word]
    if not prefix:
        return 0.0
    if len(prefix) > 1 and prefix == "".join(word[0] for word in own):
        return WHOLE
    return max((_alike(prefix, word) for word in own), default=0.0)


def _alike(prefix: str, word: str) -> float:
    if prefix[0] != word[0]:
        return 0.0
    if len(prefix) == 1:
        return LETTER
    if word.startswith(prefix) or len(word) > 2 and prefix.startswith(word):
        return WHOLE
    rest = iter(word)
    return SHORT if all(letter in rest for letter in prefix) else 0.0
