"""Stretches of time up to now, in seconds: "the last 5 minutes", "最近十分钟"."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from gretel.text.words import word_list

_NUMBERS = {
    word: number
    for number, words in {
        1: "one ein eine einer un une uno una 一",
        2: "two zwei deux dos 二 两",
        3: "three drei trois tres 三",
        4: "four vier quatre cuatro 四",
        5: "five fünf cinq cinco 五",
        6: "six sechs seis 六",
        7: "seven sieben sept siete 七",
        8: "eight acht huit ocho 八",
        9: "nine neun neuf nueve 九",
        10: "ten zehn dix diez 十",
        12: "twelve zwölf douze doce 十二",
        15: "fifteen fünfzehn quinze quince 十五",
        20: "twenty zwanzig vingt veinte 二十",
        24: "vierundzwanzig vingt-quatre veinticuatro 二十四",
        30: "thirty dreißig trente treinta 三十",
        45: "fünfundvierzig quarante-cinq 四十五",
        60: "sixty sechzig soixante sesenta 六十",
    }.items()
    for word in word_list(words)
}
_SECONDS = (
    (1, r"sec(?:ond)?s?|sekunden?|secondes?|segundos?|秒钟?"),
    (60, r"min(?:ute)?s?|minuten|minutos?|分钟?"),
    (3_600, r"hours?|hrs?|stunden?|heures?|horas?|个?小时|个?钟头"),
    (86_400, r"days?|tagen?|tage?s?|jours?|días?|天|日"),
    (604_800, r"weeks?|wochen?|semaines?|semanas?|周|个?星期"),
)
_UNIT = "|".join(unit for _, unit in _SECONDS)
_COUNT = rf"\d{{1,6}}|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))}"
_LATIN = (
    "last|past|previous|letzten?|vergangenen?|derni(?:er|ère)s?|précédente?s?"
    "|últim[oa]s?|pasad[oa]s?"
)
_STRETCH = re.compile(
    rf"\b(?:{_LATIN})\s+(?:(?P<a>{_COUNT})[\s-]+)?(?P<b>{_UNIT})\b"
    rf"|\b(?P<c>{_COUNT})\s+(?:{_LATIN})\s+(?P<d>{_UNIT})\b"
    rf"|(?:最近|过去|近)的?\s*(?P<e>{_COUNT})\s*(?P<f>{_UNIT})",
    re.IGNORECASE,
)


class Stretch(NamedTuple):
    """How long ago a stretch of time up to now began, and the characters that say so."""

    seconds: int
    unit: int
    """Seconds of the unit that it is said in."""
    start: int
    end: int


def stretches(text: str) -> Iterator[Stretch]:
    """The stretches of time up to now that a text speaks of; "the last hour" is one."""
    for match in _STRETCH.finditer(text):
        count = match["a"] or match["c"] or match["e"] or "1"
        unit = match["b"] or match["d"] or match["f"]
        size = next(n for n, names in _SECONDS if re.fullmatch(names, unit, re.IGNORECASE))
        amount = int(count) if count.isdigit() else _NUMBERS[count.lower()]
        yield Stretch(amount * size, size, *match.span())
