import pytest
from catalog_documents import document, query

from gretel.catalog import Catalog
from gretel.contracts.errors import CatalogError
from lanes import every

VALID = document({"responses": {"200": {"description": "fine"}}})


@pytest.mark.slow
def test_a_valid_document_passes():
    assert len(Catalog.from_openapi(VALID, strict=True)) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "source",
    [
        document({}, info={}),
        {**VALID, "paths": None},
        document({"responses": {}}),
        document({"responses": {"200": {}}}),
        document(query("q", {"type": "strange"})),
    ],
)
def test_an_invalid_document_is_refused_only_if_strict(source):
    Catalog.from_openapi(source)
    with pytest.raises(CatalogError, match="not valid OpenAPI") as raised:
        Catalog.from_openapi(source, strict=True)
    assert "\n" not in str(raised.value)


@pytest.mark.slow
@pytest.mark.parametrize(
    "reference",
    every(
        3,
        [
            "http://127.0.0.1:9/x.json",
            "https://localhost/x",
            "other.yaml#/A",
            "file:///etc/hostname",
            "data:application/json,{}",
            "ftp://127.0.0.1/x",
        ],
    ),
)
def test_no_reference_leaves_the_document(reference, monkeypatch):
    def refuse(*args: object, **kwargs: object) -> None:
        raise AssertionError("something was opened")

    Catalog.from_openapi(VALID, strict=True)  # loads the validator's own files
    monkeypatch.setattr("urllib.request.urlopen", refuse)
    monkeypatch.setattr("jsonschema_path.handlers.urllib.urlopen", refuse, raising=False)
    monkeypatch.setattr("requests.get", refuse, raising=False)
    content = {"application/json": {"schema": {"$ref": reference}}}
    source = document({"responses": {"200": {"description": "fine", "content": content}}})
    assert len(Catalog.from_openapi(source)) == 1
    with pytest.raises(CatalogError, match="external reference"):
        Catalog.from_openapi(source, strict=True)
