"""What a model client's exceptions mean: retry, another reply format, or an error of ours.

Clients are told apart by HTTP status and by langchain's provider-neutral classes, so that this
holds for every provider. No text of ours carries a key: an answer to a bad key may echo it.
"""

import math
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from gretel.contracts.errors import (
    ConfigurationError,
    GretelError,
    ModelReplyError,
    ServiceBusy,
    ServiceUnreachable,
)
from gretel.llm.bounds import refused
from gretel.text.foreign import foreign

FORMAT_STATUSES = frozenset({400, 404, 422})
"""What endpoints answer that do not know `response_format` (404: routers without a provider)."""
NO_QUOTA = "insufficient_quota"
"""What an account that must be paid first answers, with 429."""
MAX_SAID = 200
"""Characters of others' words that an error shows."""
MAX_READ = 4_000
"""Characters of them in which is looked for what was wrong."""


class RequestRejected(Exception):
    """The endpoint did not accept the request as it was put; another format may do.

    Attributes:
        error: what to raise where none does.
        said: the endpoint's own words, for a decision and not for people.
    """

    def __init__(self, error: GretelError, said: str) -> None:
        super().__init__(str(error))
        self.error = error
        self.said = said


def status_of(error: Exception) -> int | None:
    """The HTTP error behind a client's exception; None where there was none."""
    for holder in (error, getattr(error, "response", None)):
        status = getattr(holder, "status_code", None)
        if isinstance(status, int) and status >= 400:
            return status
    from langchain_core import exceptions as lc

    by_class = {
        lc.ModelAuthenticationError: 401,
        lc.ModelPermissionDeniedError: 403,
        lc.ModelInvalidRequestError: 400,
        lc.ModelNotFoundError: 404,
        lc.ModelRateLimitError: 429,
        lc.ModelAPIError: 500,
    }
    return next((code for kind, code in by_class.items() if isinstance(error, kind)), None)


def no_answer(error: Exception) -> bool:
    """Whether nothing came back: connection or time-out."""
    from langchain_core.exceptions import ModelConnectionError, ModelTimeoutError

    if refused(error):
        return False
    if isinstance(error, ModelConnectionError | ModelTimeoutError | OSError):
        return True
    # A stream that breaks off half-way surfaces as the HTTP library's own transport error.
    return any(kind.__name__ == "TransportError" for kind in type(error).__mro__)


def timed_out(error: Exception) -> bool:
    """Whether the endpoint took longer than one try may take."""
    from langchain_core.exceptions import ModelTimeoutError

    return isinstance(error, ModelTimeoutError | TimeoutError)


def pause(error: Exception, usual: float, *, left: float) -> float | None:
    """Seconds to wait before another try; None where none can help.

    Connection errors, 429 and 5xx are tried again, and no sooner than Retry-After says. An account
    without quota answers 429 too, and is not asked again.

    Args:
        error: of the client.
        usual: seconds to wait where the endpoint does not say.
        left: seconds until the deadline; a longer wait is no use.
    """
    status = status_of(error)
    if status is None:
        return usual if no_answer(error) else None
    if status != 429 and status < 500:
        return None
    if getattr(error, "code", None) == NO_QUOTA:
        return None
    wait = max(usual, retry_after(error) or 0.0)
    return wait if wait < left else None


def retry_after(error: Exception) -> float | None:
    """Seconds that the endpoint asks to wait; None where it does not say."""
    headers = getattr(getattr(error, "response", None), "headers", {})
    text = str(headers.get("retry-after") or "")
    try:
        seconds = float(text)
    except ValueError:
        return _until(text)
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _until(text: str) -> float | None:
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):  # a year, or a zone, of thirty digits
        return None
    return max(0.0, (moment - datetime.now(UTC)).total_seconds()) if moment.tzinfo else None


def translated(error: Exception, model: str) -> GretelError | RequestRejected:
    """The exception to raise in place of a client's own."""
    status, broken = status_of(error), refused(error)
    if broken is not None:
        return ModelReplyError(f"{model} sent {broken}")
    if status is None:
        return _without_answer(error, model)
    words = said(str(getattr(error, "message", None) or error))
    if status in (401, 403):
        return ConfigurationError(
            f"{model} refused our credentials with {status}",
            field="OPENAI_API_KEY",
            remedy="Set the key of the endpoint in OPENAI_BASE_URL, and check that it may use this "
            "model",
        )
    if getattr(error, "code", None) == NO_QUOTA:
        return ServiceUnreachable(f"{model} keeps answering {status}: {words}")
    if status == 429 or status >= 500:
        return ServiceBusy(f"{model} kept answering {status}: {words}")
    return _rejected(error, model, status, words)


def _rejected(
    error: Exception, model: str, status: int, words: str
) -> GretelError | RequestRejected:
    from langchain_core.exceptions import ContextOverflowError

    if isinstance(error, ContextOverflowError):
        return ModelReplyError(f"the prompt is longer than {model} can read")
    ours: GretelError = ModelReplyError(f"{model} rejected the request with {status}: {words}")
    if status == 404:
        ours = ConfigurationError(
            f"the endpoint does not serve {model}: {words}",
            field="model",
            remedy="Name a model that it serves, and give a base URL that ends like …/v1",
        )
    words = str(getattr(error, "message", None) or error)[:MAX_READ]
    return RequestRejected(ours, words) if status in FORMAT_STATUSES else ours


def _without_answer(error: Exception, model: str) -> GretelError:
    if no_answer(error):
        kind = ServiceUnreachable if _nobody_there(error) else ServiceBusy
        return kind(
            f"{model} does not answer ({type(error).__name__}); is OPENAI_BASE_URL right and up?"
        )
    return ServiceUnreachable(
        f"{model} answered with something that is not a chat completion ({type(error).__name__}); "
        "does the base URL end like …/v1?"
    )


def _nobody_there(error: BaseException | None) -> bool:
    """Whether no connection came about; a connection that breaks later has met somebody."""
    while error is not None:
        if any(kind.__name__ == "ConnectError" for kind in type(error).__mro__):
            return True
        error = error.__cause__ or error.__context__
    return False


def said(text: str) -> str:
    """Others' words as an error may show them."""
    return foreign(text, MAX_SAID)
