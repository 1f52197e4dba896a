"""Local references (`#/…`) of a document; nothing outside it is ever opened."""

from collections.abc import Hashable
from typing import NamedTuple
from urllib.parse import unquote

from gretel.catalog.bounds import FOLLOWED, weight
from gretel.catalog.document import as_object
from gretel.contracts.record import JsonObject, JsonValue
from gretel.text.foreign import foreign

_SHOWN = 200
"""Characters of a reference that an error repeats."""
HOP_LIMIT = 50
"""References that point to references, in a row."""


class UnusableError(Exception):
    """Something in a document cannot be used: the reason and remedy of a skipped row."""

    def __init__(self, reason: str, remedy: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.remedy = remedy


class DanglingError(UnusableError):
    """A reference leads to nothing that is read: out of the document, or nowhere."""


class Resolved(NamedTuple):
    """What a chain of references ends in."""

    value: JsonValue
    chain: frozenset[str]
    """The references on the way, those of the caller included."""


class Resolver:
    """Looks up JSON pointers in one document, and remembers them."""

    def __init__(self, document: JsonObject) -> None:
        self._document = document
        self._found: dict[str, JsonValue] = {}
        self._weights: dict[int, int] = {}
        self._left = FOLLOWED
        self.too_large: dict[Hashable, int] = {}
        """What readers of the document need not try again: by schema and depth, how many values
        were not enough for it."""

    def follow(self, value: JsonValue, chain: frozenset[str] = frozenset()) -> Resolved:
        """`value` itself, or what its `$ref` leads to; `{}` where that was on `chain` already.

        Raises:
            DanglingError: the reference is external or broken.
            UnusableError: it is one of too long a row.
        """
        passed: set[str] = set()
        for _ in range(HOP_LIMIT):
            reference = as_object(value).get("$ref")
            if not isinstance(reference, str):
                return Resolved(value, chain | passed)
            if reference in chain or reference in passed:
                return Resolved({}, chain | passed)
            passed.add(reference)
            value = self._look_up(reference)
        raise UnusableError(
            f"more than {HOP_LIMIT} references in a row", "Let $ref point to the object itself"
        )

    def object(self, value: JsonValue) -> JsonObject:
        """What `follow` finds, where it is an object; else an empty one.

        Raises:
            UnusableError: as `follow` does, and when `FOLLOWED` is spent.
        """
        found = self.follow(value)
        if found.chain:
            self._spend(found.value)
        return as_object(found.value)

    def _spend(self, value: JsonValue) -> None:
        """Count what a reference led to; it is read, and copied, each time."""
        known = self._weights.get(id(value))  # parts of the document, which outlives the ids
        if known is None:
            known = self._weights[id(value)] = 1 + weight(value, FOLLOWED)
        self._left -= known
        if self._left < 0:
            raise UnusableError(
                f"the document's references lead to more than {FOLLOWED:,} values",
                "Split the document, or refer to smaller parts",
            )

    def _look_up(self, reference: str) -> JsonValue:
        if reference not in self._found:
            self._found[reference] = self._walk(reference)
        return self._found[reference]

    def _walk(self, reference: str) -> JsonValue:
        shown = foreign(reference, _SHOWN)
        if not reference.startswith("#"):
            raise DanglingError(
                f"external reference {shown!r}", "Bundle the documents into one before loading"
            )
        if reference != "#" and not reference.startswith("#/"):
            raise DanglingError(f"reference {shown!r} is not a JSON pointer", "Write it as #/…")
        value: JsonValue = self._document
        for part in reference.split("/")[1:]:
            try:
                value = _step(value, unquote(part).replace("~1", "/").replace("~0", "~"), part)
            except (KeyError, IndexError, ValueError, TypeError):
                raise DanglingError(
                    f"broken reference {shown!r}", "Add what it points to, or correct it"
                ) from None
        return value


def _step(value: JsonValue, key: str, raw: str) -> JsonValue:
    if isinstance(value, list):
        return value[int(key)] if key.isdecimal() else value[len(value)]
    if isinstance(value, dict):
        return value[key] if key in value else value[raw]
    raise TypeError
