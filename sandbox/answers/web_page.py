"""A web page in place of an answer: whether it is an error's, and what its title says."""

import re
from typing import NamedTuple

from gretel.contracts.trial import FailureKind
from gretel.sandbox.answers.kinds import kind_of
from gretel.sandbox.answers.phrases import ERROR_PAGE
from gretel.sandbox.answers.statuses import kind_of_status, page_title, stated_in_title

_READ = 5_000
"""Characters of a page that are looked at."""
_TAGS = re.compile(r"<(script|style)\b.*?</\1>|<[^>]*>", re.I | re.S)
_WORDS = 300
"""Characters of a page's own words that are read where its title tells nothing."""


class Page(NamedTuple):
    """A web page, as an answer to a call."""

    title: str
    is_error: bool
    kind: FailureKind | None
    """Of failure, where it is an error page that tells."""


def read_page(text: str) -> Page:
    """What a page says of itself."""
    title = page_title(text)
    if not ERROR_PAGE.search(text[:_READ]):
        return Page(title, is_error=False, kind=None)
    status = stated_in_title(title)
    words = " ".join(_TAGS.sub(" ", text[:_READ]).split())[:_WORDS]
    kind = kind_of_status(status) if status else kind_of(title) or kind_of(words)
    return Page(title, is_error=True, kind=kind)
