import json
from hashlib import sha256

import pytest
from catalog_documents import document, only_tool, query, swagger

from gretel.catalog import Catalog, Skipped
from gretel.catalog.openapi.loading import read_openapi
from gretel.contracts.errors import CatalogError

YAML = """
openapi: 3.1.0
info: {title: Flights, version: 1.0, description: All flights.}
paths:
  /flights:
    get:
      operationId: searchFlights
      summary: Search flights
      description: Search flights by route and date.
      tags: [air, travel]
      deprecated: true
      parameters:
        - {name: from, in: query, required: true, schema: {type: string, default: no}}
"""


def test_a_yaml_document_becomes_a_tool():
    (tool,) = Catalog.from_openapi(YAML)
    assert tool.tool_id == "Flights.searchFlights"
    assert (tool.toolkit, tool.operation, tool.external_id) == (
        "Flights",
        "searchFlights",
        "searchFlights",
    )
    assert tool.description == "Search flights by route and date."
    assert tool.toolkit_description == "All flights."
    assert (tool.category, tool.deprecated) == ("air", True)
    assert tool.source == "document#/paths/~1flights/get"
    assert tool.parameters[0].json_schema["default"] == "no"
    assert (tool.binding.method, tool.binding.path) == ("GET", "/flights")


def test_every_form_of_a_source_gives_the_same_tools(tmp_path):
    content = document(query("q", {"type": "string"}))
    text = json.dumps(content)
    path = tmp_path / "shop.json"
    path.write_text(text)
    digests = {
        Catalog.from_openapi(source).digest
        for source in (content, text, text.encode(), path, str(path))
    }
    assert len(digests) == 1


def test_the_source_names_the_file_and_not_its_folder(tmp_path):
    path = tmp_path / "shop.json"
    path.write_text(json.dumps(document({})))
    (tool,) = Catalog.from_openapi(path)
    assert tool.source == "shop.json#/paths/~1things/get"


def test_the_toolkit_is_the_title_unless_it_is_given(tmp_path):
    path = tmp_path / "my-shop.json"
    path.write_text(json.dumps(document({}, info={})))
    assert [t.toolkit for t in Catalog.from_openapi(path)] == ["my-shop"]
    assert [t.tool_id for t in Catalog.from_openapi(path, toolkit="Other")] == ["Other.find"]


@pytest.mark.parametrize(
    ("method", "path", "name"),
    [
        ("get", "/pets/{id}", "get_pets_by_id"),
        ("post", "/", "post"),
        ("delete", "/v1/a-b/{x.y}", "delete_v1_a-b_by_x.y"),
        ("get", "/v3/{+name}/все", "get_v3_by_name_все"),
    ],
)
def test_an_operation_without_an_id_is_named_by_method_and_path(method, path, name):
    (tool,) = Catalog.from_openapi(document({}, paths={path: {method: {}}}))
    assert tool.operation == name
    assert tool.external_id is None


@pytest.mark.parametrize(
    ("summary", "description", "said"),
    [
        ("List pets", "All of them.", "List pets. All of them."),
        ("List pets.", "All of them.", "List pets. All of them."),
        ("List pets", "List pets of a user.", "List pets of a user."),
        ("List pets", None, "List pets"),
        (None, "All of them.", "All of them."),
        (None, 5, "5"),
        (None, None, ""),
    ],
)
def test_summary_and_description_are_one_text(summary, description, said):
    spec = {"summary": summary, "description": description}
    assert only_tool(document(spec)).description == said


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ({"info": {}, "paths": {}}, "no `openapi` or `swagger`"),
        ([1, 2], "no `openapi` or `swagger`"),
        (None, "no `openapi` or `swagger`"),
        ({"openapi": "4.0.0", "paths": {}}, "version '4.0.0'"),
        ({"swagger": "1.2", "paths": {}}, "version '1.2'"),
        ({"openapi": "3.0.0", "paths": [1]}, "`paths` is not an object"),
    ],
)
def test_what_is_no_openapi_document_is_one_clear_error(content, reason):
    with pytest.raises(CatalogError, match=reason) as raised:
        Catalog.from_openapi(json.dumps(content).encode())
    assert raised.value.remedy and "\n" not in str(raised.value)


@pytest.mark.parametrize("version", ["2.0", 2.0, 2])
def test_a_version_may_be_written_as_a_number(version):
    catalog = Catalog.from_openapi({**swagger({}), "swagger": version})
    assert len(catalog) == 1


def test_a_document_without_paths_is_empty_and_says_so():
    catalog = Catalog.from_openapi({"openapi": "3.1.0", "webhooks": {}})
    assert len(catalog) == 0
    assert "no paths" in catalog.notes[0].detail


def test_path_items_may_be_references():
    item = {"get": {"operationId": "a", "parameters": [{"$ref": "#/components/parameters/P"}]}}
    shared = {"pathItems": {"I": item}, "parameters": {"P": query("q", {})["parameters"][0]}}
    source = document({}, paths={"/a": {"$ref": "#/components/pathItems/I"}}, components=shared)
    assert [p.name for p in only_tool(source).parameters] == ["q"]


def test_one_bad_operation_leaves_the_others():
    paths = {
        "/bad": {"$ref": "elsewhere.yaml"},
        "/worse": {"get": query("q", {"$ref": "#/nope"}, required=True)},
        "/good": {"get": {"operationId": "good"}, "summary": "not a method"},
        "/odd": 5,
        "x-extension": {"get": {}},
    }
    catalog = Catalog.from_openapi(document({}, paths=paths))
    assert [tool.operation for tool in catalog] == ["good"]
    assert catalog.skipped == (
        Skipped(
            "document#/paths/~1bad",
            "external reference 'elsewhere.yaml'",
            "Bundle the documents into one before loading",
        ),
        Skipped(
            "document#/paths/~1worse/get",
            "parameter 'q': broken reference '#/nope'",
            "Add what it points to, or correct it",
        ),
    )


def test_an_operation_that_is_null_still_has_its_path():
    source = document({}, paths={"/ping": {"get": None}})
    assert only_tool(source).operation == "get_ping"


def test_equal_operation_ids_are_told_apart_and_reported():
    paths = {
        "/a": {"get": {"operationId": "x", "tags": ["T"]}, "post": {"operationId": "x"}},
        "/b": {"get": {"operationId": "x", "tags": ["T"]}},
    }
    catalog = Catalog.from_openapi(document({}, paths=paths))
    assert [tool.tool_id for tool in catalog] == [
        "Shop.x@POST:/a",
        "Shop.x@T@GET:/a",
        "Shop.x@T@GET:/b",
    ]
    assert {tool.operation for tool in catalog} == {"x"}
    assert len(catalog.notes) == 3 and "renamed" in catalog.notes[0].detail


@pytest.mark.parametrize("version", ["3.0.0", "3.1.1", "3.2.0"])
def test_versions_3_are_read(version):
    assert len(Catalog.from_openapi(document({}, openapi=version))) == 1


def test_a_document_is_told_apart_by_all_that_it_says(monkeypatch):
    """By the digest of the whole document as JSON, of which a long list is not written by value."""
    written, encode = [], json.JSONEncoder.encode
    monkeypatch.setattr(
        "gretel.catalog.openapi.digest.json.JSONEncoder.encode",
        lambda encoder, value: written.append(1) or encode(encoder, value),
    )
    many = [1, "two", {"b": [3], "a": {}}, []] * 25_000
    content = {**document(query("city", {})), "x-list": many}
    (told,) = read_openapi(content, name="x", strict=False, toolkit=None).documents
    assert told.digest == sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    assert 0 < len(written) < 1_000
