"""Endpoints that are slow, busy, broken or shut; and what an error says."""

import asyncio
import socket
import time
import traceback
from dataclasses import replace
from email.utils import formatdate

import pytest
from adding import asked

from gretel.contracts.errors import ConfigurationError, GretelError, ServiceUnreachable
from gretel.llm.failures import retry_after
from gretel.llm.model import open_model
from lanes import every
from llm_server import DROP, HANG, QUICK, LlmServer, Reply, Script, good, slow, status

HASTY = replace(QUICK, request_s=0.6, attempts=3)

PASSING: dict[str, Script] = {
    "429": status(429),
    "429 with Retry-After": status(429, retry_after="0.05"),
    "429 until a date": status(429, retry_after="Wed, 21 Oct 2015 07:28:00 GMT"),
    "500": status(500),
    "503": status(503),
    "dropped": DROP,
    "hang": HANG,
    "slow": slow({"sum": 4}, 3.0),
}


@pytest.mark.parametrize("failure", every(3, PASSING.values()), ids=PASSING)
async def test_what_passes_is_asked_again(llm: LlmServer, failure: Script) -> None:
    llm.script("add", failure, good({"sum": 2}))

    assert await asked(llm.model(limits=HASTY)) == 2
    assert len(llm.requests) == 2


LASTING: dict[str, tuple[Script, str]] = {
    "429": (status(429, "busy"), "kept answering 429.*busy"),
    "500": (status(500), "kept answering 500"),
    "dropped": (DROP, "does not answer"),
    "hang": (HANG, "no answer in time"),
}


@pytest.mark.parametrize(("failure", "said"), every(2, LASTING.values()), ids=LASTING)
async def test_what_lasts_is_a_service_unreachable(
    llm: LlmServer, failure: Script, said: str
) -> None:
    llm.script("add", failure)

    with pytest.raises(ServiceUnreachable, match=said):
        await asked(llm.model(limits=HASTY))

    assert 1 < len(llm.requests) <= HASTY.attempts


@pytest.mark.slow
async def test_retries_end_with_the_total_time(llm: LlmServer) -> None:
    llm.script("add", HANG)
    limits = replace(QUICK, request_s=1.0, total_s=1.7, attempts=100)

    with pytest.raises(ServiceUnreachable, match="1 s a try, 1.7 s in all"):
        await asked(llm.model(limits=limits))

    assert len(llm.requests) == 2


async def test_a_longer_wait_than_there_is_time_for_is_not_waited(llm: LlmServer) -> None:
    llm.script("add", status(429, retry_after="3600"), good({"sum": 2}))

    with pytest.raises(ServiceUnreachable, match="429"):
        await asked(llm.model())

    assert len(llm.requests) == 1


async def test_an_empty_account_is_asked_once(llm: LlmServer) -> None:
    body = b'{"error": {"message": "pay first", "type": "x", "code": "insufficient_quota"}}'
    json_type = {"content-type": "application/json"}
    llm.script("add", Reply(raw=body, status=429, headers=json_type), good({"sum": 2}))

    with pytest.raises(ServiceUnreachable, match="pay first"):
        await asked(llm.model())

    assert len(llm.requests) == 1


@pytest.mark.parametrize("code", [401, 403])
async def test_bad_credentials_are_not_tried_twice(llm: LlmServer, code: int) -> None:
    llm.script("add", status(code))

    with pytest.raises(ConfigurationError, match="OPENAI_API_KEY.*refused our credentials"):
        await asked(llm.model())

    assert len(llm.requests) == 1


OTHERS: dict[str, Reply] = {
    "html": Reply(raw=b"<html>hello</html>", headers={"content-type": "text/html"}),
    "html called json": Reply(raw=b"<html>", headers={"content-type": "application/json"}),
    "other json": Reply(raw=b'{"ok": 1}', headers={"content-type": "application/json"}),
    "no choices": Reply(raw=b'{"choices": []}', headers={"content-type": "application/json"}),
}


@pytest.mark.parametrize("reply", OTHERS.values(), ids=OTHERS)
async def test_an_endpoint_of_another_kind(llm: LlmServer, reply: Reply) -> None:
    llm.script("add", reply)

    with pytest.raises(ServiceUnreachable, match="not a chat completion.*base URL"):
        await asked(llm.model())

    assert len(llm.requests) == 1


async def test_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    model = open_model(
        "openai:test", base_url=f"http://127.0.0.1:{port}/v1", api_key="k", limits=QUICK
    )

    with pytest.raises(ServiceUnreachable, match="openai:test does not answer"):
        await asked(model)


SECRET = "sk-canary-123456"


@pytest.mark.parametrize("code", [400, 401, 404, 422, 429, 500])
async def test_no_error_shows_the_key(llm: LlmServer, code: int) -> None:
    llm.script("add", status(code, f"Bad key {SECRET}."))
    model = open_model(
        "openai:test", base_url=llm.url, api_key=SECRET, limits=replace(QUICK, attempts=1)
    )
    llm.api_key = SECRET
    try:
        with pytest.raises(GretelError) as caught:
            await asked(model)
    finally:
        llm.api_key = "test-key"

    shown = "".join(traceback.format_exception(caught.value)) + repr(caught.value) + repr(model)
    assert SECRET not in shown


async def test_the_server_wants_its_key(llm: LlmServer) -> None:
    model = open_model("openai:test", base_url=llm.url, api_key="wrong", limits=QUICK)

    with pytest.raises(ConfigurationError, match="401"):
        await asked(model)

    assert llm.rejected == ["Incorrect API key provided: Bearer wrong"]


async def test_a_cancelled_question_leaves_its_slot(llm: LlmServer) -> None:
    llm.script("add", HANG, good({"sum": 2}))
    model = llm.model(limits=replace(QUICK, concurrency=1))

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2):
            await asked(model)

    assert await asked(model) == 2


class Answered(Exception):
    """A client's exception with the response that it came with."""

    def __init__(self, header: str | None) -> None:
        super().__init__(header)
        self.response = type(
            "Response", (), {"headers": {} if header is None else {"retry-after": header}}
        )()


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("2", 2.0),
        ("-1", 0.0),
        ("soon", None),
        ("nan", None),
        ("Mon, 01 Jan 999999999999 00:00:00 GMT", None),
        ("Mon, 01 Jan 2026 00:00:00 +99999999999999", None),
        ("Mon, 99999999999999999999 Jan 2026 00:00:00 GMT", None),
        (formatdate(0, usegmt=True), 0.0),
    ],
)
def test_retry_after(header: str | None, seconds: float | None) -> None:
    assert retry_after(Answered(header)) == seconds


def test_retry_after_a_date_to_come() -> None:
    wait = retry_after(Answered(formatdate(time.time() + 100, usegmt=True)))

    assert wait is not None
    assert 0 < wait <= 100
