"""From a model's text to a JSON object that a schema allows."""

import json
import math
import re
from collections.abc import Iterable
from typing import NoReturn

from gretel.contracts.record import JsonObject, JsonValue
from gretel.text.remembering import remembered
from gretel.validation import SchemaCheck, Wrong

MAX_CHARS = 200_000
MAX_VALUES = 2_500
"""Of one reply, inner ones included: each is checked, copied and stored by itself, and a reply that
is used has some hundred."""
MAX_DEPTH = 60
MAX_STARTS = 20
"""Opening braces that are tried where text surrounds the object."""
MAX_PROBLEMS = 5
MAX_PROBLEM_CHARS = 200
INT64 = range(-(2**63), 2**63)
"""What the graph's checkpoints can hold."""

_FENCE = re.compile(r"```(?:json|JSON)?[^\S\n]*\n")


def bounded(text: str) -> str:
    """A reply as it is.

    Raises:
        ValueError: it is too long to be read.
    """
    if len(text) > MAX_CHARS:
        raise ValueError(f"the reply is longer than {MAX_CHARS} characters")
    return text


def read_object(text: str) -> JsonObject:
    """The JSON object in a reply, with or without a code fence or prose around it.

    Lone surrogates become `?`, so that the values can be stored and sent.

    Raises:
        ValueError: there is none, or it is too long, too deep, of too many values, or holds NaN,
            Infinity or an integer beyond 64 bits; the message can be shown to the model.
    """
    bare = _without_thoughts(bounded(text)).strip()
    if not bare:
        raise ValueError("the reply is empty")
    found = _first_object(_fenced(bare))
    check_size(found)
    clean = json.dumps(found, ensure_ascii=False).encode("utf-8", "replace")
    whole: JsonObject = json.loads(clean)
    return whole


def _without_thoughts(text: str) -> str:
    """A reply without what stands between `<think>` and `</think>`.

    By plain search, as `_fenced`: a pattern takes the square of the length of a reply that rambles.
    """
    kept, done = [], 0
    while (start := text.find("<think>", done)) >= 0:
        end = text.find("</think>", start)
        if end < 0:
            break
        kept.append(text[done:start])
        done = end + len("</think>")
    return "".join([*kept, text[done:]])


def _fenced(text: str) -> str:
    """What stands in a code fence that ends, else all."""
    fence = _FENCE.search(text)
    end = text.find("```", fence.end()) if fence else -1
    return text[fence.end() : end] if fence and end >= 0 else text


def problems(schema: JsonObject, value: JsonValue) -> str:
    """What is wrong with `value`, in one line for a model; empty when the schema allows it.

    A schema that is itself unusable, refers to another document, or is too dear to compare with
    the value, allows everything.
    """
    check = _check(json.dumps(schema, sort_keys=True))
    if check is None:
        return ""
    found = check.errors(value)[:MAX_PROBLEMS]
    return "; ".join(_located(wrong)[:MAX_PROBLEM_CHARS] for wrong in found)


def _located(wrong: Wrong) -> str:
    where = "/".join(map(str, wrong.path))
    return f"{where}: {wrong.message}" if where else wrong.message


@remembered(64, longest=50_000)
def _check(schema_text: str) -> SchemaCheck | None:
    try:
        return SchemaCheck(json.loads(schema_text), linear=True)
    except (ValueError, RecursionError):
        return None


def _first_object(text: str) -> JsonObject:
    decoder = json.JSONDecoder(
        parse_constant=_no_constant, parse_int=_bounded_int, parse_float=_finite_float
    )
    problem = "the reply is not JSON: it has no { … }"
    start = -1
    for _ in range(MAX_STARTS):
        start = text.find("{", start + 1)
        if start < 0:
            break
        try:
            found: JsonObject = decoder.raw_decode(text, start)[0]
        except json.JSONDecodeError as error:
            problem = f"the reply is not JSON: {error.msg} at character {error.pos}"
        except RecursionError:
            raise ValueError("the reply is nested too deeply") from None
        else:
            return found
    raise ValueError(problem)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _bounded_int(digits: str) -> int:
    if len(digits) > 20 or int(digits) not in INT64:
        raise ValueError("a number is beyond 64 bits")
    return int(digits)


def _finite_float(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError("a number is too large")
    return value


def check_size(value: JsonValue) -> None:
    """Raise where a reply is too deep, or of too many values; no more of them are looked at.

    Raises:
        ValueError: with a text for the model.
    """
    level, left = [value], MAX_VALUES
    for _ in range(MAX_DEPTH):
        parents = [each for each in level if isinstance(each, dict | list)]
        left -= sum(map(len, parents))
        if left < 0:
            raise ValueError(f"the reply holds more than {MAX_VALUES:,} values")
        level = [child for parent in parents for child in _children(parent)]
        if not level:
            return
    raise ValueError(f"the reply is nested deeper than {MAX_DEPTH} levels")


def _children(value: JsonObject | list[JsonValue]) -> Iterable[JsonValue]:
    return value.values() if isinstance(value, dict) else value
