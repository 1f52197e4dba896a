"""How the sandbox's tests make executors, and judge answers."""

import json
from typing import Any, Protocol

from gretel.contracts.tool import Tool
from gretel.sandbox.answers.answer import read_answer
from gretel.sandbox.answers.classify import classify
from gretel.sandbox.answers.verdict import Verdict
from gretel.sandbox.http.executor import HttpExecutor


class MakeExecutor(Protocol):
    """Makes an executor that is closed at the end of the test."""

    def __call__(self, *tools: Tool, allow: tuple[str, ...] = (), **options: Any) -> HttpExecutor:
        """An executor of `tools` that may call the hosts in `allow`; options as HttpExecutor's."""
        ...


def judged(
    asked: Tool, body: Any, status: int = 200, kind: str = "application/json", **arguments: Any
) -> Verdict:
    """What an answer means; a body that is no text is sent as JSON."""
    text = body if isinstance(body, str) else json.dumps(body)
    return classify(read_answer("GET", status, kind, text), asked, arguments)
