"""What the regular expressions of a schema cost to compile, told before they are compiled.

Counted repetitions are written out by every engine that runs in linear time, so twenty characters
may become gigabytes: `(a{1000}){1000}`.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

from gretel.text.remembering import remembered

PATTERN_COST = 250_000
"""What one pattern may cost: `\\p{L}{0,200}` and `[^"]{1,10000}` are below it."""
SCHEMA_COST = PATTERN_COST
"""What the patterns of one schema may cost together."""
DEAR = 30_000
"""From this cost on a pattern is run by one thread at a time, for it takes some 0.5 KB of memory a
state, and is not looked for in texts. A path of `[^/]{1,1000}` costs 5,000."""
LENGTH = 10_000
"""Characters of a pattern; an alternation of words is as long as its words."""

_ESCAPE = r"\\[pP](?:\{[^{}]{0,60}\}|.) | \\u\{[0-9a-fA-F]{1,8}\} | \\."
_CLASS = r"\[\^?\]?(?:\\.|[^\]\\])*\]"
_OTHER = r"\{(\d{0,9})(,?)(\d{0,9})\} | \(\?[<!=:]{0,2} | ."
_TOKEN = re.compile(f"{_ESCAPE} | {_CLASS} | {_OTHER}", re.VERBOSE | re.DOTALL)
_CLASSLESS = re.compile(f"{_ESCAPE} | {_OTHER}", re.VERBOSE | re.DOTALL)
_BACKTRACKS = ("(?=", "(?!", "(?<", "(?>", "\\1", "\\2", "\\3", "\\k", "++", "*+", "?+")
_STEPS = 20_000
"""What is looked around or back for is tried so often before it is given up."""
_PROPERTY, _WORDS, _LOOSE = 1_000, 50, 2
"""A property of Unicode is a table of hundreds of ranges, and so is a word's letter; other classes
are a few."""


@remembered(64, longest=LENGTH)
@remembered(4_096, longest=1_000)
def pattern_cost(pattern: str) -> int:
    """About how many states `pattern` compiles to; more than `PATTERN_COST` for one too long.

    What is no regular expression costs something, too: nobody is told that it is one.
    """
    if len(pattern) > LENGTH:
        return PATTERN_COST + 1
    sums, last = [0], 0
    for token in _tokens(pattern):
        text = token[0]
        if token[2] is not None or text in ("*", "+", "?"):
            # What stood last is counted once already.
            sums[-1] += last * (_repeats(token[1], token[3]) - 1)
            last *= _repeats(token[1], token[3])
        elif text[0] == "(":
            sums.append(1)
        elif text == ")" and len(sums) > 1:
            last = sums.pop()
            sums[-1] += last
        else:
            last = _weight(text)
            sums[-1] += last
    return sum(sums)


def _tokens(pattern: str) -> Iterator[re.Match[str]]:
    """The parts of a pattern: where a class never ends, none that begins behind it does."""
    for token in _TOKEN.finditer(pattern):
        if token[0] == "[":
            yield from _CLASSLESS.finditer(pattern, token.start())
            return
        yield token


def run_cost(pattern: str) -> int:
    """Steps that `pattern` may take for each character of a text."""
    looks = any(sign in pattern for sign in _BACKTRACKS)
    return max(pattern_cost(pattern), _STEPS if looks else 0)


def _repeats(least: str | None, most: str | None) -> int:
    return max(int(most or 0), int(least or 0), _LOOSE)


def _weight(token: str) -> int:
    if "\\p" in token or "\\P" in token:
        return _PROPERTY
    if token[0] == "[":
        return 1 + len(token)
    return _WORDS if token in ("\\w", "\\W") else 5 if token in (".", "\\S", "\\D") else 1


def affordable(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema without the patterns that are too dear to compile, one by one or together."""
    if next(patterns_of(schema), None) is None:
        return schema
    left = SCHEMA_COST

    def allowed(pattern: str) -> bool:
        nonlocal left
        cost = pattern_cost(pattern)
        if cost > min(left, PATTERN_COST):
            return False
        left -= cost
        return True

    kept = with_patterns(schema, allowed)
    return kept if isinstance(kept, dict) else {}


def patterns_of(value: Any) -> Iterator[str]:
    """The patterns anywhere in a schema."""
    if isinstance(value, list):
        for item in value:
            yield from patterns_of(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key == "pattern" and isinstance(item, str):
                yield item
            elif key == "patternProperties" and isinstance(item, dict):
                yield from item
            yield from patterns_of(item)


def with_patterns(value: Any, allowed: Callable[[str], bool]) -> Any:
    """A copy of a schema without the patterns that are not allowed."""
    if isinstance(value, list):
        return [with_patterns(item, allowed) for item in value]
    if not isinstance(value, dict):
        return value
    kept: dict[str, Any] = {}
    for key, item in value.items():
        if key == "patternProperties" and isinstance(item, dict):
            item = {name: inner for name, inner in item.items() if allowed(name)}
        if key != "pattern" or not isinstance(item, str) or allowed(item):
            kept[key] = with_patterns(item, allowed)
    return kept
