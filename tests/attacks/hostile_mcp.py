"""MCP servers that misbehave: over HTTP at one stage of the protocol, and as commands.

`server.url("call/flood")` is the address of a server that lists one tool honestly and answers a
call of it with a flood; all behaviours of `HostileServer` can be had, and those below.
"""

import asyncio
import json
import zlib
from typing import Any

from hostile_server import CHUNKED, METADATA, HostileServer, answer

STAGES = {"initialize": "open", "tools/list": "list", "tools/call": "call"}
EVENTS = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
TOOL = {"name": "look", "inputSchema": {"type": "object"}}
NOTICE = b'data: {"jsonrpc":"2.0","method":"notifications/message","params":{"data":"x"}}\n\n'
PROGRESS = b'data: {"jsonrpc":"2.0","method":"notifications/progress","params":{}}\n\n'
SAMPLING = (
    b'data: {"jsonrpc":"2.0","id":"%d","method":"sampling/createMessage",'
    b'"params":{"messages":[],"maxTokens":1}}\n\n'
)
RESULTS: dict[str, dict[str, Any]] = {
    "initialize": {
        "protocolVersion": "2025-06-18",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "hostile", "version": "1"},
    },
    "tools/list": {"tools": [TOOL]},
    "tools/call": {"content": [{"type": "text", "text": "seen"}]},
}


class HostileMcp(HostileServer):
    """Serves `/<stage>/<behaviour>`; `opened` counts the streams that a client opened by GET."""

    opened = 0

    async def _behave(self, name: str, writer: asyncio.StreamWriter) -> None:
        last = self.requests[-1]
        stage, _, behaviour = last.target.strip("/").partition("/")
        if last.method == "GET":
            self.opened += 1
            await self._pour(writer, EVENTS, NOTICE)
        message = json.loads(last.body or b"{}")
        method = message.get("method", "")
        if STAGES.get(method) == stage:
            await super()._behave(behaviour.replace("-", "_"), writer)
        else:
            writer.write(self.reply(message))
        await writer.drain()

    def reply(self, message: dict[str, Any], result: dict[str, Any] | None = None) -> bytes:
        """What an honest server answers; it has no `server/discover` yet, and gives a session."""
        if "id" not in message:
            return answer(b"", status="202 Accepted")
        reply: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
        known = result or RESULTS.get(message.get("method", ""))
        reply |= {"result": known} if known else {"error": {"code": -32601, "message": "no"}}
        return answer(json.dumps(reply).encode(), "Mcp-Session-Id: s1")

    def last_message(self) -> dict[str, Any]:
        """What was asked last."""
        message: dict[str, Any] = json.loads(self.requests[-1].body or b"{}")
        return message

    async def on_notices(self, writer: asyncio.StreamWriter) -> None:
        await self._pour(writer, EVENTS, NOTICE * 100)

    async def on_progress(self, writer: asyncio.StreamWriter) -> None:
        await self._pour(writer, EVENTS, PROGRESS * 100)

    async def on_empty_events(self, writer: asyncio.StreamWriter) -> None:
        await self._pour(writer, EVENTS, b":\n\n" * 10_000)

    async def on_broken_events(self, writer: asyncio.StreamWriter) -> None:
        await self._pour(writer, EVENTS, b"data: {\n\n" * 100)

    async def on_slow_events(self, writer: asyncio.StreamWriter) -> None:
        await self._drip(writer, EVENTS, NOTICE)

    async def on_one_event(self, writer: asyncio.StreamWriter) -> None:
        await self._pour(writer, EVENTS + b"data: ", b"x" * 65_536)

    async def on_tiny_chunks(self, writer: asyncio.StreamWriter) -> None:
        """Six bytes of framing for each byte."""
        head = CHUNKED.replace(b"OK\r\n", b"OK\r\nContent-Type: text/event-stream\r\n")
        await self._pour(writer, head, b"1\r\n:\r\n" * 10_000)

    async def on_sampling(self, writer: asyncio.StreamWriter) -> None:
        """Requests of the server's, each of which the client answers by a request."""
        writer.write(EVENTS)
        for number in range(1_000_000):
            writer.write(SAMPLING % number)
            if not number % 100:
                await writer.drain()
                await asyncio.sleep(0)

    async def on_polling(self, writer: asyncio.StreamWriter) -> None:
        """Asks to be asked again, at once."""
        writer.write(EVENTS + b"id: 1\nretry: 0\ndata: \n\n")

    async def on_zlib_charset(self, writer: asyncio.StreamWriter) -> None:
        """A character set that is a decompressor."""
        bomb = zlib.compress(bytes(64 * 1024 * 1024))
        writer.write(answer(bomb, kind="text/event-stream; charset=zlib"))

    async def on_brotli_events(self, writer: asyncio.StreamWriter) -> None:
        body = b"\x0b\x02\x80{}\x03"
        writer.write(answer(body, "Content-Encoding: br", kind="text/event-stream"))

    async def on_many_parts(self, writer: asyncio.StreamWriter) -> None:
        """Two bytes for each list."""
        writer.write(answer(b'{"jsonrpc":"2.0","id":1,"result":{"x":[' + b"[]," * 300_000))

    async def on_deep(self, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(b"[" * 150_000))

    async def on_self(self, writer: asyncio.StreamWriter) -> None:
        place = f"Location: {self.requests[-1].target}"
        writer.write(answer(b"x" * 50_000, place, status="307 Temporary Redirect"))

    async def on_metadata(self, writer: asyncio.StreamWriter) -> None:
        place = f"Location: {METADATA}"
        writer.write(answer(b"", place, status="307 Temporary Redirect"))

    async def on_folded_session(self, writer: asyncio.StreamWriter) -> None:
        """A session id that would be two headers."""
        whole = self.reply(self.last_message())
        writer.write(whole.replace(b"Session-Id: s1", b"Session-Id: s1\r\n X-Injected: 1"))

    async def on_cursors(self, writer: asyncio.StreamWriter) -> None:
        """Pages without an end."""
        listing = {"tools": [], "nextCursor": "x"}
        writer.write(self.reply(self.last_message(), listing))

    async def on_large_pages(self, writer: asyncio.StreamWriter) -> None:
        """Pages of which each is allowed."""
        entry = TOOL | {"description": "x" * 700_000}
        writer.write(self.reply(self.last_message(), {"tools": [entry], "nextCursor": "x"}))

    async def on_faulty_tools(self, writer: asyncio.StreamWriter) -> None:
        """Entries each of which is a fault or two."""
        writer.write(self.reply(self.last_message(), {"tools": [{}] * 90_000}))

    async def on_many_tools(self, writer: asyncio.StreamWriter) -> None:
        """Each of which costs a catalogue a third of a millisecond."""
        tools = [TOOL | {"name": f"t{number}"} for number in range(49_000)]
        writer.write(self.reply(self.last_message(), {"tools": tools}))

    async def on_slow_pattern(self, writer: asyncio.StreamWriter) -> None:
        """An honest answer, to be checked by the server's own pattern."""
        result = RESULTS["tools/call"] | {"structuredContent": {"a": "a" * 40 + "!"}}
        writer.write(self.reply(self.last_message(), result))

    async def on_many_values(self, writer: asyncio.StreamWriter) -> None:
        """Two bytes for each, which is no part."""
        writer.write(answer(b'{"jsonrpc":"2.0","id":1,"result":{"x":[' + b"1," * 120_000))

    async def on_error(self, writer: asyncio.StreamWriter) -> None:
        """An error of the tool's own."""
        result = {"isError": True, "content": [{"type": "text", "text": "not found " * 1_000}]}
        writer.write(self.reply(self.last_message(), result))


class PatternMcp(HostileMcp):
    """Its tool promises what takes for ever to check."""

    def reply(self, message: dict[str, Any], result: dict[str, Any] | None = None) -> bytes:
        if message.get("method") == "tools/list":
            slow = {"type": "object", "properties": {"a": {"type": "string", "pattern": "^(a+)+$"}}}
            result = {"tools": [TOOL | {"outputSchema": slow}]}
        return super().reply(message, result)


HONEST = f"""
import json, os, sys, time
RESULTS = json.loads({json.dumps(json.dumps(RESULTS))})
def reply(line):
    asked = json.loads(line)
    if "id" in asked:
        known = RESULTS.get(asked["method"])
        what = {{"result": known}} if known else {{"error": {{"code": -32601, "message": "no"}}}}
        print(json.dumps({{"jsonrpc": "2.0", "id": asked["id"], **what}}), flush=True)
    return asked.get("method")
"""
"""The beginning of a command that answers as it should."""

NOTE = '{"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": "x"}}'
COMMANDS = {
    "lines": f"while True: print('{NOTE}')",
    "broken_lines": "while True: print('x')",
    "one_line": "while True: sys.stdout.write('x' * 65536)",
    "many_parts": "print('{\"a\": [' + '[],' * 2_000_000 + '1]}', flush=True); time.sleep(60)",
    "log": "while True: print('y' * 1000, file=sys.stderr)",
    "silence": "time.sleep(60)",
    "death": "os._exit(3)",
}
"""What a command does once it is called."""
