"""What rows that were skipped repeat of a document: a secret is found before it is cut."""

import json

import pytest

from gretel.catalog import Catalog
from gretel.catalog.openapi import loading

KEY = f"ghp_{'Ab3dEf6hIj9k' * 3}"


def skipped() -> str:
    """Why the one operation of a document is none; its schema leads to what a key is called."""
    schema = {"$ref": f"#/{'c' * 174}/{KEY}"}
    asked = [{"name": "x", "in": "query", "required": True, "schema": schema}]
    paths = {"/a": {"get": {"parameters": asked, "responses": {}}}}
    head = {"openapi": "3.0.0", "info": {"title": "T"}}
    (row,) = Catalog.from_openapi(json.dumps({**head, "paths": paths})).skipped
    return row.reason


def test_a_reference_is_cut_behind_its_secrets() -> None:
    assert "broken reference" in skipped()
    assert KEY[:10] not in skipped()


def test_an_exception_is_cut_behind_its_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> None:
        raise RuntimeError(f"{'c' * 175} {KEY}")

    monkeypatch.setattr(loading, "_tool", broken)
    assert "RuntimeError" in skipped()
    assert KEY[:10] not in skipped()
