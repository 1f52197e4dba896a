"""The body of an answer: read within bounds, decoded, and turned into text and JSON."""

import asyncio
import hashlib
import json
import re
import zlib
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from typing import NamedTuple

import httpx

from gretel.catalog.document import finite, in_turns
from gretel.contracts.budget import Budget
from gretel.contracts.record import JsonValue
from gretel.sandbox.network.charsets import sound, text_of

_STEP = 65_536
"""Bytes that decompression gives at once."""

_MAX_CHUNKS = 50_000
"""Of one answer: a chunk costs the parser the same time, whether it holds a page or a byte."""
_TURN = 64
"""Chunks after which other tasks get a turn. Those that lie ready are parsed without a pause, and
no time limit can end what does not pause."""

_MAX_DEPTH = 200
"""Levels of JSON; what validates and copies values downstream gives up at 255."""

_MAX_NODES = 200_000
"""Lists and objects of an answer: each costs hundreds of bytes of memory for two on the wire."""

_DIGITS = re.compile(r"\d{1000}")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


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
_TOO_MANY = Parsed(error="The answer's JSON has too many parts.")
_TOO_LONG = Parsed(error="The answer's JSON holds a number that is too long.")


async def read_body(response: httpx.Response, budget: Budget) -> Body:
    """The whole body of `response`.

    Content-Length proves nothing and is not looked at.

    Raises:
        BodyRefused: it is larger than the budget allows, on the wire or decoded, it is encoded
            in a way that is not read (no decoder of br or zstd bounds what it gives), or its
            encoding breaks off.
    """
    content = bytearray()
    wire = 0
    async for chunk, parts in _chunks(response):
        wire += len(chunk)
        if wire > budget.bytes_wire:
            raise BodyRefused(f"The answer exceeds {budget.bytes_wire:,} bytes on the wire.")
        for part in parts:
            content += part
            if len(content) > budget.bytes_decoded:
                raise BodyRefused(f"The answer exceeds {budget.bytes_decoded:,} bytes decoded.")
    return Body(bytes(content), wire)


async def decoded(response: httpx.Response) -> AsyncIterator[bytes]:
    """The body of `response` as it comes, decoded in small parts; the caller counts them.

    Raises:
        BodyRefused: its encoding is not read, or breaks off.
    """
    async for _, parts in _chunks(response):
        for part in parts:
            yield part


async def _chunks(response: httpx.Response) -> AsyncIterator[tuple[bytes, Iterable[bytes]]]:
    """Each chunk from the wire, and what it decodes to."""
    decoder = _decoder(response.headers.get("content-encoding", ""))
    anything, number = False, 0
    assert isinstance(response.stream, httpx.AsyncByteStream)
    async for chunk in response.stream:
        anything, number = anything or bool(chunk), number + 1
        if number > _MAX_CHUNKS:
            raise BodyRefused(f"The answer comes in more than {_MAX_CHUNKS:,} chunks.")
        if number % _TURN == 0:
            await asyncio.sleep(0)
        yield chunk, decoder(chunk)
    if isinstance(decoder, _Inflater) and anything and not decoder.complete:
        raise BodyRefused("The answer's compression breaks off.")


Decoder = Callable[[bytes], Iterable[bytes]]
"""Decodes one chunk, in parts of at most one step."""


def _decoder(encoding: str) -> Decoder:
    """The decoder of a Content-Encoding."""
    name = encoding.strip().lower()
    if name in {"", "identity"}:
        return lambda chunk: (chunk,)
    if name in {"gzip", "x-gzip"}:
        return _Inflater(zlib.MAX_WBITS | 16)
    if name == "deflate":
        return _Inflater(zlib.MAX_WBITS)
    raise BodyRefused("The answer is compressed in a way that was not asked for.")


class _Inflater:
    """Decompression in bounded steps: 64 KB of input can hold 64 MB."""

    def __init__(self, wbits: int) -> None:
        self._stream = zlib.decompressobj(wbits=wbits)

    @property
    def complete(self) -> bool:
        """Whether the end of the compressed data was read."""
        return self._stream.eof

    def __call__(self, chunk: bytes) -> Iterator[bytes]:
        """What `chunk` adds; the caller stops asking when it has enough."""
        while not self.complete:
            try:
                part = self._stream.decompress(chunk, _STEP)
            except zlib.error:
                raise BodyRefused("The answer's compression is broken.") from None
            yield part
            chunk = self._stream.unconsumed_tail
            # A full step may leave more behind even where all of the input is taken.
            if not chunk and len(part) < _STEP:
                return


def body_text(body: Body, content_type: str) -> str:
    """The body as text: its declared character set, else UTF-8; broken bytes are replaced."""
    return text_of(body.content, content_type)


def parse_json(text: str) -> Parsed:
    """`text` as JSON that can be written again as JSON, in UTF-8.

    NaN, infinities and floats too large become None, and half a character (a lone surrogate) the
    replacement character. More than 200 levels, 200,000 lists and objects, or an integer of over
    4,300 digits are refused.
    """
    nodes = text.count("[") + text.count("{")
    if nodes > _MAX_NODES:
        return _TOO_MANY
    try:
        whole = _whole_number if _DIGITS.search(text) else None
        value = json.loads(
            text,
            parse_constant=_no_number,
            parse_float=finite,
            parse_int=whole,
            object_hook=in_turns,
        )
    except RecursionError:
        return _TOO_DEEP
    except json.JSONDecodeError:
        return Parsed(error="The answer is broken JSON.")
    except ValueError:
        # The one other ValueError: Python refuses integers so long, as their conversion is slow.
        return _TOO_LONG
    if nodes > _MAX_DEPTH and _is_deep(value):
        return _TOO_DEEP
    return Parsed(_whole(value) if _SURROGATE.search(text) else value)


def _whole_number(digits: str) -> int:
    """An integer. Between two calls of ours others get a turn, and long ones take a while each."""
    return int(digits)


def _no_number(name: str) -> None:
    """What NaN and Infinity become."""


def _whole(value: JsonValue) -> JsonValue:
    """`value` without halves of characters; it is not nested deeply."""
    if isinstance(value, str):
        return sound(value)
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if isinstance(value, dict):
        return {str(_whole(key)): _whole(item) for key, item in value.items()}
    return value


def _is_deep(value: JsonValue) -> bool:
    """Whether `value` is nested more than `_MAX_DEPTH` levels."""
    level: list[JsonValue] = [value]
    for _ in range(_MAX_DEPTH + 2):
        nodes = [node for node in level if isinstance(node, dict | list)]
        if not nodes:
            return False
        level = []
        for node in nodes:
            level += node.values() if isinstance(node, dict) else node
    return True
