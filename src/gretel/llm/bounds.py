"""What an endpoint may send: one answer, read to its end within bounds before it is parsed."""

import asyncio
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx2

MAX_BYTES = 4_000_000
"""Of one answer; a reply that is used is shorter by far, thoughts and escapes included."""
MAX_BRACKETS = 50_000
"""Lists and objects, those inside texts included: the client makes records of them on the loop."""
MAX_CHUNKS = 50_000
"""A chunk costs its parser the same time, whether it holds a page or a byte."""
_COUNTS = ("prompt_tokens", "completion_tokens", "total_tokens")
_DETAILS = ("prompt_tokens_details", "completion_tokens_details")
_TURN = 64
"""Chunks after which other tasks get a turn."""

PLAIN = {"Accept-Encoding": "identity"}
"""Asks for an answer as it is: the client unpacks another without any bound."""


class AnswerRefused(Exception):
    """An endpoint's answer breaks a bound; the text says which."""


async def within_bounds(response: "httpx2.Response") -> None:
    """Read `response`, whose head alone is there; for the client a hook on every response.

    Raises:
        AnswerRefused: it is too long, of too many parts, or compressed though nobody asked for it.
    """
    import httpx2  # openai's own client

    stream = response.stream
    assert isinstance(stream, httpx2.AsyncByteStream)
    try:
        content = await _read(response, stream)
    finally:
        await stream.aclose()
    if content.count(b"[") + content.count(b"{") > MAX_BRACKETS:
        raise AnswerRefused(f"more than {MAX_BRACKETS:,} lists and objects")
    response.stream = httpx2.ByteStream(_with_sound_usage(content))


async def _read(response: "httpx2.Response", stream: "httpx2.AsyncByteStream") -> bytes:
    if response.headers.get("content-encoding", "").strip().lower() not in ("", "identity"):
        raise AnswerRefused("a compressed answer that was not asked for")
    content, number = bytearray(), 0
    async for chunk in stream:
        content += chunk
        number += 1
        if len(content) > MAX_BYTES:
            raise AnswerRefused(f"more than {MAX_BYTES:,} bytes")
        if number > MAX_CHUNKS:
            raise AnswerRefused(f"more than {MAX_CHUNKS:,} chunks")
        if number % _TURN == 0:
            await asyncio.sleep(0)
    return bytes(content)


def _with_sound_usage(content: bytes) -> bytes:
    """An answer without its count of tokens where that is none: the client breaks on it."""
    try:
        answer = json.loads(content)
    except (ValueError, RecursionError):
        return content  # the client says what is wrong with it
    if not isinstance(answer, dict) or _is_usage(answer.get("usage")):
        return content
    return json.dumps(answer | {"usage": None}).encode()


def _is_usage(said: object) -> bool:
    """Whether a count of tokens has the types of one."""
    if said is None:
        return True
    if not isinstance(said, dict) or not all(
        isinstance(said.get(name, 0), int) for name in _COUNTS
    ):
        return False
    details = (said.get(name) for name in _DETAILS)
    return all(each is None or _counts_alone(each) for each in details)


def _counts_alone(said: object) -> bool:
    return isinstance(said, dict) and all(isinstance(n, int | None) for n in said.values())


def refused(error: BaseException | None) -> AnswerRefused | None:
    """What of ours lies behind a client's error; None where nothing does."""
    while error is not None and not isinstance(error, AnswerRefused):
        error = error.__cause__ or error.__context__
    return error
