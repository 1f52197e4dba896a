"""`Answer`: what came back, unwrapped and parsed, before anybody judges it."""

import ast
import json
from typing import NamedTuple

from gretel.contracts.record import JsonValue
from gretel.sandbox.network.body import parse_json

_MAX_LITERAL = 200_000
"""Characters of a Python literal that are read; parsing one costs far more than JSON."""


class Answer(NamedTuple):
    """An answer as it is judged."""

    method: str
    status: int
    content_type: str
    text: str
    is_json: bool
    value: JsonValue = None
    """The parsed text, where `is_json`."""
    json_error: str | None = None
    """Why the text is no JSON."""
    relayed: bool = False
    """Whether a StableToolBench server stood between; its promises are not the tool's."""
    outer_error: str | None = None
    """Its error, where it gave one."""

    @property
    def declares_json(self) -> bool:
        """Whether the content type says JSON."""
        kind = self.content_type.partition(";")[0].strip().lower()
        return kind in {"application/json", "text/json"} or kind.endswith("+json")

    @property
    def shown(self) -> str:
        """The text for an excerpt: JSON in its shortest form, its escapes resolved."""
        if not self.is_json or isinstance(self.value, str):
            return str(self.value) if self.is_json else self.text
        try:
            return json.dumps(self.value, ensure_ascii=False, separators=(",", ":"))
        except RecursionError:
            return self.text


def read_answer(method: str, status: int, content_type: str, text: str) -> Answer:
    """An answer with its text parsed where it is JSON."""
    parsed = parse_json(text)
    return Answer(
        method=method,
        status=status,
        content_type=content_type,
        text=text,
        is_json=parsed.error is None,
        value=parsed.value,
        json_error=parsed.error,
    )


def unwrap(answer: Answer) -> Answer:
    """The tool's answer inside the reply of a StableToolBench server.

    The reply is `{"error": text, "response": anything}`; the response is often the text of JSON or
    of a Python literal. What has another shape is left as it is.
    """
    reply = answer.value
    if answer.status != 200 or not isinstance(reply, dict) or "response" not in reply:
        return answer
    inner = reply["response"]
    error = reply.get("error")
    outer = error if isinstance(error, str) else json.dumps(error)
    outer_error = outer.strip() if error and outer.strip() else None
    text = inner if isinstance(inner, str) else json.dumps(inner)
    read = _read_text(inner) if isinstance(inner, str) else _Read(inner, True)
    if isinstance(read.value, str):  # a text that was encoded twice, and may be JSON again
        text, read = read.value, _read_text(read.value)
    return answer._replace(
        content_type="",
        text=text,
        is_json=read.is_json,
        value=read.value,
        relayed=True,
        outer_error=outer_error,
    )


class _Read(NamedTuple):
    value: JsonValue
    is_json: bool


def _read_text(text: str) -> _Read:
    """A response text as JSON, else as a Python literal, else not at all."""
    parsed = parse_json(text)
    if parsed.error is None:
        return _Read(parsed.value, True)
    if not text.lstrip().startswith(("{", "[")) or len(text) > _MAX_LITERAL:
        return _Read(None, False)
    try:
        parsed = parse_json(json.dumps(ast.literal_eval(text), default=str))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return _Read(None, False)
    return _Read(parsed.value, parsed.error is None)
