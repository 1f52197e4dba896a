"""Messages of MCP servers whose numbers are dear to write out: they hold nothing up."""

import pytest
from mcp_types import JSONRPCError, JSONRPCResponse
from pydantic import BaseModel
from test_attack_mcp import servers_of
from test_attack_mcp_messages import Broken, patiently

from gretel.contracts.errors import ServiceUnreachable
from gretel.integrations.mcp_bounds import Reading
from gretel.integrations.mcp_results import light
from gretel.sandbox.network.body import BodyRefused

LONG = b"7" * 1_500
NUMBERS = {
    "many values": (b"1," * 300_001 + b"1", "300,000 in one message"),
    "a number too long": (b"1," + LONG, "a number that is too long"),
    "a negative one": (b"1,-" + LONG, "a number that is too long"),
}


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("stage", ["tools/list", "tools/call"])
async def test_numbers_that_are_dear_to_write_out_are_refused(name: str, stage: str) -> None:
    """The client writes each message out for its log, on the event loop, whoever reads that."""
    numbers, why = NUMBERS[name]
    async with Broken() as server:
        server.stage = stage
        server.body = b'{"jsonrpc":"2.0","id":1,"result":{"tools":[],"x":[' + numbers + b"]}}"
        servers = servers_of(server, "none/such")
        if stage == "tools/list":
            with pytest.raises(ServiceUnreachable, match=why):
                await servers.catalog()
        else:
            await servers.catalog()
            failure = (await patiently(servers)).outcome.failure
            assert failure is not None and why in failure.detail
        await servers.aclose()


async def test_a_number_that_is_too_long_may_come_in_parts() -> None:
    reading = Reading.listing()
    with pytest.raises(BodyRefused, match="too long"):
        for part in (b"[1,", *(LONG[at : at + 7] for at in range(0, len(LONG), 7))):
            reading.took(part, messages=False)


@pytest.mark.parametrize("text", [b'"0.%s"', b'"%s"', b"[0.%s]"])
async def test_digits_of_a_text_or_behind_a_point_may_be_many(text: bytes) -> None:
    Reading.listing().took(text % LONG, messages=False)


@pytest.mark.parametrize("list_of", ["tools", "content"])
def test_few_plain_values_of_a_result_reach_the_client(list_of: str) -> None:
    result = {"nextCursor": "x"} | {f"k{number}": 1 for number in range(9_000)} | {list_of: []}
    seen = light(result)
    assert seen["nextCursor"] == "x" and len(seen) < 30
    assert seen["_meta"]["gretel/whole"] is result


@pytest.mark.parametrize("kind", [JSONRPCResponse, JSONRPCError])
async def test_no_message_is_written_out_for_a_log(
    kind: type[BaseModel], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a float of many digits costs; messages of other sessions are written as ever."""
    written: list[object] = []
    async with Broken() as server:
        server.stage = "tools/call"
        server.body = b'{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m","data":[1.5]}}'
        servers = servers_of(server, "none/such")
        await servers.catalog()
        monkeypatch.setattr(kind, "__repr_args__", lambda self: written.append(self) or [])
        assert (await patiently(servers)).outcome.failure is not None
        await servers.aclose()
    assert written == []

    str(kind.model_construct())
    assert len(written) == 1
