"""Secrets and unseen characters taken out of everything that leaves the sandbox."""

import base64
import re
import unicodedata
from collections import OrderedDict
from collections.abc import Iterable

EXCERPT_BYTES = 2048
MASK = "[redacted]"

_MIN_SECRET = 4
"""Shorter credentials are not searched for: they would blank out half of any text."""

_MAX_SECRETS = 64
"""Credentials that are known at a time; tokens of OAuth come and go."""

_MIN_CODE = 8
"""Characters of base64 below which a match may be chance."""

_LONGEST_ECHO = 12
"""Characters that one of a secret may become, unseen ones between them aside."""

_UNSEEN_BETWEEN = "[\u200b-\u200f\u2060\ufeff\u00ad]{0,2}"

_WINDOW = 4 * EXCERPT_BYTES
"""Characters of an answer that patterns are searched in: patterns only ever shorten it."""

_SECRET_NAME = (
    r"(?:(?:proxy-)?authorization|(?:set-)?cookie|(?:[a-z0-9]{1,20}[-_]){0,3}"
    r"(?:api[-_]?key|apikey|secret|token|password|passwd|pwd|credential|session(?:[-_]?id)?"
    r"|private[-_]key|access[-_]key|signature)|accesstoken|authtoken|refreshtoken|clientsecret)"
)
_PATTERNS = (
    # JSON and Python literals: "name": "value"
    (re.compile(rf"""(["']{_SECRET_NAME}["']\s*:\s*)(["'])[^"']{{6,}}\2""", re.I), r"\1\2%s\2"),
    # query strings and forms: name=value
    (re.compile(rf"(?<![\w-])({_SECRET_NAME}=)[^&\s\"'<>;,]{{6,}}", re.I), r"\1%s"),
    # headers: Name: value
    (re.compile(rf"^({_SECRET_NAME}\s*:\s*)\S[^\r\n]*$", re.I | re.M), r"\1%s"),
    (re.compile(r"\b((?:bearer|basic)\s+)[A-Za-z0-9+/._~-]{8,}=*", re.I), r"\1%s"),
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

_KEPT_CONTROLS = frozenset("\n\t")
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
"""Unicode categories that a reader does not see: control, format (bidi, zero width, tags),
surrogates, private use, unassigned."""
_FILLERS = re.compile(
    "[\u115f\u1160\u3164\uffa0\u2800\u2028\u2029\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
"""Letters and marks that show nothing."""


class Redactor:
    """Removes what is secret; it knows the credentials that were sent last."""

    def __init__(self) -> None:
        self._patterns: OrderedDict[str, re.Pattern[str]] = OrderedDict()

    def learn(self, secrets: Iterable[str]) -> None:
        """Know `secrets`, in each form in which an answer may echo them."""
        for secret in secrets:
            if len(secret) < _MIN_SECRET:
                continue
            if secret not in self._patterns:
                self._patterns[secret] = re.compile(_echoes(secret), re.I)
            self._patterns.move_to_end(secret)
            if len(self._patterns) > _MAX_SECRETS:
                self._patterns.popitem(last=False)

    def text(self, text: str) -> str:
        """`text` without known secrets, key-like strings and unseen characters."""
        return visible(_without_patterns(self._without_secrets(visible(text))))

    def excerpt(self, text: str) -> str:
        """The redacted beginning of `text`, at most 2,048 bytes in UTF-8."""
        return cut(self.text(self._without_secrets(text, _WINDOW)))

    def _without_secrets(self, text: str, end: int | None = None) -> str:
        """The first `end` characters of `text`; a secret that goes beyond is masked whole."""
        for secret in sorted(self._patterns, key=len, reverse=True):
            beyond = None if end is None else end + _LONGEST_ECHO * len(secret)
            text = _masked(self._patterns[secret], text[:beyond], end)
        return text if end is None else text[:end]


def _echoes(secret: str) -> str:
    """A pattern for `secret` as it may come back.

    Character by character as it is, percent-encoded (once or twice), as an escape of JSON or HTML,
    in either case, with unseen characters between; as a whole in base64, plain or for URLs,
    wherever it starts in what was encoded, in hexadecimal, and backwards.
    """
    raw = secret.encode()
    wholes = [raw.hex(), re.escape(secret[::-1])]
    for shift in range(3):
        code = base64.b64encode(bytes(shift) + raw).decode().rstrip("=")
        # The characters at either end depend on what stands next to the secret.
        core = code[-(-shift * 8 // 6) : len(code) - ((len(raw) + shift) % 3 > 0)]
        if len(core) >= _MIN_CODE:
            wholes.append(re.escape(core).replace(r"\+", "[-+]").replace("/", "[/_]"))
    return "|".join([_UNSEEN_BETWEEN.join(map(_echo_of, secret)), *wholes])


def _echo_of(char: str) -> str:
    """A pattern for one character of a secret."""
    code = ord(char)
    escapes = [rf"%(?:25)?{code:02x}", rf"\\+u{code:04x}", rf"\\+x{code:02x}"]
    entities = [rf"&\#0*{code};", rf"&\#x0*{code:x};"]
    own = {'"': ["&quot;", r'\\+"'], "&": ["&amp;"], "\\": [r"\\+"], "/": [r"\\/"], " ": [r"\+"]}
    return f"(?:{'|'.join([re.escape(char), *own.get(char, ()), *escapes, *entities])})"


def _masked(pattern: re.Pattern[str], text: str, end: int | None) -> str:
    """`text` up to `end`, with what matches masked; a match that begins before it counts whole."""
    pieces, done = [], 0
    for found in pattern.finditer(text):
        if end is not None and found.start() >= end:
            break
        pieces += [text[done : found.start()], MASK]
        done = found.end()
    return "".join([*pieces, text[done:]])


def visible(text: str) -> str:
    """`text` without characters that a reader does not see."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(char for char in text if _is_visible(char))


def cut(text: str, size: int = EXCERPT_BYTES) -> str:
    """The beginning of `text`, at most `size` bytes in UTF-8, no character cut in half."""
    return text.encode(errors="replace")[:size].decode(errors="ignore")


def _is_visible(char: str) -> bool:
    if char in _KEPT_CONTROLS:
        return True
    return not _FILLERS.match(char) and unicodedata.category(char) not in _UNSEEN


def _without_patterns(text: str) -> str:
    for pattern, replacement in _PATTERNS:
        text = pattern.sub(replacement % MASK, text)
    return text
