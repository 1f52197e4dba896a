import json

import pytest
from catalog_documents import document

from gretel.catalog import Catalog
from gretel.contracts.errors import CatalogError

TOOLBENCH = {"tool_name": "Kayak", "api_list": [{"name": "Search"}]}
RECORD = {"tool_id": "a.b", "toolkit": "a", "operation": "b"}


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def ids(path):
    return [tool.tool_id for tool in Catalog.from_path(path)]


def test_the_content_of_a_file_says_what_it_is(tmp_path):
    assert ids(write(tmp_path / "a.json", document({}))) == ["Shop.find"]
    assert ids(write(tmp_path / "a.yaml", "swagger: '2.0'\npaths: {/a: {get: {}}}")) == ["a.get_a"]
    assert ids(write(tmp_path / "t.json", TOOLBENCH)) == ["Kayak.Search"]
    assert ids(write(tmp_path / "r.jsonl", RECORD)) == ["a.b"]
    assert ids(write(tmp_path / "no_suffix", document({}))) == ["Shop.find"]
    assert ids(str(tmp_path / "r.jsonl")) == ["a.b"]


def test_a_folder_with_a_corpus_is_that_corpus(tmp_path):
    write(tmp_path / "corpus.jsonl", {"_id": "x", "text": "X"})
    write(tmp_path / "other.json", document({}))
    assert ids(tmp_path) == ["x.x"]


def test_a_folder_may_mix_documents(tmp_path):
    write(tmp_path / "b" / "shop.json", document({}))
    write(tmp_path / "Travel" / "kayak.json", TOOLBENCH)
    write(tmp_path / "notes.yml", "just: notes")
    write(tmp_path / "readme.md", "nothing")
    catalog = Catalog.from_path(tmp_path)
    assert [(t.tool_id, t.category) for t in catalog] == [
        ("Kayak.Search", "Travel"),
        ("Shop.find", ""),
    ]
    assert catalog["Shop.find"].source == "b/shop.json#/paths/~1things/get"
    assert [row.place for row in catalog.skipped] == ["notes.yml"]


def test_two_documents_of_a_folder_with_the_same_names_are_told_apart(tmp_path):
    for vendor in ("one", "two"):
        write(tmp_path / vendor / "openapi.json", document({"description": vendor}))
    assert ids(tmp_path) == ["Shop@one/openapi.find", "Shop@two/openapi.find"]
    one, two = (Catalog.from_path(tmp_path / v / "openapi.json") for v in ("one", "two"))
    assert [tool.tool_id for tool in one + two] == ids(tmp_path)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ({"a": 1}, "neither an OpenAPI document"),
        ("just a text", "neither an OpenAPI document"),
        ("", "neither an OpenAPI document"),
        ("{", "not JSON"),
    ],
)
def test_a_file_of_no_kind_is_one_clear_error(tmp_path, content, reason):
    path = write(tmp_path / "x.json", content)
    with pytest.raises(CatalogError, match=reason) as raised:
        Catalog.from_path(path)
    assert raised.value.remedy and "\n" not in str(raised.value)


def test_other_encodings_and_missing_paths_are_clear_errors(tmp_path):
    (tmp_path / "x.json").write_bytes(b"\xff\xfe\x00\xd8{}")
    (tmp_path / "x.jsonl").write_bytes(b"\x80\x81")
    for name in ("x.json", "x.jsonl", "missing.json", "missing.jsonl"):
        with pytest.raises(CatalogError):
            Catalog.from_path(tmp_path / name)


def test_a_folder_of_nothing_is_one_clear_error(tmp_path):
    write(tmp_path / "x.json", {"a": 1})
    with pytest.raises(CatalogError, match="no document that describes tools"):
        Catalog.from_path(tmp_path)


@pytest.mark.slow
def test_strict_reaches_the_documents(tmp_path):
    path = write(tmp_path / "x.json", document({}))
    assert len(Catalog.from_path(path)) == 1
    for place in (path, tmp_path):
        with pytest.raises(CatalogError, match="not valid OpenAPI"):
            Catalog.from_path(place, strict=True)
