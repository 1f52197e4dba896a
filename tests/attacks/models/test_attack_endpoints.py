"""What a hostile endpoint of a model says beside its reply: of any type, and anywhere else."""

import gzip
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from gretel.contracts.budget import Usage
from gretel.contracts.errors import BudgetSpent, GretelError, ModelReplyError
from gretel.contracts.ranking import Message
from gretel.contracts.record import JsonObject
from gretel.llm.ledger import collect_usage
from gretel.llm.model import StructuredModel, open_model
from gretel.llm.strict import closed
from lanes import every
from llm_server import QUICK, LlmServer, Reply, good
from loopback import Loopback

KEY = "test-key"
ASKED = [Message(role="user", content="Reply with JSON.")]


async def reply(model: StructuredModel) -> JsonObject:
    """What a step gets of it."""
    schema = closed({"ok": {"type": "boolean"}})
    try:
        return await model.reply(ASKED, schema, lambda said: said, step="add")
    finally:
        await model.aclose()


class Elsewhere(Loopback):
    """What an endpoint leads to; keeps what comes there."""

    def __init__(self) -> None:
        self.came: list[str] = []
        methods = ["GET", "POST"]
        super().__init__(Starlette(routes=[Route("/{path:path}", self._take, methods=methods)]))

    async def _take(self, request: Request) -> Response:
        self.came.append(f"{request.method} {request.url.path}")
        return JSONResponse({}, headers={"connection": "close"})


@pytest.fixture
def elsewhere() -> Iterator[Elsewhere]:
    with Elsewhere() as found:
        yield found


class Endless(Loopback):
    """An endpoint that goes on sending; counts how often it is asked."""

    def __init__(self, part: bytes, *, status: int = 200, encoding: str = "identity") -> None:
        self.asked = 0
        self._part, self._status = part, status
        self._headers = {"content-encoding": encoding, "connection": "close"}
        super().__init__(Starlette(routes=[Route("/{path:path}", self._answer, methods=["POST"])]))

    async def _answer(self, request: Request) -> Response:
        self.asked += 1
        return StreamingResponse(self._parts(), self._status, self._headers, "application/json")

    async def _parts(self) -> AsyncIterator[bytes]:
        for _ in range(200):
            yield self._part


@pytest.mark.parametrize("status", [200, 400, 500])
async def test_an_answer_without_end_is_given_up(status: int) -> None:
    with Endless(b" " * 65_536, status=status) as endpoint:
        url = f"{endpoint.url}/v1"
        with pytest.raises(ModelReplyError, match="more than 4,000,000 bytes"):
            await reply(open_model("openai:test", base_url=url, api_key=KEY, limits=QUICK))

    assert endpoint.asked == 1


async def test_an_answer_that_nobody_asked_to_compress_is_not_unpacked() -> None:
    with Endless(gzip.compress(b" " * 1_000_000), encoding="gzip") as endpoint:
        url = f"{endpoint.url}/v1"
        with pytest.raises(ModelReplyError, match="compressed"):
            await reply(open_model("openai:test", base_url=url, api_key=KEY, limits=QUICK))


async def test_an_answer_of_too_many_parts_is_not_read(llm: LlmServer) -> None:
    choices = ",".join(["{}"] * 60_000)
    llm.script("add", Reply(raw=f'{{"choices": [{choices}]}}'.encode()))

    with pytest.raises(ModelReplyError, match="lists and objects"):
        await reply(llm.model())


async def test_a_connection_is_used_again_once_its_answer_was_read(llm: LlmServer) -> None:
    llm.keep_alive = True
    model, schema = llm.model(), closed({"ok": {"type": "boolean"}})
    llm.script("add", good({"ok": True}))
    for _ in range(3):
        await model.reply(ASKED, schema, lambda said: said, step="add")
    await model.aclose()

    assert len(llm.requests) == 3
    assert all(call.headers["accept-encoding"] == "identity" for call in llm.requests)


@pytest.mark.parametrize("status", [302, 307])
async def test_no_redirect_of_an_endpoint_is_followed(status: int, elsewhere: Elsewhere) -> None:
    async def leads(request: Request) -> Response:
        headers = {"location": f"{elsewhere.url}/latest/meta-data", "connection": "close"}
        return Response(status_code=status, headers=headers)

    with Loopback(Starlette(routes=[Route("/{path:path}", leads, methods=["POST"])])) as endpoint:
        url = f"{endpoint.url}/v1"
        with pytest.raises(GretelError, match="not a chat completion"):
            await reply(open_model("openai:test", base_url=url, api_key=KEY, limits=QUICK))

    assert elsewhere.came == []


ODD: list[Any] = [{"a": 1}, ["length"], 5, True, 1.5]


@pytest.mark.parametrize("said", every(3, ODD), ids=str)
async def test_a_refusal_of_any_type_is_one(
    said: Any, llm: LlmServer, capfd: pytest.CaptureFixture[str]
) -> None:
    llm.script("add", good({"ok": True}, refusal=said))

    with pytest.raises(ModelReplyError, match="refused"):
        await reply(llm.model())
    assert not capfd.readouterr().err  # where a client's library repeats what it did not expect


@pytest.mark.parametrize("said", every(3, ODD), ids=str)
async def test_a_reason_to_stop_of_any_type_is_none(said: Any, llm: LlmServer) -> None:
    llm.script("add", good({"ok": True}, finish=said))

    assert await reply(llm.model()) == {"ok": True}


@pytest.mark.parametrize("count", [2**70, 2**63, -1, -(2**63)])
async def test_a_count_of_tokens_that_is_none_is_not_booked(count: int, llm: LlmServer) -> None:
    usage = {"prompt_tokens": count, "completion_tokens": 5, "total_tokens": 5}
    llm.script("add", good({"ok": True}, usage=usage))

    with collect_usage() as ledger:
        await reply(llm.model())

    assert ledger.usage == Usage(llm_calls=1)


ODD_USAGE: list[Any] = [
    [],
    5,
    "many",
    {"prompt_tokens": "many", "completion_tokens": None},
    {"prompt_tokens": 1, "completion_tokens": [2], "total_tokens": {}},
    {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3, "prompt_tokens_details": 7},
    {"prompt_tokens": 1, "completion_tokens_details": {"reasoning_tokens": "x"}},
]


@pytest.mark.parametrize("usage", ODD_USAGE, ids=str)
async def test_a_count_of_tokens_of_any_type_ends_no_run(usage: Any, llm: LlmServer) -> None:
    llm.script("add", good({"ok": True}, usage=usage))

    assert await reply(llm.model()) == {"ok": True}


async def test_tokens_that_an_endpoint_gives_back_lift_no_ceiling(llm: LlmServer) -> None:
    usage = {"prompt_tokens": -1_000_000, "completion_tokens": 0, "total_tokens": 0}
    llm.script("add", good({"ok": True}, usage=usage))

    with collect_usage(max_tokens=30), pytest.raises(BudgetSpent):
        for _ in range(100):
            await reply(llm.model())
