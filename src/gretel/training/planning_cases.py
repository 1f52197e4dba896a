"""One request with one tool that it is about, and the call that a data set says is right."""

import hashlib
import re
from dataclasses import dataclass, replace
from typing import Any

from gretel.contracts.ranking import Request
from gretel.contracts.tool import Tool

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

    def text(self) -> str:
        """All that was said, the request last."""
        return "\n".join([*(m.content for m in self.request.messages), self.request.text])

    def standing(self, name: str) -> bool:
        """Whether some gold value of a parameter stands in what was said, letter for letter."""
        said = self.text().casefold()
        return any(
            str(call[name]).casefold() in said
            for call in self.gold
            if name in call and not isinstance(call[name], dict | list) and call[name] is not ANY
        )


def fold_of(case: Case) -> int:
    """0 or 1, the same for all calls of one request: for cross-validation on the dev part."""
    return hashlib.sha256(case.request.text.encode()).digest()[1] % 2


def masked(case: Case, name: str) -> Case | None:
    """The case with the value of one required parameter deleted from what was said.

    None where the value does not stand there, or is too short or part of another value.
    """
    if not case.standing(name):
        return None
    values = {str(gold[name]) for gold in case.gold if name in gold}
    others = {str(v) for gold in case.gold for k, v in gold.items() if k != name}
    if any(len(v) < 2 or v.casefold() in o.casefold() for v in values for o in others | {""}):
        return None
    hide = re.compile("|".join(rf"(?<!\w){re.escape(v)}(?!\w)" for v in values), re.IGNORECASE)
    messages = tuple(
        message.model_copy(update={"content": hide.sub("", message.content)})
        for message in case.request.messages
    )
    request = case.request.model_copy(
        update={"text": hide.sub("", case.request.text), "messages": messages}
    )
    hidden = replace(case, data=f"{case.data}, masked", request=request, gold=())
    return None if hidden.text() == case.text() else hidden
