"""Catalogues by name: `PATH`, or `PATH@URL`."""

import os
import runpy
from pathlib import Path

import pytest

from gretel.catalog import Catalog
from gretel.contracts.errors import CatalogError, ConfigurationError
from gretel.graph.settings import Settings, load_catalog, make_policy
from gretel.graph.sources import Source, read_source, split_sources

HERE = "http://127.0.0.1:8000"


@pytest.mark.parametrize(
    ("text", "path", "base_url"),
    [
        ("spec.json", "spec.json", None),
        (f"spec.json@{HERE}", "spec.json", HERE),
        ("a/spec.yaml@https://x.org/v1", "a/spec.yaml", "https://x.org/v1"),
        ("spec.json@HTTPS://x.org", "spec.json", "HTTPS://x.org"),
        # Any other @ belongs to the path.
        ("spec@2.json", "spec@2.json", None),
        (f"me@home/spec@2.json@{HERE}", "me@home/spec@2.json", HERE),
        ("spec@http.json", "spec@http.json", None),
        ("spec@127.0.0.1:8000", "spec@127.0.0.1:8000", None),
        ("spec.json@http://ann:word@x.org", "spec.json", "http://ann:word@x.org"),
        (f"odd@http://x@{HERE}", "odd@http:/x", HERE),
        ("spec.json@ftp://ann:word@x.org", "spec.json", "ftp://ann:word@x.org"),
    ],
)
def test_a_source_is_a_path_and_a_base_url(
    text: str, path: str, base_url: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).touch()
    assert read_source(text) == Source(Path(path), base_url)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("https://x.org/openapi.json", "is a URL"),
        ("http://ann:hidden-word@x.org/openapi.json", "is a URL"),
        (f"http://ann:hidden-word@x.org/openapi.json@{HERE}", "is a URL"),
        ("", "names no file"),
        (f"@{HERE}", "names no file"),
        (f"specs/*.json@{HERE}", "is a pattern"),
        ("specs/[ab].json", "is a pattern"),
        ("spec@2.json", "is no file, and holds an @"),
        ("spec.json@https:/ann:hidden-word@x.org", "is no file, and holds an @"),
    ],
)
def test_what_is_no_path_is_one_clear_error(text: str, reason: str) -> None:
    with pytest.raises(CatalogError, match=reason) as raised:
        read_source(text)
    assert "hidden-word" not in str(raised.value) and raised.value.remedy


def test_a_file_whose_name_looks_like_a_pattern_is_a_file(tmp_path: Path) -> None:
    path = tmp_path / "spec[1].json"
    path.write_text("{}")
    assert read_source(f"{path}@{HERE}") == Source(path, HERE)


@pytest.mark.skipif(os.pathsep != ":", reason="lists are separated otherwise here")
@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("", []),
        ("a.json", ["a.json"]),
        ("a.json:b/c.yaml::d", ["a.json", "b/c.yaml", "d"]),
        (f"a.json@{HERE}", [f"a.json@{HERE}"]),
        (f"a.json@{HERE}:b.json", [f"a.json@{HERE}", "b.json"]),
        (f"a.json@{HERE}/v1/x:b@2.json", [f"a.json@{HERE}/v1/x", "b@2.json"]),
        ("a@https://x.org:b@https://y.org:443", ["a@https://x.org", "b@https://y.org:443"]),
        ("a@http://[::1]:8000/v1:b", ["a@http://[::1]:8000/v1", "b"]),
        ("a@http://[::1]:b", ["a@http://[::1]", "b"]),
        ("a@http://x:80b:c", ["a@http://x", "80b", "c"]),
        ("https://x.org:8000/a.json:b", ["https://x.org:8000/a.json", "b"]),
    ],
)
def test_a_list_is_separated_outside_of_urls(text: str, entries: list[str]) -> None:
    assert split_sources(text) == entries


def test_the_environment_names_servers_as_the_command_line_does(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    paths = {"/a": {"get": {"operationId": "find"}}}
    for name in ("bugs", "maps"):
        (tmp_path / f"{name}.json").write_text(
            f'{{"openapi": "3.0.3", "info": {{"title": "FastAPI"}}, "paths": {paths}}}'.replace(
                "'", '"'
            )
        )
    ports = {"bugs": 8000, "maps": 8001}
    named = [f"{tmp_path / name}.json@http://127.0.0.1:{port}" for name, port in ports.items()]
    monkeypatch.setenv("GRETEL_CATALOG", os.pathsep.join(named))
    settings = Settings()
    catalog = load_catalog(settings.catalogs())
    policy = make_policy(catalog, [], None, settings)
    assert {tool.tool_id: policy.server(tool).port for tool in catalog} == {
        "FastAPI@bugs.find": 8000,
        "FastAPI@maps.find": 8001,
    }
    assert [policy.decide(tool) for tool in catalog] == [None, None]


def test_only_what_the_user_names_is_allowed() -> None:
    """A document that names a local server opens nothing."""
    root = {"openapi": "3.0.3", "info": {"title": "T"}, "paths": {"/a": {"get": {}}}}
    own = Catalog.from_openapi({**root, "servers": [{"url": "http://127.0.0.1:9"}]})
    moved = Catalog.from_openapi({**root, "info": {"title": "U"}}, base_url=HERE)
    policy = make_policy(own + moved, [], None, Settings())
    failures = {tool.toolkit: policy.decide(tool) for tool in own + moved}
    assert failures["U"] is None
    assert failures["T"] is not None and failures["T"].kind == "host_not_allowed"


def test_studio_without_a_catalogue_names_the_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GRETEL_CATALOG", raising=False)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigurationError, match=r"^GRETEL_CATALOG: is not set. Name"):
        runpy.run_module("gretel.graph.studio")
