"""What a value says once it is decoded: a document may have a model write a fact in a code."""

import base64
import codecs
import html
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from urllib.parse import unquote

from gretel.contracts.record import JsonValue

_LAYERS = 4
"""How often escapes are resolved."""
_BYTES = re.compile(r"(?:(?:0?x)?[0-9a-f]{2}[\s:,;=_\\-]{0,3}){4,}", re.I)
_NOT_HEX = re.compile(r"0?x|[^0-9a-f]", re.I)
_BITS = re.compile(r"(?:[01]{8}\s?){4,}")
_BASE_64 = re.compile(r"[A-Za-z0-9+/_-]{6,}")
_BASE_32 = re.compile(r"[A-Z2-7]{7,}")
_BASE_85 = re.compile(r"[!-~]{7,}")
_ESCAPE = re.compile(r"\\u\{?(?P<wide>[0-9a-f]{4,6})\}?|(?:\\x|=)(?P<byte>[0-9a-f]{2})", re.I)
_NUMBERS = re.compile(r"\d{2,6}(?:[\s,;]+\d{2,6}){3,}")
_Decode = Callable[[str], bytes]


def decodings(value: JsonValue) -> Iterator[str]:
    """What the texts in a value, and a list of numbers, may be the codes of: other texts."""
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list):
        numbers = [str(each) for each in value if isinstance(each, int)]
        yield _of_numbers(numbers if len(numbers) == len(value) else [])
        for each in value:
            yield from decodings(each)
    elif isinstance(value, str):
        plain = _without_escapes(value)
        yield from (plain, value[::-1], codecs.encode(value, "rot13"))
        yield from _of_codes(value)


def _of_codes(text: str) -> Iterator[str]:
    for found in _BYTES.finditer(text):
        yield _text(bytes.fromhex(_even(_NOT_HEX.sub("", found[0]))))
    for found in _BITS.finditer(text):
        yield _of_numbers([str(int(each, 2)) for each in re.findall(r"[01]{8}", found[0])])
    for found in _NUMBERS.finditer(text):
        yield _of_numbers(re.findall(r"\d+", found[0]))
    yield from _blocks(text, _BASE_64, 4, lambda code: base64.b64decode(code, altchars=b"-_"))
    yield from _blocks(text, _BASE_64, 4, base64.b64decode)
    yield from _blocks(text, _BASE_32, 8, base64.b32decode)
    yield from _blocks(text, _BASE_85, 1, base64.b85decode)


def _blocks(text: str, pattern: re.Pattern[str], size: int, decode: _Decode) -> Iterator[str]:
    for found in pattern.finditer(text):
        for start in range(size):  # other letters may stand before it
            code = found[0][start:]
            with suppress(ValueError):
                yield _text(decode(code + "=" * (-len(code) % size)))


def _even(digits: str) -> str:
    return digits[: len(digits) // 2 * 2]


def _of_numbers(numbers: list[str]) -> str:
    return "".join(chr(code) for each in numbers if 31 < (code := int(each)) < 0x110000)


def _without_escapes(text: str) -> str:
    for _ in range(_LAYERS):
        with suppress(ValueError):  # a sign by a number of thousands of digits
            text = _ESCAPE.sub(_meant, html.unescape(unquote(text)))
    return text.replace("\\", "")


def _meant(found: re.Match[str]) -> str:
    code = int(found["wide"] or found["byte"], 16)
    return chr(code) if code < 0x110000 else ""


def _text(raw: bytes) -> str:
    return raw.decode(errors="replace")
