"""Secrets and unseen characters taken out of everything that leaves the sandbox."""

import re
from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Lock

from gretel.contracts.trial import Outcome
from gretel.sandbox.secrets.secret_scan import MIN_SECRET, SecretForms, find_secrets
from gretel.text import invisible

EXCERPT_BYTES = 2048
MASK = "[redacted]"

_MAX_SECRETS = 64
"""Credentials that are remembered beside those of current calls; tokens of OAuth come and go."""

_WINDOW = 4 * EXCERPT_BYTES
"""Characters of an answer that are searched, unseen ones aside: what is masked gets shorter."""

_CUT = "…"
"""What stands at the end of a text that was cut."""

_SECRET_NAME = (
    r"(?:(?:proxy-)?authorization|(?:set-)?cookie|(?:[a-z0-9]{1,20}[-_]){0,3}"
    r"(?:api[-_]?key|apikey|secret|token|password|passwd|pwd|credential|session(?:[-_]?id)?"
    r"|private[-_]key|access[-_]key|signature)|accesstoken|authtoken|refreshtoken|clientsecret)"
)
_KEY_LIKE = (
    (re.compile(r"\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*)?"), "%s"),
    (
        re.compile(
            r"\b(?:sk|pk|rk)[-_](?:live|test|proj|ant)?[-_]?[A-Za-z0-9_-]{16,}"
            r"|\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bxox[abprs]-[A-Za-z0-9-]{10,}"
            r"|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[A-Za-z0-9_-]{30,}|\bhf_[A-Za-z0-9]{20,}"
            r"|-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----)?"
        ),
        "%s",
    ),
)
"""Keys and tokens by their own shape."""
_PATTERNS = (
    # JSON and Python literals: "name": "value"
    (re.compile(rf"""(["']{_SECRET_NAME}["']\s*:\s*)(["'])[^"']{{6,}}\2""", re.I), r"\1\2%s\2"),
    # query strings and forms: name=value
    (re.compile(rf"(?<![\w-])({_SECRET_NAME}=)[^&\s\"'<>;,]{{6,}}", re.I), r"\1%s"),
    # headers: Name: value
    (re.compile(rf"^({_SECRET_NAME}\s*:\s*)\S[^\r\n]*$", re.I | re.M), r"\1%s"),
    (re.compile(r"\b((?:bearer|basic)\s+)[A-Za-z0-9+/._~-]{8,}=*", re.I), r"\1%s"),
    *_KEY_LIKE,
)

_BREAKS = "\u2028\u2029"
"""Ends of lines and paragraphs that hardly any reader shows as such."""


class Redactor:
    """Removes secrets: the credentials of current calls, and those sent last."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, SecretForms] = OrderedDict()
        self._in_use: Counter[str] = Counter()
        self._lock = Lock()  # event loops of several threads may share an executor

    @contextmanager
    def during(self, secrets: Iterable[str]) -> Iterator[None]:
        """Know `secrets`, in each form in which an answer may echo them.

        For as long as their call runs, however many others do; then among the last.
        """
        held = Counter(secrets)
        with self._lock:
            self._in_use.update(held)
            self._learn(held)
        try:
            yield
        finally:
            with self._lock:
                self._in_use -= held
                self._learn(held)

    def _learn(self, secrets: Iterable[str]) -> None:
        for secret in secrets:
            seen = visible(secret)
            if len(seen) < MIN_SECRET:
                continue
            if secret not in self._known:
                self._known[secret] = SecretForms.of(seen)
            self._known.move_to_end(secret)
        idle = [secret for secret in self._known if secret not in self._in_use]
        for secret in idle[:-_MAX_SECRETS]:
            del self._known[secret]

    def text(self, text: str) -> str:
        """`text` without known secrets, key-like strings and unseen characters.

        It may be a part of what a server said, that ends within a secret.
        """
        seen = visible(text)
        whole = seen.removesuffix(_CUT)
        return _without_patterns(self._without_secrets(whole, was_cut=True)) + seen[len(whole) :]

    def excerpt(self, text: str) -> str:
        """The redacted beginning of `text`, at most 2,048 bytes in UTF-8."""
        start = _beginning(text, _WINDOW + 1)
        was_cut = len(start) > _WINDOW
        return cut(_without_patterns(self._without_secrets(start[:_WINDOW], was_cut=was_cut)))

    def outcome(self, outcome: Outcome) -> Outcome:
        """`outcome` with its excerpt and its failure's detail redacted."""
        changes: dict[str, object] = {"excerpt": self.excerpt(outcome.excerpt)}
        if outcome.failure is not None:
            detail = self.text(outcome.failure.detail)
            changes["failure"] = outcome.failure.model_copy(update={"detail": detail})
        return outcome.model_copy(update=changes)

    def _without_secrets(self, text: str, *, was_cut: bool) -> str:
        with self._lock:
            known = [*self._known.values()]
        return _masked(text, find_secrets(text, known, was_cut=was_cut)) if known else text


def _masked(text: str, found: Iterable[tuple[int, int]]) -> str:
    """`text` with one mask for what stands together."""
    pieces: list[str] = []
    done = 0
    for start, end in sorted(found):
        if start > done or not pieces:
            pieces += (text[done:start], MASK)
        done = max(done, end)
    return "".join([*pieces, text[done:]])


def visible(text: str) -> str:
    """`text` without characters that a reader does not see."""
    return invisible.visible(text, without=_BREAKS)


def _beginning(text: str, size: int) -> str:
    """The first `size` characters of `text` that a reader sees."""
    pieces: list[str] = []
    length = 0
    for start in range(0, len(text), size):
        pieces.append(visible(text[start : start + size]))
        length += len(pieces[-1])
        if length >= size:
            break
    return "".join(pieces)[:size]


def cut(text: str) -> str:
    """The beginning of `text`, at most 2,048 bytes in UTF-8, no character cut in half."""
    return text.encode(errors="replace")[:EXCERPT_BYTES].decode(errors="ignore")


def is_key_like(text: str) -> bool:
    """Whether a key or token stands in `text`, by its own shape."""
    return any(pattern.search(text) for pattern, _ in _KEY_LIKE)


def _without_patterns(text: str) -> str:
    for pattern, replacement in _PATTERNS:
        text = pattern.sub(replacement % MASK, text)
    return text
