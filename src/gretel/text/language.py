"""Which language a request is in, where it is not English.

Ids, paths, numbers, quoted values and capitalised names say nothing of it and are left out: what
is left of an order is short, so a language is named only where it is far likelier than English
(docs/decisions/0008-language-of-requests.md has the figures).
"""

import re
from functools import cache
from typing import Any

from gretel.text.sentences import without_quotes

MARGIN = 10.0
"""Natural log odds against English from which a text is in another language. Of 24,000 English
requests of six collections one is above (Latin filler), and few names in it reach 8."""

_CHARACTERS_READ = 600
_CODE = re.compile(r"[!-~]*[\d_/\\@{}<>=*|#$%^~][!-~]*")
_NAME = re.compile(r"(?<=[\w,;:]\s)(?=[^\W\d_])[^\W_][\w'’-]*")


def foreign_language(text: str) -> str | None:
    """ISO 639 code of the language of `text`; None for English, and where that cannot be told."""
    plain = " ".join(_NAME.sub(_unless_name, plain_words(text)).split())
    if not any(map(str.isalpha, plain)):
        return None
    ranked = _identifier().rank(plain)
    language, chance = next((code, odds) for code, odds in ranked if code != _NO_LANGUAGE)
    return language if chance - dict(ranked)["en"] > MARGIN else None


def language_name(code: str) -> str:
    """English name of a language by its ISO 639 code; the code itself where there is none."""
    import pycountry

    found = pycountry.languages.get(**{f"alpha_{len(code)}": code})
    return str(found.name) if found else code


def plain_words(text: str) -> str:
    """The beginning of `text` without ids, paths, numbers and quoted values."""
    return " ".join(_CODE.sub(" ", without_quotes(text[:_CHARACTERS_READ])).split())


_NO_LANGUAGE = "zxx"
"""ISO 639 for what is no language, as pictures are."""


def _unless_name(word: re.Match[str]) -> str:
    return "" if word[0][0].isupper() else word[0]


@cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE)
