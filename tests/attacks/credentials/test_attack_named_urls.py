"""A password or key in a URL that the user named stands in no error, log, report or record."""

import json
import logging
import traceback
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from gretel.catalog import Catalog
from gretel.cli.app import app
from gretel.contracts.errors import CatalogError, ConfigurationError, GretelError
from gretel.contracts.ranking import Message
from gretel.graph.sources import read_source, split_sources
from gretel.integrations.mcp import McpServers
from gretel.integrations.mcp_secrets import secrets_of
from gretel.llm.connections import without_user
from gretel.llm.model import open_model
from gretel.nodes.unbroken import unbroken
from gretel.sandbox.layers import network_layers
from gretel.sandbox.permission.policy import Policy
from gretel.text.foreign import excerpt
from gretel.text.redact import Redactor
from lanes import every
from llm_server import QUICK, LlmServer, good, status

WORD = "hunter2x"
URLS = [
    f"http://user:{WORD}@proxy.example:3128",
    # of another host and port, as parsers read it
    f"http://user:{WORD}#x@proxy.example:3128",
    f"http://user:{WORD}?x@proxy.example:3128",
    f"http://user:{WORD}/x@proxy.example:3128",
    f"http://user:5#{WORD}@proxy.example:3128",
    f"http://user:5?{WORD}@proxy.example:3128",
    f"http://user:5/{WORD}@proxy.example:3128",
    f"http://proxy.example:{WORD}",
    f"http://:{WORD}@proxy.example",
    f"http://user:{WORD}\\@proxy.example:1",
    f"user:{WORD}@proxy.example:3128",
    f"http://u[ser:{WORD}@proxy.example",
    f"http://us\u2100er:{WORD}@proxy.example",
    f"http://user%3A{WORD}%40proxy.example",
    f"http://user:{WORD}%40proxy.example",
    f"http://{WORD}%40proxy.example/v1",
    f"user:{WORD}%40proxy.example",
    f"user:{WORD}\uff20proxy.example",
    f"user:{WORD}\ufe6bproxy.example",
]
FIELDS: dict[str, Callable[[str], Policy]] = {
    "proxy": lambda url: Policy(proxy=url),
    "base URL": lambda url: Policy(base_url=url),
    "base URLs": lambda url: Policy(base_urls=frozenset({url})),
    "host": lambda url: Policy(frozenset({url})),
}


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("url", URLS)
def test_a_password_in_a_url_is_refused_and_not_repeated(field: str, url: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        FIELDS[field](url)
    shown = repr(caught.value) + str(caught.value)
    if field == "host" and "proxy.example:" in url and "@" not in url:
        return  # a port that is none is the user's to see
    assert WORD not in shown and caught.value.__cause__ is None


@pytest.mark.parametrize(
    ("url", "name", "as_json"),
    # each URL once, by turns of where it stands and of how it is shown
    every(4, zip(URLS, cycle(["GRETEL_PROXY", "GRETEL_BASE_URL"]), cycle([False, False, True]))),
)
def test_doctor_shows_no_password_of_a_url(
    url: str, name: str, as_json: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    lines = [{"name": "find", "description": "Find.", "parameters": {"type": "object"}}]
    monkeypatch.setenv(name, url)
    named = CATALOG.format(tmp_path)
    with open(named, "w") as file:
        file.writelines(json.dumps(line) for line in lines)
    command = ["doctor", "--catalog", named, *(["--json"] if as_json else [])]
    result = CliRunner().invoke(app, command)
    assert "sandbox" in result.output or result.exit_code
    assert WORD not in result.output + repr(result.exception)


@pytest.mark.parametrize(
    "url", [url for url in URLS[1:] if not url.startswith("http://:") and "%40" not in url]
)
def test_a_models_url_that_reads_otherwise_is_refused(url: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        open_model("openai:x", base_url=url, api_key="x")
    assert WORD not in repr(caught.value) and caught.value.__cause__ is None


MISTYPED = (
    f"x.yaml@https:/user:{WORD}@host",
    f"x.yaml@http:user:{WORD}@host",
    f"x.yaml@//user:{WORD}@host",
    f"x.yaml@user:{WORD}@host",
    f"x.yaml@ https://user:{WORD}@host",
    f"x.yaml@HTTPS:\\\\user:{WORD}@host",
    f"x*.yaml@https:/user:{WORD}@host",
)


@pytest.mark.parametrize(
    "text", [*MISTYPED, f"x.yaml@https://user:{WORD}@host", f"https://user:a:{WORD}@host/x.yaml"]
)
def test_no_catalogue_that_was_typed_wrong_is_repeated(text: str, tmp_path: Path) -> None:
    for entries in ([text], split_sources(text)):
        with pytest.raises(CatalogError) as caught:
            sources = [read_source(entry) for entry in entries]  # all of them before one is read
            [Catalog.from_path(path, base_url=url) for path, url, _ in sources]
        assert WORD not in repr(caught.value) + str(caught.value) + caught.value.remedy


def test_a_file_whose_name_holds_an_at_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "me@home.yaml").touch()
    assert read_source(f"{tmp_path}/me@home.yaml").path == tmp_path / "me@home.yaml"


CATALOG = "{}/tools.jsonl"


def test_a_proxy_is_shown_by_its_origin() -> None:
    shown = [layer.detail for layer in network_layers(Policy(proxy=f"http://p.example:1/{WORD}?k"))]
    assert any("through http://p.example:1" in each for each in shown)
    assert not any(WORD in each for each in shown)


class SignedInServer(LlmServer):
    """Wants a name and a password in place of a key."""

    def _wrong(self, request: Any, body: Any) -> None:
        assert request.headers["authorization"].startswith("Basic ")


@pytest.mark.slow
async def test_a_models_url_is_logged_without_its_password(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    with SignedInServer() as server:
        server.script("say", good({"ok": True}), status(400, f"no user kari.nord with {WORD}"))
        url = server.url.replace("http://", f"http://kari.nord:{WORD}@")
        model = open_model("openai:test", base_url=url, api_key="k", limits=QUICK)
        heard: list[str] = []
        for _ in range(2):
            try:
                said = await model.reply(
                    [Message(role="user", content="x")], {"type": "object"}, repr, step="say"
                )
                heard.append(repr(said))
            except GretelError as error:
                heard.append(f"{error!r} {error.__cause__!r} {error.__context__!r}")
        await model.aclose()
        assert len(server.requests) > 1
    assert WORD not in caplog.text + str(heard)


def test_a_models_url_without_a_user_is_as_it_was() -> None:
    assert without_user("http://h.example/v1") == ("http://h.example/v1", None)
    assert without_user(None) == (None, None)
    assert without_user("http://u:p%40q@h.example:8/v1") == (
        "http://h.example:8/v1",
        ("u", "p@q"),
    )


def test_a_key_in_the_path_of_an_mcp_server_is_known() -> None:
    key = "Zx9KqvTr8Lm5Pd2Qw7Bn"
    with Redactor().during(secrets_of(f"https://mcp.example/api/streamable-mcp-server/{key}/mcp")):
        assert excerpt(f"no route {key}") != f"no route {key}"
        assert excerpt("streamable-mcp-server") == "streamable-mcp-server"


class BreakingSimulator:
    """A step of the caller's own, whose error repeats what it was given."""

    async def simulate(self, *given: object, **named: object) -> None:
        raise RuntimeError(f"POST https://me:{WORD}@own.example \x1b]0;x\x07 api_key={'q7Zk' * 6}")


@pytest.mark.parametrize("step", ["plan", "execute", "simulate", "record"])
async def test_the_error_of_a_broken_step_is_noted_without_secrets(step: str) -> None:
    async def broken(state: object, *, runtime: object) -> None:
        await BreakingSimulator().simulate()

    state: Any = {
        "candidate": {"tool_id": "a.b", "score": 0.5, "rank": 1},
        "round": 1,
        "request": {},
    }
    update = await unbroken(step, broken)(state, runtime=None)  # type: ignore[arg-type]
    shown = json.dumps(update)
    assert "broke: RuntimeError" in shown
    for secret in (WORD, "q7Zkq7Zk", "\\u001b"):
        assert secret not in shown


@pytest.mark.parametrize(
    "typed",
    [
        f"https//me:{WORD}@own.example/mcp",
        f"https:/me:{WORD}@own.example/mcp",
        f"me:{WORD}@own.example:8080/mcp",
        f"me:{WORD}%40own.example/mcp",
        f"https://me%3A{WORD}%40own.example/mcp",
        f"https://me:{WORD}@own.example/mcp",
    ],
)
async def test_no_server_that_was_typed_wrong_is_repeated(typed: str) -> None:
    """Without `://` it is taken for a command, which there is not."""
    with pytest.raises(GretelError) as caught:
        await McpServers({"own": typed}).catalog()
    assert WORD not in "".join(traceback.format_exception(caught.value))
