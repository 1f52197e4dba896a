"""A web page in place of an answer: whether it is an error's, and what its title says."""

import re
from typing import NamedTuple

from gretel.contracts.trial import Failure, FailureKind
from gretel.sandbox.answers.blame import in_path, unknown
from gretel.sandbox.answers.called import Called, failed
from gretel.sandbox.answers.subject import may_be_page
from gretel.sandbox.answers.verdict import SUCCEEDED, Verdict, protocol
from gretel.sandbox.answers.words.kinds import kind_of
from gretel.sandbox.answers.words.phrases import ERROR_PAGE
from gretel.sandbox.answers.words.statuses import kind_of_status, page_title, stated_in_title

_LOOKED_AT = 5_000
"""Characters of a page that are looked at."""
_TAGS = re.compile(r"<(script|style)\b.*?</\1>|<[^>]*>", re.I | re.S)
_WORDS = 300
"""Characters of a page's own words that are read where its title tells nothing."""
_ASKS_PASSWORD = re.compile(r"<input\b[^<>]{0,200}\btype\s*=\s*[\"']?password\b", re.I)


class Page(NamedTuple):
    """A web page, as an answer to a call."""

    title: str
    is_error: bool
    kind: FailureKind | None
    """Of failure, where it is an error page that tells."""


def by_page(call: Called) -> Verdict:
    """A web page: an error page, one in place of the data that was promised, or an answer."""
    answer, tool = call.answer, call.tool
    promised = tool.response.json_schema is not None or tool.response.example is not None
    page = _read_page(answer.text)
    if page.kind and (answer.relayed or not promised):
        return failed(page.kind, "The server reports", call, page.title)
    if promised or answer.declares_json or (answer.relayed and not may_be_page(tool)):
        return _page_for_data(call)
    if page.is_error:
        return failed("error_in_body", f"HTTP {answer.status}", call, "an error page")
    return SUCCEEDED


def _page_for_data(call: Called) -> Verdict:
    """A page in place of data: servers of web applications give theirs for each path that they do
    not know, and so for one whose arguments do not fit.
    """
    detail = "The answer is a web page, not data."
    filled = () if call.answer.relayed else in_path(call.tool, call.arguments)
    if not filled:
        return protocol(detail)
    said = f"{detail[:-1]}: there is no such endpoint, or it {unknown(filled, call.arguments)}"
    return Verdict("failed", Failure(kind="protocol", detail=said, fault="request", fields=filled))


def _read_page(text: str) -> Page:
    """What a page says of itself."""
    title = page_title(text)
    said = " ".join(_TAGS.sub(" ", text[:_LOOKED_AT]).split())
    if not ERROR_PAGE.search(text[:_LOOKED_AT]):
        # A page with little but the field for a password lets nobody further.
        is_login = len(said) <= _WORDS and bool(_ASKS_PASSWORD.search(text[:_LOOKED_AT]))
        return Page(title, is_error=is_login, kind="auth" if is_login else None)
    status = stated_in_title(title)
    words = said[:_WORDS]
    kind = kind_of_status(status) if status else kind_of(title) or kind_of(words)
    return Page(title, is_error=True, kind=kind)
