"""A loopback, OpenAI-compatible chat server whose replies a test scripts.

    with LlmServer() as server:
        server.script("plan", text("not JSON"), good({"arguments": {}, ...}))
        model = server.model()

It is strict: a request without the key, the model, proper messages or a valid `response_format`
gets 401 or 400, and a step without a script gets a good reply for any catalogue.
"""

import asyncio
import json
import re
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import jsonschema_rs
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from gretel.llm.model import StructuredModel, open_model
from gretel.llm.sending import ModelLimits
from gretel.text.blocks import MARK
from loopback import Loopback

QUICK = ModelLimits(request_s=5.0, total_s=10.0, wait_s=0.01, wait_max_s=0.05)
DEFAULT_USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
CAPS = ("max_tokens", "max_completion_tokens")
STRICT = {"title", "description", "type", "enum", "properties", "required", "items"} | {
    "additionalProperties"
}
"""Keywords that OpenAI's strict mode takes for certain."""


@dataclass(frozen=True)
class Reply:
    """What the server answers."""

    content: str | None = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    refusal: str | None = None
    finish: str = "stop"
    usage: Mapping[str, Any] | None = field(default_factory=lambda: dict(DEFAULT_USAGE))
    raw: bytes | None = None
    """A whole body, sent as it is."""
    hangs: bool = False
    drops: bool = False
    drips: bool = False


@dataclass(frozen=True)
class Call:
    """One request as it was seen."""

    step: str
    """Title of the schema that the reply is to match: the step that asks."""
    body: Mapping[str, Any]
    headers: Mapping[str, str]

    @property
    def cap(self) -> int | None:
        """Most tokens of the reply, by either name."""
        return self.body.get("max_completion_tokens", self.body.get("max_tokens"))

    @property
    def schema(self) -> Any:
        """The schema on the wire."""
        return self.body["response_format"]["json_schema"]["schema"]

    @property
    def prompt(self) -> str:
        """All messages, one after the other."""
        return "\n\n".join(message["content"] for message in self.body["messages"])

    def block(self, name: str) -> str:
        """The content of one delimited block of the prompt; `""` for an empty one, or none."""
        return block_of(self.prompt, name)


def block_of(prompt: str, name: str) -> str:
    """The content of one delimited block of a prompt; `""` for an empty one, or none."""
    found = re.search(
        rf"^<{name}-{MARK}>\n(.*?)\n</{name}-{MARK}>$", prompt, re.DOTALL | re.MULTILINE
    )
    return found.group(1).removeprefix("(none)") if found else ""


Handler = Callable[[Call], Reply]
Script = Reply | Handler


def good(value: Any, **options: Any) -> Reply:
    """A reply that is this JSON value."""
    return Reply(json.dumps(value, ensure_ascii=False), **options)


def text(content: str, **options: Any) -> Reply:
    """A reply that is this text, JSON or not."""
    return Reply(content, **options)


def fenced(value: Any) -> Reply:
    """JSON in a code fence, with chatter around it."""
    return Reply(f"Sure, here it is:\n```json\n{json.dumps(value)}\n```\nAnything else?")


def refusal(said: str = "I cannot help with that.") -> Reply:
    """A refusal, as structured output reports one."""
    return Reply(None, refusal=said)


def status(code: int, said: str = "scripted", **headers: str) -> Reply:
    """An HTTP error; `retry_after="1"` becomes the header Retry-After."""
    return Reply(said, status=code, headers={k.replace("_", "-"): v for k, v in headers.items()})


def slow(value: Any, seconds: float) -> Reply:
    """A good reply after a while."""
    return good(value, delay_s=seconds)


HANG = Reply(hangs=True)
"""No answer until the server closes."""
DROP = Reply(drops=True)
"""The connection breaks in the middle of the body."""
DRIP = Reply(drips=True)
"""A body of blanks that comes byte by byte and does not end until the server closes."""


class LlmServer(Loopback):
    """The server, in a thread of its own; use as a context manager.

    Attributes:
        requests: every chat request that passed the checks, in order.
        rejected: what was wrong with those that did not.
        peak: most requests under way at a time.
        delay_s: seconds that every reply takes, on top of its own.
        json_schema: whether `response_format` may be a JSON Schema; without it the server answers
            400, as older endpoints do.
        json_mode: the same for `{"type": "json_object"}`.
        strict_mode: whether a schema that is marked as strict must be in OpenAI's strict subset.
        caps: by which names a request must cap its reply; none: no cap is taken.
        keeps_cap: whether a reply that is longer than its cap is cut there.
        keep_alive: whether connections outlive their request; off, so that a test that closes no
            model leaves no socket open.
    """

    def __init__(self, *, api_key: str = "test-key", delay_s: float = 0.0) -> None:
        route = Route("/v1/chat/completions", self._chat, methods=["POST"])
        super().__init__(Starlette(routes=[route]))
        self.api_key = api_key
        self.delay_s = delay_s
        self.json_schema = True
        self.json_mode = True
        self.strict_mode = self.keeps_cap = False
        self.caps = CAPS
        self.keep_alive = False
        self.requests: list[Call] = []
        self.rejected: list[str] = []
        self.peak = 0
        self._under_way = 0
        self._scripts: dict[str, list[Script]] = {}
        self._closing = threading.Event()

    @property
    def url(self) -> str:
        """Base URL for a client."""
        return f"{super().url}/v1"

    def __exit__(self, *exc: object) -> None:
        self._closing.set()
        super().__exit__(*exc)

    def model(self, **options: Any) -> StructuredModel:
        """A model of this server, of little patience; `options` as for `open_model`."""
        options.setdefault("limits", QUICK)
        return open_model("openai:test", base_url=self.url, api_key=self.api_key, **options)

    def script(self, step: str, *replies: Script) -> None:
        """Answer the step with these, one after the other; the last one stays."""
        self._scripts[step] = list(replies)

    def reset(self) -> None:
        """Forget scripts, switches and what was seen."""
        self._scripts.clear()
        self.requests.clear()
        self.rejected.clear()
        self.peak = 0
        self.delay_s, self.keep_alive = 0.0, False
        self.json_schema = self.json_mode = True
        self.strict_mode = self.keeps_cap = False
        self.caps = CAPS

    def asked(self, step: str) -> list[Call]:
        """What one step asked."""
        return [call for call in self.requests if call.step == step]

    async def _chat(self, request: Request) -> Response:
        response = await self._answer(request)
        if not self.keep_alive:
            response.headers["connection"] = "close"
        return response

    async def _answer(self, request: Request) -> Response:
        body = await request.json()
        wrong = self._wrong(request, body)
        if wrong is not None:
            self.rejected.append(str(json.loads(wrong.body)["error"]["message"]))
            return wrong
        call = Call(_step(body), body, dict(request.headers))
        self.requests.append(call)
        self._under_way += 1
        self.peak = max(self.peak, self._under_way)
        try:
            reply = self._next(call)
            reply = _cut(reply, call) if self.keeps_cap else reply
            await self._wait(3600.0 if reply.hangs else reply.delay_s + self.delay_s, request)
            if reply.drips:
                return StreamingResponse(self._drops(), media_type="application/json")
            return _response(reply, body)
        finally:
            self._under_way -= 1

    async def _wait(self, seconds: float, request: Request) -> None:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and not self._closing.is_set():
            await asyncio.sleep(min(left, 0.02))
            if await request.is_disconnected():
                return

    async def _drops(self) -> AsyncIterator[bytes]:
        while not self._closing.is_set():
            yield b" "
            await asyncio.sleep(0.05)

    def _next(self, call: Call) -> Reply:
        scripts = self._scripts.get(call.step) or [GOOD.get(call.step, good({}))]
        script = scripts.pop(0) if len(scripts) > 1 else scripts[0]
        return script if isinstance(script, Reply) else script(call)

    def _wrong(self, request: Request, body: Any) -> JSONResponse | None:
        if request.headers.get("authorization") != f"Bearer {self.api_key}":
            shown = request.headers.get("authorization", "no key")
            return _error(401, f"Incorrect API key provided: {shown}")
        problem = _problem(body, json_schema=self.json_schema, json_mode=self.json_mode)
        problem = problem or _cap_problem(body, self.caps)
        form = body.get("response_format") or {}
        if not problem and self.strict_mode and form.get("json_schema", {}).get("strict"):
            problem = strict_problem(form["json_schema"]["schema"])
        return _error(400, problem) if problem else None


def _cap_problem(body: Any, caps: tuple[str, ...]) -> str | None:
    """As OpenAI and servers of other makers say it."""
    given = [name for name in CAPS if name in body]
    for name in given:
        if name not in caps:
            return f"Unsupported parameter: '{name}' is not supported with this model."
    if len(given) == (1 if caps else 0):
        return None
    return f"one of {' and '.join(caps)} is required, not {given}"


def strict_problem(schema: Any) -> str | None:
    """Why OpenAI's strict mode does not take a schema."""
    if "anyOf" in schema:
        return next(filter(None, map(strict_problem, schema["anyOf"])), None)
    if unknown := schema.keys() - STRICT:
        return f"Invalid schema for response_format: {sorted(unknown)} is not permitted"
    if "type" not in schema and "enum" not in schema:
        return "Invalid schema for response_format: schema must have a 'type' key"
    parts = schema.get("properties", {})
    if schema.get("type") == "object" and (
        schema.get("additionalProperties") is not False or schema.get("required") != [*parts]
    ):
        return "Invalid schema for response_format: 'required' must include every key"
    inner = [*parts.values(), *([schema["items"]] if "items" in schema else [])]
    return next(filter(None, map(strict_problem, inner)), None)


def _cut(reply: Reply, call: Call) -> Reply:
    """The reply as far as its cap goes, at four characters a token."""
    cap, whole = call.cap, reply.content or ""
    if cap is None or len(whole) <= 4 * cap:
        return reply
    usage = {"prompt_tokens": 100, "completion_tokens": cap, "total_tokens": 100 + cap}
    return replace(reply, content=whole[: 4 * cap], finish="length", usage=usage)


def _problem(body: Any, *, json_schema: bool, json_mode: bool) -> str | None:
    if not isinstance(body.get("model"), str):
        return "model is required"
    messages = body.get("messages") or []
    roles = [message.get("role") for message in messages]
    if not roles or set(roles) - {"system", "user", "assistant"} or roles[-1] != "user":
        return f"messages: roles {roles} will not do"
    if not all(isinstance(message.get("content"), str) for message in messages):
        return "messages: content must be text"
    return _format_problem(body.get("response_format"), messages, json_schema, json_mode)


def _format_problem(
    form: Any, messages: list[dict[str, str]], json_schema: bool, json_mode: bool
) -> str | None:
    if form is None:
        return None
    if form["type"] == "json_object":
        said = any("json" in message["content"].lower() for message in messages)
        return None if json_mode and said else "response_format json_object is not supported"
    if form["type"] != "json_schema" or not json_schema:
        return f"response_format {form['type']} is not supported"
    named = form["json_schema"]
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", named.get("name", "")):
        return "response_format: json_schema.name is required"
    if not jsonschema_rs.meta.is_valid(named.get("schema")):
        return "response_format: json_schema.schema is no JSON Schema"
    return None


def _step(body: Mapping[str, Any]) -> str:
    form = body.get("response_format") or {}
    if form.get("type") == "json_schema":
        return str(form["json_schema"]["name"])
    # Without a schema on the wire it stands in the instructions, under the step's title.
    found = re.search(r'"title": "(\w+)"', body["messages"][0]["content"])
    return found.group(1) if found else ""


def _error(code: int, said: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    error = {"message": said, "type": "scripted", "param": None, "code": None}
    return JSONResponse({"error": error}, status_code=code, headers=dict(headers or {}))


def _response(reply: Reply, body: Mapping[str, Any]) -> Response:
    if reply.drops:
        return StreamingResponse(_broken(), headers={"content-length": "5000"})
    if reply.raw is not None:
        return Response(reply.raw, reply.status, reply.headers)
    if reply.status != 200:
        return _error(reply.status, reply.content or "", reply.headers)
    if body.get("stream"):
        return StreamingResponse(_events(reply, body), media_type="text/event-stream")
    return JSONResponse(_completion(reply, body))


async def _broken() -> AsyncIterator[bytes]:
    yield b'{"id": "chatcmpl-1", "object": "chat.comple'
    raise ConnectionResetError("scripted")


def _completion(reply: Reply, body: Mapping[str, Any]) -> dict[str, Any]:
    message = {"role": "assistant", "content": reply.content, "refusal": reply.refusal}
    choice = {"index": 0, "message": message, "finish_reason": reply.finish, "logprobs": None}
    return _head("chat.completion", body) | {"choices": [choice], "usage": reply.usage}


async def _events(reply: Reply, body: Mapping[str, Any]) -> AsyncIterator[bytes]:
    """The reply in three pieces and, where the client asks for it, the usage."""
    whole = reply.content or ""
    cuts = [0, len(whole) // 3, 2 * len(whole) // 3, len(whole)]
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": whole[a:b]} for a, b in zip(cuts, cuts[1:], strict=False)]
    if reply.refusal:
        deltas.append({"refusal": reply.refusal})
    head = _head("chat.completion.chunk", body)
    for delta in deltas:
        choice = {"index": 0, "delta": delta, "finish_reason": None}
        yield _event(head | {"choices": [choice]})
    last = {"index": 0, "delta": {}, "finish_reason": reply.finish}
    yield _event(head | {"choices": [last]})
    if (body.get("stream_options") or {}).get("include_usage") and reply.usage:
        yield _event(head | {"choices": [], "usage": reply.usage})
    yield b"data: [DONE]\n\n"


def _head(kind: str, body: Mapping[str, Any]) -> dict[str, Any]:
    return {"id": "chatcmpl-1", "object": kind, "created": 1, "model": body["model"]}


def _event(value: Mapping[str, Any]) -> bytes:
    return f"data: {json.dumps(value)}\n\n".encode()


def sample_arguments(tool: Mapping[str, Any], request: str) -> dict[str, Any]:
    """A value for each required parameter: default, enum, example, or one of its type."""
    return {p["name"]: _sample(p) for p in tool["parameters"] if p.get("required")}


def _sample(parameter: Mapping[str, Any]) -> Any:
    schema = parameter["schema"]
    for key in ("default", "const"):
        if key in schema:
            return schema[key]
    for listed in (schema.get("enum"), parameter.get("examples")):
        if listed:
            return listed[0]
    kinds = schema.get("type", "string")
    kind = kinds[0] if isinstance(kinds, list) else kinds
    return {"integer": 1, "number": 1.5, "boolean": True, "array": [], "object": {}}.get(kind, "x")


def plans(arguments: Callable[[Mapping[str, Any], str], Mapping[str, Any]]) -> Handler:
    """A planner's replies, with the arguments that a function of tool and request gives."""

    def one(spec: str, request: str) -> dict[str, Any]:
        chosen = arguments(json.loads(spec), request)
        return {"off_topic": False, "arguments": chosen, "quotes": {}}

    def handler(call: Call) -> Reply:
        said, request = call.block("tool"), call.block("request")
        if said.startswith("{"):
            return good(one(said, request))
        several = (line.split(": ", 1) for line in said.splitlines())
        return good({number: one(spec, request) for number, spec in several})

    return handler


def shown_order(call: Call) -> Reply:
    """A re-ranker that leaves the order in which it is shown the candidates."""
    lines = [json.loads(line) for line in call.block("candidates").splitlines()]
    return good({"ranking": [line["candidate"] for line in lines], "reasons": {}})


def first_sentence(call: Call) -> Reply:
    """A rewriter that asks for the beginning of the request."""
    return good({"queries": [call.block("request")[:80]]})


def sample_body(call: Call) -> Reply:
    """A simulator that answers with the example, else with one made-up record."""
    example = call.block("example")
    body = json.loads(example) if example.startswith(("{", "[")) else {"results": [{"id": 1}]}
    return good({"body": body})


GOOD: dict[str, Handler] = {
    "rewrite": first_sentence,
    "plan": plans(sample_arguments),
    "simulate": sample_body,
    "rerank": shown_order,
}
"""Replies for the four steps that suit any catalogue."""
