"""One request with one tool that it is about, and the call that a data set says is right."""

import hashlib
from dataclasses import dataclass, replace
from typing import Any

from gretel.contracts.ranking import Request
from gretel.contracts.tool import Tool
from gretel.datasets.masking import without_value

ANY = object()
"""A gold value that the data set leaves open."""


@dataclass(frozen=True)
class Case:
    """One request with one tool that it is about."""

    data: str
    case_id: str
    request: Request
    tool: Tool
    gold: tuple[dict[str, Any], ...]
    """Acceptable arguments, each a call; empty where the request is incomplete."""

    @property
    def complete(self) -> bool:
        """Whether the request holds all that the call needs, by the data set's own word."""
        return bool(self.gold)

    def fixed(self) -> list[dict[str, Any]]:
        """The gold calls without the values that the data set leaves open."""
        return [{k: v for k, v in call.items() if v is not ANY} for call in self.gold]


def fold_of(case: Case) -> int:
    """0 or 1, the same for all calls of one request: for cross-validation on the dev part."""
    return hashlib.sha256(case.request.text.encode()).digest()[1] % 2


def masked(case: Case, name: str) -> Case | None:
    """The case with the value of one required parameter deleted from what was said.

    None where `without_value` would prove nothing.
    """
    request = without_value(case.request, case.fixed(), name)
    if request is None:
        return None
    return replace(case, data=f"{case.data}, masked", request=request, gold=())
