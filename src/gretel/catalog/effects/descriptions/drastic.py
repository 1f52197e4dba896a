"""Drastic verbs anywhere in a description: "Weather (deletes the user)", "alias of DELETE".

Documents of what reads hardly have such a verb but as a participle ("deleted users") or behind what
somebody may do ("can add or remove"). So these words count wherever they stand.
"""

import re

_STEM = r"(?:delet|destroy|eras|expung|obliterat|purg|remov|wip)"
_THIRD = (
    r"(?<!who )(?<!user )(?<!users )(?<!owner )(?<!someone )(?<!somebody )(?<!anyone )"
    r"\b(?:cancels|deletes|destroys|erases|expunges|obliterates|purges|removes|revokes|wipes)\b"
)
_PLAIN = r"(?:delete|destroy|erase|expunge|obliterate|purge|remove|wipe)"
_NOUN = r"(?:cancellation|delete|deletion|destruction|erasure|purge|removal|wipe)"
_SAYS = re.compile(
    _THIRD
    # what it is for, what it does besides
    + r"|\b(?:after|before|by|effect\s+of|for|while)\s+(?:\w+ly\s+)?"
    + rf"(?:cancell|revok|{_STEM})ing\s+"
    r"(?:an?|all|any|the|this|your|\w+s)\b"
    rf"|\bway\s+to\s+(?:cancel|{_PLAIN})\b"
    rf"|(?:^|[.!]\s+)(?:here|by\s+(?:calling|using)\s+(?:it|this)),?\s+you\s+(?:can\s+|will\s+)?{_PLAIN}\b"
    rf"|\b(?:helps?|lets?|serves?|meant|designed|intended|made)\s+(?:\w+\s+)?to\s+{_PLAIN}\b"
    rf"|\b(?:perform|do(?:es)?|issue|execute|make|cause|trigger|carr(?:y|ies)\s+out)s?\s+"
    rf"(?:an?\s+|the\s+)?(?:\w+\s+)?{_NOUN}\b"
    r"|\b(?:get|gets|getting)\s+rid\s+of\b"
    # what becomes of things
    rf"|\w\s+(?:gets|will\s+get)\s+(?:\w+ly\s+)?(?:cancell?|revok|{_STEM})ed\b"
    r"|\b(?:attention|beware|caution|note|notice|warning)\b[^.]{0,40}\bwill\s+be\s+(?:\w+ly\s+)?"
    rf"(?:cancell?|revok|{_STEM})ed\b"
    r"|\band\s+(?:the\s+)?(?:deletion|erasure|removal)\s+of\b"
    # an order, or a title
    rf"|(?:[:.|(\u2013\u2014-]\s+|\()(?:also\s+|please\s+|then\s+)?{_PLAIN}\b"
    rf"|\b(?:bulk|force|hard|mass|soft)-(?:delete|purge|remove)s?\b"
    rf"|^\W*(?:{_STEM}|cancell|revok)ing\b|[.!]\s+(?:{_STEM}|cancell|revok)ing\b",
    re.I,
)
_STANDS_IN = re.compile(
    r"\b(?i:alias|alternative|emulates?|equivalent|fallback|identical|instead|same|simulates?"
    r"|stands?\s+in|substitute|tunnel\w*)\b[^.]{0,40}\b"
    r"(?:DELETE|PATCH|PUT|(?i:delete\s+(?:call|endpoint|method|operation|request)))\b"
)
"""What says that a GET does what another method does."""
_ADDRESS = re.compile(r"\]\([^()\s]{0,200}\)|\bhttps?://\S+")
"""Addresses of pages, which may be called as they like."""


def drastic_words(text: str) -> str | None:
    """The words by which a text says that something is deleted, or does what DELETE does."""
    text = _ADDRESS.sub(" ", text)
    found = _SAYS.search(text) or _STANDS_IN.search(text)
    return found[0].strip(" .:|(-\u2013\u2014\n\t").lower() if found else None
