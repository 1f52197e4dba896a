"""One base URL for one source, in place of the servers that its documents name."""

import json

import pytest
from catalog_documents import document, swagger

from gretel.catalog import Catalog
from gretel.contracts.errors import CatalogError

HERE = "http://127.0.0.1:8000"


def servers(source, base_url=HERE):
    return {tool.binding.servers for tool in Catalog.from_openapi(source, base_url=base_url)}


def at(url):
    return document({}, servers=[{"url": url}])


@pytest.mark.parametrize(
    ("source", "server"),
    [
        (document({}), HERE),
        (swagger({}), HERE),
        (at("https://api.example.com"), HERE),
        (at("https://api.example.com/"), HERE),
        (at("/"), HERE),
        (swagger({}, basePath="/"), HERE),
        # The document's own base path stays.
        (at("/api/v3"), f"{HERE}/api/v3"),
        (at("api/v3/"), f"{HERE}/api/v3"),
        (at("./api?x=1#y"), f"{HERE}/api"),
        (at("https://api.example.com/v1"), f"{HERE}/v1"),
        (at("{scheme}://{host}:{port}/v1"), f"{HERE}/v1"),
        (swagger({}, basePath="/api"), f"{HERE}/api"),
        (swagger({}, host="api.example.com", basePath="/api"), f"{HERE}/api"),
    ],
)
def test_a_base_url_without_a_path_says_where_the_service_is(source, server):
    assert servers(source) == {(server,)}


@pytest.mark.parametrize("own", [f"{HERE}/v2", f"{HERE}/", "https://example.com/v1/"])
@pytest.mark.parametrize(
    "source", [document({}), at("/v1"), at("https://x.org/api"), swagger({}, basePath="/api")]
)
def test_a_base_url_with_a_path_says_all(source, own):
    assert servers(source, own) == {(own,)}


def test_a_base_path_that_is_not_used_is_reported():
    def details(source, base_url):
        return [note.detail for note in Catalog.from_openapi(source, base_url=base_url).notes]

    unused = "/v1 is not used: the base URL has its own path"
    assert details(at("/v1"), f"{HERE}/") == [unused]
    assert details(at("https://x.org/v1"), f"{HERE}/v2") == [unused]
    assert details(at("/v1"), f"{HERE}/v1/") == details(at("/v1"), HERE) == []


def test_every_server_of_the_document_is_replaced():
    """Those of a path or an operation as well: only the user says who is called."""
    paths = {
        "/a": {"get": {"servers": [{"url": "https://uploads.example.com/u"}]}},
        "/b": {"servers": [{"url": "https://other.example.com"}], "get": {}},
        "/c": {"get": {}},
    }
    source = document({}, paths=paths, servers=[{"url": "https://a.example"}, {"url": "/b"}])
    assert servers(source) == {(f"{HERE}/u",), (HERE,)}


@pytest.mark.parametrize(
    "url", ["//evil.example/x", "https:////evil.example/x", "///evil.example", "/\\evil.example"]
)
def test_a_document_cannot_lead_away_from_it(url):
    ((server,),) = servers(at(url))
    assert server == HERE or server.startswith(f"{HERE}/")


@pytest.mark.parametrize(
    "base_url",
    [
        "127.0.0.1:8000",
        "",
        "/api",
        "ftp://127.0.0.1",
        "file:///etc/passwd",
        "http://",
        "http://:8000",
        "http://h:0",
        "http://h:99999",
        "http://h:x",
        "http://[::1",
        "http://a b",
        "http://h\\@x",
        "http://h/{tool_id}",
        "http://h?x=1",
        "http://h#x",
        "http://ann:hidden-word@h",
        f"http://h/{'a' * 2_000}",
    ],
)
def test_an_unusable_base_url_is_one_clear_error(base_url):
    with pytest.raises(CatalogError) as raised:
        Catalog.from_openapi(document({}), base_url=base_url)
    assert raised.value.field == "base URL" and "http://127.0.0.1:8000" in raised.value.remedy
    assert "hidden-word" not in str(raised.value) and len(str(raised.value)) < 300


def test_a_file_and_a_folder_take_one(tmp_path):
    for name in ("shop.json", "more.json"):
        (tmp_path / name).write_text(json.dumps(document({}, info={"title": name})))
    (tmp_path / "kayak.json").write_text('{"tool_name": "Kayak", "api_list": [{"name": "S"}]}')
    one = Catalog.from_path(tmp_path / "shop.json", base_url=HERE)
    assert [tool.binding.servers for tool in one] == [(HERE,)]
    assert one.base_urls == {HERE}
    catalog = Catalog.from_path(tmp_path, base_url=HERE)
    assert [getattr(tool.binding, "servers", None) for tool in catalog] == [None, (HERE,), (HERE,)]


def test_rows_that_are_operations_take_one(tmp_path):
    meta = {"api_title": "Shop", "method": "get", "path": "/a", "servers": ["https://x.org/v1"]}
    row = {"_id": "x::1", "title": "t", "text": "t", "metadata": meta}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row))
    (tool,) = Catalog.from_path(tmp_path / "rows.jsonl", base_url=HERE)
    assert tool.binding.servers == (f"{HERE}/v1",)


def test_what_is_not_called_over_http_takes_none(tmp_path):
    (tmp_path / "kayak.json").write_text('{"tool_name": "Kayak", "api_list": [{"name": "S"}]}')
    with pytest.raises(CatalogError, match="nothing that a base URL") as raised:
        Catalog.from_path(tmp_path / "kayak.json", base_url=HERE)
    assert "--base-url" in raised.value.remedy


def test_a_catalogue_knows_what_the_user_named_and_nothing_else():
    moved = Catalog.from_openapi(document({}), base_url=HERE)
    plain = Catalog.from_openapi(at("http://127.0.0.1:9000"), toolkit="Other")
    assert (moved + plain).base_urls == (plain + moved).base_urls == {HERE}
    assert plain.base_urls == frozenset()
    assert Catalog().add(moved).base_urls == {HERE}


@pytest.mark.parametrize("load", [Catalog.from_openapi, Catalog.from_path])
@pytest.mark.parametrize(
    "url",
    [
        *("https://ann:hidden-word@x.org/openapi.json", "HTTP://x.org/a"),
        *("ftp://ann:hidden-word@x.org/openapi.yaml", "file:///srv/openapi.json"),
    ],
)
def test_a_url_is_no_file(load, url):
    with pytest.raises(CatalogError, match="is a URL, and documents are not downloaded") as raised:
        load(url)
    assert "hidden-word" not in str(raised.value) and "FILE@URL" in raised.value.remedy
