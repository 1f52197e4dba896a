"""`--catalog PATH@URL` and `--toolkit NAME`, in every command that takes them."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_runs import WEATHER, Command
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from loopback import Loopback

REQUEST = "What is the weather forecast for the city of Oslo?"
CANARY = "canary-5f2a91-do-not-leak"


class Guarded(Loopback):
    """A service that answers those who carry its token, and keeps what it was sent."""

    def __init__(self) -> None:
        super().__init__(Starlette(routes=[Route("/{path:path}", self._answer)]))
        self.requests: list[tuple[str, str | None]] = []

    async def _answer(self, request: Request) -> JSONResponse:
        sent = request.headers.get("authorization")
        self.requests.append((request.url.path, sent))
        if sent != f"Bearer {CANARY}":
            return JSONResponse({"detail": "Not authenticated"}, status_code=401)
        return JSONResponse({"celsius": 4})


@pytest.fixture
def service() -> Iterator[Guarded]:
    """A service on loopback."""
    with Guarded() as running:
        yield running


def variable(service: Guarded) -> str:
    """Where its credential is looked for."""
    return f"GRETEL_CREDENTIAL_127_0_0_1_{service.url.rpartition(':')[2]}"


def bare(path: Path, title: str = "FastAPI", **root: object) -> Path:
    """The document without a server."""
    content = {key: value for key, value in WEATHER.items() if key != "servers"}
    path.write_text(json.dumps({**content, "info": {"title": title, "version": "1"}, **root}))
    return path


@pytest.mark.slow
def test_select_calls_the_server_that_is_named(
    gretel: Command, tmp_path: Path, service: Guarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = bare(tmp_path / "spec.json")
    ended = gretel("select", REQUEST, "--catalog", f"{spec}@{service.url}/v1", "--json")
    trials = {trial["tool_id"]: trial for trial in json.loads(ended.out)["trials"]}
    failure = trials["FastAPI.forecast"]["executed"]["failure"]
    assert failure["detail"].partition(" Set ")[2].startswith(f"{variable(service)} (")
    assert service.requests == [("/v1/forecast", None)]

    monkeypatch.setenv(variable(service), CANARY)
    monkeypatch.setenv("GRETEL_CATALOG", f"{spec}@{service.url}")
    ended = gretel("select", REQUEST, "--json")
    best = json.loads(ended.out)["tools"][0]
    assert best["tool_id"] == "FastAPI.forecast"
    assert best["trial"]["executed"]["status"] == "succeeded"
    assert service.requests[1:] == [("/forecast", f"Bearer {CANARY}")]
    assert CANARY not in ended.out + ended.err


def test_doctor_says_what_is_called_and_with_which_variable(
    gretel: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRETEL_CREDENTIAL_127_0_0_1_8000", CANARY)
    spec = bare(tmp_path / "spec.json", servers=[{"url": "/api"}])
    ended = gretel("doctor", "--catalog", f"{spec}@http://127.0.0.1:8000", "--toolkit", "Here")
    assert ended.code == 0, ended.out
    assert "hosts: trials may call: http://127.0.0.1:8000\n" in ended.out
    assert "server: Here: http://127.0.0.1:8000/api\n" in ended.out
    assert (
        "credentials: 127.0.0.1:8000: GRETEL_CREDENTIAL_127_0_0_1_8000 is sent as a bearer token: "
        "no security scheme is declared\n" in ended.out
    )
    assert CANARY not in ended.out + ended.err


def test_titles_that_collide_need_no_option(gretel: Command, tmp_path: Path) -> None:
    one, two = bare(tmp_path / "bugs.json"), bare(tmp_path / "maps.json")
    ended = gretel(
        "doctor",
        *("--catalog", f"{one}@http://127.0.0.1:8000"),
        *("--catalog", f"{two}@http://127.0.0.1:8001"),
    )
    assert ended.code == 0, ended.out
    assert "server: FastAPI@bugs: http://127.0.0.1:8000\n" in ended.out
    assert "server: FastAPI@maps: http://127.0.0.1:8001\n" in ended.out


@pytest.mark.slow
def test_the_nth_name_is_that_of_the_nth_catalogue(gretel: Command, tmp_path: Path) -> None:
    one, two = bare(tmp_path / "a.json"), bare(tmp_path / "b.json")
    catalogs = (
        *("--catalog", f"{one}@http://127.0.0.1:8000"),
        *("--catalog", f"{two}@http://127.0.0.1:8001"),
    )
    ended = gretel("doctor", *catalogs, "--toolkit", "Bugs", "--toolkit", "")
    assert "server: Bugs: http://127.0.0.1:8000\n" in ended.out
    assert "server: FastAPI: http://127.0.0.1:8001\n" in ended.out
    ended = gretel("doctor", "--toolkit", "Maps", *catalogs, "--toolkit", "Bugs")
    assert "server: Maps: http://127.0.0.1:8000\n" in ended.out
    assert "server: Bugs: http://127.0.0.1:8001\n" in ended.out


@pytest.mark.parametrize("command", [("select", "x"), ("index", "--out", "{tmp}"), ("mock",)])
def test_names_that_do_not_fit_are_refused(
    gretel: Command, tmp_path: Path, command: tuple[str, ...]
) -> None:
    one, two = bare(tmp_path / "a.json"), bare(tmp_path / "b.json")
    asked = [part.format(tmp=tmp_path / "index") for part in command]
    ended = gretel(*asked, "--catalog", one, "--catalog", two, "--toolkit", "Bugs")
    assert ended.code == 2
    assert "--toolkit: 1 names for 2 catalogues" in ended.err


@pytest.mark.parametrize("command", [("select", "x"), ("index", "--out", "{tmp}"), ("mock",)])
@pytest.mark.parametrize(
    ("catalog", "said"),
    [
        ("http://ann:hidden-word@x.org/openapi.json", "is a URL, and documents are not downloaded"),
        ("{spec}@http://ann:hidden-word@127.0.0.1:8000", "base URL: is not used: it holds a user"),
        ("{spec}@http://", "base URL: is not used: it names no host"),
        ("*.json@http://127.0.0.1:8000", "is a pattern, which is not expanded"),
    ],
)
def test_a_catalogue_that_cannot_be_used_is_one_clear_error(
    gretel: Command, tmp_path: Path, command: tuple[str, ...], catalog: str, said: str
) -> None:
    asked = [part.format(tmp=tmp_path / "index") for part in command]
    ended = gretel(*asked, "--catalog", catalog.format(spec=bare(tmp_path / "a.json")))
    assert ended.code == 2, ended.out
    assert said in ended.err and len(ended.err.splitlines()) == 1
    assert "hidden-word" not in ended.out + ended.err


def test_index_takes_a_base_url(gretel: Command, tmp_path: Path) -> None:
    spec = bare(tmp_path / "spec.json")
    named = ("--catalog", f"{spec}@http://127.0.0.1:8000")
    ended = gretel("index", *named, "--out", tmp_path / "index", "--toolkit", "Here")
    assert ended.code == 0, ended.err
    pinned = json.loads((tmp_path / "index" / "pins.json").read_text())["tools"]
    assert sorted(pinned) == ["Here.alert", "Here.forecast"]


def test_add_tools_takes_a_base_url(gretel: Command, tmp_path: Path) -> None:
    spec = bare(tmp_path / "spec.json")
    ended = gretel("add-tools", f"{spec}@http://", "--artifact", tmp_path)
    assert ended.code == 2 and "base URL: is not used" in ended.err
    ended = gretel("add-tools", f"{spec}@http://127.0.0.1:8000", "--artifact", tmp_path / "none")
    assert ended.code == 2 and "none" in ended.err and "spec.json" not in ended.err


def test_add_tools_says_what_it_leaves_out(gretel: Command, tmp_path: Path) -> None:
    more = tmp_path / "more.jsonl"
    more.write_text('{"_id": "a", "title": "search", "text": "Ferries"}\n{half\n')
    ended = gretel("add-tools", more, "--artifact", tmp_path / "none")
    assert ended.err.startswith("skipped more.jsonl:2: is not JSON")
