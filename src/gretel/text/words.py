"""Words: how names, descriptions and requests are cut into comparable pieces."""

import re
from collections.abc import Iterator

from gretel.text.remembering import remembered

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?", re.UNICODE)


def word_list(text: str) -> list[str]:
    """The words of a table, parted by blanks."""
    return text.split()


def word_set(text: str) -> frozenset[str]:
    """The words of a table as a set."""
    return frozenset(text.split())


_FUNCTION_WORDS = word_set(
    """
    a about also am an and any are as at be been but by can could d did do does for from had has
    have help how i if in into is it its just let like ll m may me might my need no not of on or
    our out please s should so some such t that the their them then there these they this those
    to up us using ve want was we were what when where which who will with would you your
    """
)
STOP_WORDS = _FUNCTION_WORDS | word_set(
    """
    additionally after afterward afterwards again all based before being between both concerning
    done down during e each eg etc every finally first firstly furthermore g having he hello her
    here hi him his i'd i'll i'm i've it's lastly let's make moreover must next nor off ok okay
    only onto over per re regarding related same second secondly shall she since sure than thank
    thanks thirdly through too under until very via while whom whose why wish within yes you'd
    """
)
"""Words that carry no content by themselves: no value of an argument is one."""

SEARCH_STOP_WORDS = _FUNCTION_WORDS | word_set("get give looking provide use")
"""English words that carry a request, not its subject ("please find me a").

Rare in one-line tool descriptions, they would pass for rare, telling words. Other languages do
without: no list, no harm. Not one list with `STOP_WORDS`: words like "between" and "all" tell tools
apart, and without them sparse search loses .004 of Completeness@5 on the dev split of Seal-Tools.
"""

REQUEST_VERBS = word_set(
    """
    get find show tell give provide retrieve search look fetch list check display obtain see
    know calculate compute determine estimate analyze analyse evaluate assess measure create add
    book make set update change modify delete remove cancel submit send order buy purchase
    schedule arrange plan track monitor generate produce convert translate compare recommend
    suggest identify verify validate access view read explain describe explore discover locate
    learn gather collect assist perform conduct perform run start begin initiate activate
    deactivate enable disable apply register request ask pay transfer play open close turn
    record report review download upload save share manage organize optimize predict simulate
    design build develop prepare detect implement understand looking wondering going trying
    interested planning
    """
)
"""Verbs that requests are phrased with; a value rarely begins with one."""

GENERIC_WORDS = word_set(
    """
    name id identifier type value number code key string text data info information list array
    object parameter param field input option options optional required specific specified given
    desired preferred format example unique return returned result results e.g eg default
    retrieve get want user provide
    """
)
"""Words of parameter names and descriptions that say little about which value is meant."""

_CONCEPTS = """
id identifier ids
cost price fee fare budget expense
city town
begin start commence
end finish until
origin departure depart source from
destination arrival arrive target
people person guest passenger traveler traveller adult attendee participant
weigh weight
age old aged
tall height
email mail
phone telephone mobile cell contact
film movie
doctor dr physician
company firm organization organisation business
duration long length period term
student pupil
picture image photo
max maximum most under below less
min minimum least over above more
lat latitude
lon lng long longitude
country nation
purchase buy
airline carrier
gender sex
ticker symbol stock
checkin check-in
salary income wage
temperature temp
website url link site
title called named entitled name
speak language
quantity amount count
query keyword search term topic
medicine medication drug
username login
location place area region
"""


def singular(word: str) -> str:
    """A lower-cased word without an English plural ending (Harman's S-stemmer, JASIS 1991).

    By its letters alone: `status` and `class` stay, `movies` becomes `movy`. Words of three letters
    stay too, so that `sms` is none.
    """
    if len(word) > 4 and word.endswith("ies") and not word.endswith(("eies", "aies")):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("es") and not word.endswith(("aes", "ees", "oes")):
        return word[:-1]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("us", "ss", "is")):
        return word[:-1]
    return word


@remembered(16384)
def stem(word: str) -> str:
    """A crude English stem of one lower-cased word; words of other scripts stay as they are."""
    word = word.removesuffix("'s").removesuffix("’s")
    if len(word) <= 3 or not word.isascii():
        return word
    for ending, put in (("ies", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word[: -len(ending)] + put
            break
    if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    return word[:-1] if len(word) > 4 and word.endswith("e") else word


_STEM_CONCEPT = {
    stem(word): stem(line.split()[0])
    for line in _CONCEPTS.strip().splitlines()
    for word in line.split()
}


@remembered(16384)
def concept(word: str) -> str:
    """The stem of a word, with near-synonyms of request language mapped to one of them."""
    root = stem(word.lower())
    return _STEM_CONCEPT.get(root, root)


@remembered(1_024, longest=2_000)
def content_words(text: str) -> tuple[str, ...]:
    """Lower-cased words of a text without stop words, in order."""
    return tuple(w for w in (m.lower() for m in _WORD.findall(text)) if w not in STOP_WORDS)


@remembered(1_024, longest=2_000)
def concepts(text: str) -> frozenset[str]:
    """The concepts of a text's content words."""
    return frozenset(concept(word) for word in content_words(text))


def places(words: str, text: str) -> Iterator[int]:
    """Where `words` begin in `text`, by plain search: patterns of foreign words stay in memory."""
    start = text.find(words) if words else -1
    while start >= 0:
        yield start
        start = text.find(words, start + 1)
