"""Secrets masked in a text: those that are known where it is read, and what looks like one."""

import re
from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import compress, islice, zip_longest
from threading import Lock
from typing import ClassVar
from weakref import WeakSet

from gretel.text.confusables import aligned_skeleton
from gretel.text.invisible import clean
from gretel.text.known.secret_scan import MIN_SECRET, SecretForms, find_secrets
from gretel.text.secrecy.pairs import FORMS, HEADER
from gretel.text.secrecy.prose import prose_masked
from gretel.text.secrecy.tables import tables_masked
from gretel.text.secrecy.values import is_drawn
from gretel.text.secret_parts import parts_of
from gretel.text.secret_places import PLACES
from gretel.text.secret_shapes import KEY_LIKE, MASK, PATTERNS, SHAPES, Pattern

_ALL = (*PATTERNS, *PLACES)
_MAX_SECRETS = 64
"""Credentials that are remembered beside those of current calls; tokens of OAuth come and go."""
_MAX_ELSEWHERE = 64
"""Secrets of all others that are looked for: each makes every search dearer."""


class Redactor:
    """Removes secrets: the credentials of current calls, and those sent last.

    And of those that other redactors of the process know what machines drew, whoever repeats it.
    What else they know may be a word that a server says by itself.
    """

    _all: "ClassVar[WeakSet[Redactor]]" = WeakSet()
    _all_lock = Lock()

    def __init__(self, beside: "Redactor | None" = None) -> None:
        """Know none yet; and whatever `beside` knows, which learns nothing of these."""
        self._beside = beside
        self._known: OrderedDict[str, list[SecretForms]] = OrderedDict()
        self._drawn: dict[str, list[SecretForms]] = {}
        self._in_use: Counter[str] = Counter()
        self._lock = Lock()  # event loops of several threads may share an executor
        with self._all_lock:
            self._all.add(self)

    @contextmanager
    def during(self, secrets: Iterable[str]) -> Iterator[None]:
        """Know `secrets`, in each form in which an answer may echo them or a part of them, in what
        is read inside.

        For as long as their call runs, however many others do; then among the last.
        """
        held = Counter(secrets)
        with self._lock:
            self._in_use.update(held)
            self._learn(held)
        token = _active.set(self)
        try:
            yield
        finally:
            _active.reset(token)
            with self._lock:
                self._in_use -= held
                self._learn(held)

    def _learn(self, secrets: Iterable[str]) -> None:
        for secret in secrets:
            if secret not in self._known:
                parts = [*filter(_is_searched, map(clean, parts_of(secret)))]
                self._known[secret] = [SecretForms.of(part) for part in parts]
                drawn = map(is_drawn, parts)
                self._drawn[secret] = [*compress(self._known[secret], drawn)]
            self._known.move_to_end(secret)
        idle = [secret for secret in self._known if secret not in self._in_use]
        for secret in idle[:-_MAX_SECRETS]:
            del self._known[secret], self._drawn[secret]

    def masked(self, text: str, *, was_cut: bool, starts_cut: bool = False) -> str:
        """`text`, of seen characters, without the secrets that are known here."""
        known = self._forms() + self._elsewhere()
        if not known:
            return text
        return masked(text, known, was_cut=was_cut, starts_cut=starts_cut)

    def _elsewhere(self) -> list[SecretForms]:
        """What machines drew of the secrets that other redactors know: of each of them the last,
        so that nobody who gives out many has those of others forgotten.
        """
        with self._all_lock:
            others = [each for each in self._all if each is not self and each._drawn]
        last: list[list[list[SecretForms]]] = []
        for each in others:
            with each._lock:
                last.append([each._drawn[secret] for secret in reversed(each._known)])
        turns = (found for turn in zip_longest(*last) for found in turn if found)
        return [forms for found in islice(turns, _MAX_ELSEWHERE) for forms in found]

    def _forms(self) -> list[SecretForms]:
        with self._lock:
            known = [forms for parts in self._known.values() for forms in parts]
        return known if self._beside is None else known + self._beside._forms()


def _is_searched(secret: str) -> bool:
    return len(secret) >= MIN_SECRET


_active: ContextVar[Redactor | None] = ContextVar("gretel_redactor", default=None)


def redacted(text: str, *, was_cut: bool, starts_cut: bool = False, headers: bool = False) -> str:
    """`text`, of seen characters, without secrets: `during`'s, and what looks like one.

    Args:
        text: cleaned.
        was_cut: whether it may end within a secret.
        starts_cut: whether it may begin within a secret that is known.
        headers: whether it may hold lines of a header.
    """
    text = known_redacted(text, was_cut=was_cut, starts_cut=starts_cut)
    text = _named_masked(HEADER(text) if headers else text)
    return tables_masked(_disguised_masked(_shaped_masked(text, _ALL)))


def known_redacted(text: str, *, was_cut: bool, starts_cut: bool = False) -> str:
    """`text`, of seen characters, without the secrets that the call under way knows."""
    active = _active.get()
    if active is None:
        return text
    return active.masked(text, was_cut=was_cut, starts_cut=starts_cut)


def is_key_like(text: str) -> bool:
    """Whether a key or token stands in `text`, by its own shape."""
    return any(pattern.found.search(text) for pattern in KEY_LIKE)


def shapes_masked(text: str) -> str:
    """`text`, of seen characters, without what a secret is by its own shape, whatever is said of
    it.
    """
    return _disguised_masked(_shaped_masked(text, PATTERNS))


def names_a_secret(text: str) -> bool:
    """Whether a secret stands in `text` beside its name, or in its place: in a table, a command."""
    return tables_masked(_shaped_masked(_named_masked(text), PLACES)) != text


def _shaped_masked(text: str, patterns: Iterable[Pattern]) -> str:
    """`text` without what has the shape, or the place, of a secret."""
    small = text.lower()
    for pattern in patterns:
        for hint in pattern.hints:
            if hint in small:
                text = pattern.found.sub(pattern.instead, text)
                break
    return text


def _disguised_masked(text: str) -> str:
    """`text` without what has the shape of a secret in letters that only look like ASCII's."""
    seen = aligned_skeleton(text)
    for pattern in SHAPES if seen != text else ():
        spans = [found.span() for found in pattern.found.finditer(seen) if _is_one(pattern, found)]
        for start, end in reversed(spans):
            text = f"{text[:start]}{MASK}{text[end:]}"
            seen = f"{seen[:start]}{MASK}{seen[end:]}"
    return text


def _is_one(pattern: Pattern, found: re.Match[str]) -> bool:
    return pattern.instead == MASK or (callable(pattern.instead) and pattern.instead(found) == MASK)


def _named_masked(text: str) -> str:
    """`text` without the secrets that stand beside their names, in data or in sentences."""
    for masks in FORMS:
        text = masks(text)
    return prose_masked(text)


def masked(
    text: str, known: Iterable[SecretForms], *, was_cut: bool, starts_cut: bool = False
) -> str:
    """`text` with one mask for what stands together."""
    pieces: list[str] = []
    done = 0
    spans = find_secrets(text, [*known], was_cut=was_cut, starts_cut=starts_cut)
    for start, end in sorted(spans):
        if start > done or not pieces:
            pieces += (text[done:start], MASK)
        done = max(done, end)
    return "".join([*pieces, text[done:]])
