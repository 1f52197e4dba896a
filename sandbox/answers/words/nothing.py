"""Texts that hold nothing: words that say so, `null` written out, XML of bare elements."""

import re

from gretel.sandbox.answers.words.keys import GOOD_WORDS
from gretel.sandbox.answers.words.phrases import NO_ENTRY, NOTHING_FOUND
from gretel.text.invisible import seen_beginning

SHORT = 300
"""Characters; a longer text is an answer that happens to hold some words."""
_NO_ENTRY = 60
"""Characters; a longer text says more than that there is none."""
_TEXTS_OF_NOTHING = frozenset({"", "null", "none", "nil", "undefined", "[]", "{}", '""'})
"""Texts that are nothing, written out."""
_LONGEST_NOTHING = 60
"""Characters, blanks around it included."""
_SMALL_XML = 5_000
"""Characters; longer XML is no envelope alone."""
_XML_ROOT = re.compile(r"\s*(?:<\?xml[^>]{0,200}\?>\s*)?<(?P<name>[A-Za-z_][\w.-]{0,60})[\s/>]")
_XML_TEXT = re.compile(r">\s*[^<\s]")
_XML_ATTRIBUTE = re.compile(r"""(?<=\s)([\w:.-]{1,60}=(?:"[^"<]*"|'[^'<]*'))""")
_XML_KEPT = re.compile(r"""(?:xmlns|xsi|version|encoding|standalone)\b.*|[^=]+=["']0?["']""")
"""An attribute that is no content: a name space, a count of zero."""
_FEEDS = frozenset({"rss", "feed"})
_DRAWN = frozenset({"svg", "html"})
_FEED_ENTRY = re.compile(r"<(?:item|entry)[\s>/]", re.I)


def is_nothing_found(text: str) -> bool:
    """Whether a text that is all there is says that nothing was found."""
    return len(text) <= SHORT and bool(NOTHING_FOUND.search(text))


def is_nothing(text: str) -> bool:
    """Whether a text is none that a reader sees, or nothing written out."""
    if not text.isascii():
        text = seen_beginning(text, _LONGEST_NOTHING + 1)
    return text.strip().lower() in _TEXTS_OF_NOTHING


def is_empty_document(text: str, content_type: str) -> bool:
    """Whether a text that is no JSON holds nothing: XML of bare elements, a feed without entries,
    the head of a table alone.
    """
    if "csv" in content_type.lower():
        return len(text.split("\n", 2)) < 3 and not text.strip().partition("\n")[2]
    root = _XML_ROOT.match(text)
    if root is None or len(text) > _SMALL_XML or root["name"].lower() in GOOD_WORDS | _DRAWN:
        return False
    if root["name"].lower() in _FEEDS:
        return not _FEED_ENTRY.search(text)
    says = any(_XML_KEPT.fullmatch(each[1]) is None for each in _XML_ATTRIBUTE.finditer(text))
    return not says and not _XML_TEXT.search(text[root.end("name") :])


def says_no_entry(text: str) -> bool:
    """Whether a text under any name says that there is none, and nothing else: "None found"."""
    return len(text) <= _NO_ENTRY and bool(NO_ENTRY.fullmatch(text.strip()))
