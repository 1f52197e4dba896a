"""`Answer`: what came back, unwrapped and parsed, before anybody judges it."""

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import NamedTuple, TypeAlias

from gretel.contracts.record import JsonValue
from gretel.sandbox.network.body import parse_json
from gretel.text.invisible import clean
from gretel.text.redact import known_redacted

_LONG = 100_000
"""Characters of an answer that is not written out as a whole."""
_SHOWN = 40_000
"""Characters of its beginning, and of its end, that are: twice what an excerpt is looked for in."""
_TRIED = 10_000
"""Characters of an answer all else of which may be known to who has its digest."""
_LINES = 20
"""Lines of a stream that are read."""
_LINE = re.compile(r"[^\r\n]+")
_MEDIA = re.compile(
    r"(?:image/(?!svg)|audio/|video/|font/)|application/(?:octet-stream|pdf|zip|gzip|x-tar)", re.I
)
_ESCAPED = re.compile(r"\\(?:u00|[bfnrt])")
"""What JSON writes as an escape again: in a name, it hides of what that is."""
_BROKEN = re.compile(r"[\n\t]")
_Written: TypeAlias = Callable[[JsonValue], str]


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
    """Whether a relay stood between; its promises are not the tool's."""
    outer_error: str | None = None
    """Its error, where it gave one."""
    is_surmised: bool = False
    """Whether that error was only read off the answer, which then decides itself."""

    @property
    def declares_json(self) -> bool:
        """Whether the content type says JSON."""
        kind = self.content_type.partition(";")[0].strip().lower()
        return kind in {"application/json", "text/json"} or kind.endswith("+json")

    @property
    def is_media(self) -> bool:
        """Whether the content type says that it is no text."""
        return bool(_MEDIA.match(self.content_type.strip()))

    @property
    def is_json_lines(self) -> bool:
        """Whether the text is JSON values a line, as streams of them are sent."""
        lines = filter(str.strip, (found[0] for found in _LINE.finditer(self.text)))
        read = [*islice(lines, _LINES)]  # a list of millions takes a hundred megabytes
        return len(read) > 1 and all(parse_json(line).error is None for line in read)

    @property
    def shown(self) -> str:
        """The text for an excerpt: JSON in its shortest form, its escapes resolved.

        Of a long answer only the beginning and the end, more than any excerpt looks at.
        """
        if not self.is_json or isinstance(self.value, str):
            return str(self.value) if self.is_json else self.text
        if len(self.text) > _LONG:
            return _ends(self.value, _clean if _ESCAPED.search(self.text) else _plain)
        try:
            written = json.dumps(self.value, ensure_ascii=False, separators=(",", ":"))
            if not _ESCAPED.search(written):
                return written
            return json.dumps(_seen(self.value), ensure_ascii=False, separators=(",", ":"))
        except RecursionError:
            return self.text


def _ends(value: JsonValue, written: _Written) -> str:
    """The beginning and the end of `value` as JSON, or all where that is not much."""
    start, is_all = _read(_parts(value, written, backwards=False))
    if is_all:
        return "".join(start)
    end, _ = _read(_parts(value, written, backwards=True))
    return f"{''.join(start)}…{''.join(reversed(end))}"


def _read(parts: Iterator[str]) -> tuple[list[str], bool]:
    """The first parts, `_SHOWN` characters that can be seen or more, and whether these are all."""
    kept, size = list[str](), 0
    for part in parts:
        if size >= _SHOWN:
            return kept, False
        kept.append(part)
        size += len(part)
    return kept, True


def _parts(value: JsonValue, written: _Written, *, backwards: bool) -> Iterator[str]:
    """What JSON is written of, sign by sign and value by value, from its beginning or its end.

    One call that writes all holds the interpreter, and all other calls, as long as it takes.
    """
    if not isinstance(value, dict | list):
        yield written(value)
        return
    brackets = ("{", "}") if isinstance(value, dict) else ("[", "]")
    first, last = brackets[::-1] if backwards else brackets
    yield first
    for number, item in enumerate(reversed(value) if backwards else value):
        if number:
            yield ","
        if isinstance(value, list):
            yield from _parts(item, written, backwards=backwards)
            continue
        inner = _parts(value[str(item)], written, backwards=backwards)
        name = f"{written(_name(str(item)))}:"
        yield from chain(inner, (name,)) if backwards else chain((name,), inner)
    yield last


def _plain(value: JsonValue) -> str:
    return clean(json.dumps(value, ensure_ascii=False))


def _clean(value: JsonValue) -> str:
    return _plain(_seen(value))


def _seen(value: JsonValue) -> JsonValue:
    """`value` with only what can be seen: JSON would show the orders to a terminal as escapes."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_seen(item) for item in value]
    if isinstance(value, dict):
        return {_name(key): _seen(item) for key, item in value.items()}
    return value


def _name(key: str) -> str:
    """A field's name as it is seen, in one line: as names are looked for."""
    seen = clean(key)
    return " ".join(seen.split()) if _BROKEN.search(seen) else seen


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


def digest_of(text: str, plain: str | None) -> str | None:
    """SHA-256 (hex) of an answer, `plain` that of its bytes; of a short one that repeats a secret
    as it is without it, for what is short is found by trying.
    """
    if plain is None or len(text) > _TRIED:
        return plain
    seen = clean(text)
    kept = known_redacted(seen, was_cut=False)
    return plain if kept == seen else hashlib.sha256(kept.encode(errors="replace")).hexdigest()
