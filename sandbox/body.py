"""The body of an answer: read within bounds, decoded, and turned into text and JSON."""

import codecs
import hashlib
import json
import zlib
from collections.abc import Callable, Iterable
from typing import NamedTuple

import httpx

from gretel.contracts.budget import Budget
from gretel.contracts.record import JsonValue

_STEP = 65_536
"""Bytes that decompression gives at once."""

_CHARSETS = ("utf", "iso8859", "cp", "ascii", "koi8", "gb", "big5", "euc", "shift_jis")
"""Beginnings of the character sets that are believed; Python has codecs that are no charsets."""


_MAX_DEPTH = 200
"""Levels of JSON; what validates and copies values downstream gives up at 255."""


class BodyRefused(Exception):
    """The body breaks a bound or its own encoding; the text says which."""


class Body(NamedTuple):
    """A body that was read to its end."""

    content: bytes
    """Decoded."""
    bytes_wire: int

    @property
    def sha256(self) -> str | None:
        """Hash of the decoded bytes; None for an empty body."""
        return hashlib.sha256(self.content).hexdigest() if self.content else None


class Parsed(NamedTuple):
    """A text as JSON."""

    value: JsonValue = None
    error: str | None = None
    """Why it is no JSON; None where it is."""


_TOO_DEEP = Parsed(error="The answer's JSON is nested too deeply.")


async def read_body(response: httpx.Response, budget: Budget) -> Body:
    """The whole body of `response`.

    Raises:
        BodyRefused: it is larger than the budget allows, on the wire or decoded, or it is
            encoded in a way that is not read.
    """
    decode = _decoder(response.headers.get("content-encoding", ""))
    content = bytearray()
    wire = 0
    assert isinstance(response.stream, httpx.AsyncByteStream)
    async for chunk in response.stream:
        wire += len(chunk)
        if wire > budget.bytes_wire:
            raise BodyRefused(f"The answer exceeds {budget.bytes_wire:,} bytes on the wire.")
        content += decode(chunk, budget.bytes_decoded - len(content))
        if len(content) > budget.bytes_decoded:
            raise BodyRefused(f"The answer exceeds {budget.bytes_decoded:,} bytes decoded.")
    return Body(bytes(content), wire)


Decoder = Callable[[bytes, int], bytes]
"""Decodes one chunk into at most one step more bytes than the number that is left."""


def _decoder(encoding: str) -> Decoder:
    """The decoder of a Content-Encoding."""
    name = encoding.strip().lower()
    if name in {"", "identity"}:
        return lambda chunk, left: chunk
    if name in {"gzip", "x-gzip"}:
        return _inflater(zlib.decompressobj(wbits=zlib.MAX_WBITS | 16))
    if name == "deflate":
        return _inflater(zlib.decompressobj())
    raise BodyRefused("The answer is compressed in a way that was not asked for.")


def _inflater(stream: "zlib._Decompress") -> Decoder:
    """Decompression in bounded steps: 64 KB of input can hold 64 MB."""

    def inflate(chunk: bytes, left: int) -> bytes:
        output = bytearray()
        while chunk and len(output) <= left:
            try:
                output += stream.decompress(chunk, _STEP)
            except zlib.error:
                raise BodyRefused("The answer's compression is broken.") from None
            chunk = stream.unconsumed_tail
        return bytes(output)

    return inflate


def body_text(body: Body, content_type: str) -> str:
    """The body as text: its declared character set, else UTF-8; broken bytes are replaced."""
    charset = "utf-8"
    for part in content_type.split(";")[1:]:
        name, _, value = part.strip().partition("=")
        if name.lower() == "charset":
            charset = _believed(value.strip("\"' "))
    return body.content.decode(charset, errors="replace").removeprefix("\ufeff")


def _believed(charset: str) -> str:
    """Python's name of a character set, or utf-8 for what is none."""
    try:
        name = codecs.lookup(charset).name
    except (LookupError, ValueError):
        return "utf-8"
    return name if name.startswith(_CHARSETS) else "utf-8"


def parse_json(text: str) -> Parsed:
    """`text` as JSON; NaN and infinities become None, integers of over 4,300 digits floats."""
    try:
        value = json.loads(text, parse_constant=_no_number)
    except RecursionError:
        return _TOO_DEEP
    except json.JSONDecodeError:
        return Parsed(error="The answer is broken JSON.")
    except ValueError:
        # The one other ValueError: Python refuses integers so long, as their conversion is slow.
        value = json.loads(text, parse_constant=_no_number, parse_int=float)
    brackets = text.count("[") + text.count("{")
    return _TOO_DEEP if brackets > _MAX_DEPTH and _is_deep(value) else Parsed(value)


def _no_number(name: str) -> None:
    """What NaN and Infinity become."""


def _is_deep(value: JsonValue) -> bool:
    """Whether `value` is nested more than `_MAX_DEPTH` levels."""
    level = [value]
    for _ in range(_MAX_DEPTH + 1):
        items = (item for node in level for item in _items(node))
        level = [item for item in items if isinstance(item, dict | list)]
        if not level:
            return False
    return True


def _items(node: JsonValue) -> Iterable[JsonValue]:
    if isinstance(node, dict):
        return node.values()
    return node if isinstance(node, list) else ()
