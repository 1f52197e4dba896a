"""`Verdict`: how a call ended, judged by its answer."""

from typing import Literal, NamedTuple

from gretel.contracts.trial import Failure, Fault
from gretel.text.foreign import foreign

_DETAIL = 160
"""Characters of the server's own words that are repeated."""


class Verdict(NamedTuple):
    """How a call ended, judged by its answer."""

    status: Literal["succeeded", "empty", "failed"]
    failure: Failure | None = None
    says_none: bool = False
    """The answer is that there are none; see `Outcome.says_none`."""
    oddness: float = 0.0
    """Of a success: see `Outcome.oddness`."""


SUCCEEDED = Verdict("succeeded")
NONE = Verdict("succeeded", says_none=True)


def protocol(detail: str) -> Verdict:
    """The answer is none that the tool's document promises: broken, or of another format."""
    return Verdict("failed", Failure(kind="protocol", detail=detail, fault="tool"))


def empty(detail: str, fault: Fault = "tool", fields: tuple[str, ...] = ()) -> Verdict:
    """The answer has no content, for a call that `fields` narrowed."""
    return Verdict("empty", Failure(kind="empty", detail=detail, fault=fault, fields=fields))


def short(message: str) -> str:
    """What is repeated of the server's own words."""
    return foreign(message, _DETAIL)
