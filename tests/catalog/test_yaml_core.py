import json
import tracemalloc
from hashlib import sha256

import pytest

from gretel.catalog import Catalog
from gretel.catalog.document import as_json, parse_document
from gretel.catalog.openapi.loading import read_openapi
from gretel.catalog.yaml_core import parse_yaml
from gretel.contracts.errors import CatalogError


@pytest.mark.parametrize(
    ("scalar", "value"),
    [
        ("no", "no"),
        ("yes", "yes"),
        ("on", "on"),
        ("NO", "NO"),
        ("true", True),
        ("False", False),
        ("2024-01-01", "2024-01-01"),
        ("2024-01-01T00:00:00Z", "2024-01-01T00:00:00Z"),
        ("12:30", "12:30"),
        ("1_000", "1_000"),
        ("0123", 123),
        ("0x1F", 31),
        ("0o17", 15),
        ("-4", -4),
        ("1.50", 1.5),
        ("1e3", 1000.0),
        ("1.2.3", "1.2.3"),
        ("~", None),
        ("null", None),
        ("", None),
        ("'5'", "5"),
        ('"true"', "true"),
        ("!!str 5", "5"),
        ('!!int "7"', 7),
        ("!unknown thing", "thing"),
    ],
)
def test_a_scalar_is_what_the_core_schema_says(scalar, value):
    assert parse_yaml(f"key: {scalar}\n", place="x") == {"key": value}


def test_keys_are_text_whatever_they_look_like():
    assert parse_yaml("no: 1\n200: 2\ntrue: 3\n", place="x") == {"no": 1, "200": 2, "true": 3}


def test_merge_keys_are_followed_and_own_keys_win():
    text = "base: &b {x: 1, y: 2}\nother: &o {x: 9, z: 3}\nboth:\n  <<: [*b, *o]\n  y: 4\n"
    assert parse_yaml(text, place="x")["both"] == {"x": 1, "y": 4, "z": 3}


def test_of_equal_keys_the_last_wins():
    assert parse_yaml("a: 1\na: 2\n", place="x") == {"a": 2}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a: [", "not YAML"),
        ("a: b: c", "line 1 column 5"),
        ("\x00", "control characters"),
        ("&a [*a]", "contains itself"),
        ("a: *nobody", "never anchored"),
        ("[" * 5000, "nested deeper"),
        ("- " * 5000 + "x", "nested deeper"),
        ("? [a, b]\n: 1", "key that is not text"),
    ],
)
def test_what_is_no_usable_yaml_is_one_clear_error(text, reason):
    with pytest.raises(CatalogError, match=reason):
        parse_yaml(text, place="x.yaml")


def alias_bomb(width: int = 9, levels: int = 9) -> str:
    lines = [f"a0: &a0 [{', '.join('1' * width)}]"]
    for level in range(levels):
        aliases = ", ".join([f"*a{level}"] * width)
        lines.append(f"a{level + 1}: &a{level + 1} [{aliases}]")
    return "\n".join(lines)


def test_an_alias_bomb_is_refused_and_not_expanded(monkeypatch):
    monkeypatch.setattr("gretel.catalog.document.NODE_LIMIT", 10_000)
    with pytest.raises(CatalogError, match="aliases"):
        as_json(parse_yaml(alias_bomb(), place="bomb.yaml"), place="bomb.yaml")


def test_a_bomb_of_merge_keys_stays_small():
    lines = ["a0: &a0 {x: 1}"]
    for level in range(40):
        lines.append(f"a{level + 1}: &a{level + 1} {{<<: [{', '.join([f'*a{level}'] * 9)}]}}")
    assert parse_document("\n".join(lines), place="x")["a40"] == {"x": 1}


HEAD = "openapi: 3.1.0\ninfo: {title: t}\npaths: {}\n"
LONG = "é" * 100_000


@pytest.mark.parametrize(
    "anchored", [LONG, "e" * 100_000, f"{{? {LONG}\n : 1}}"], ids=["text", "ascii", "key"]
)
def test_a_text_that_many_aliases_repeat_counts_each_time(anchored):
    text = f"{HEAD}x: &a {anchored}\ny: [{','.join(['*a'] * 1_100)}]\n"
    with pytest.raises(CatalogError, match="characters, aliases expanded"):
        Catalog.from_openapi(text.encode())


def test_a_text_that_aliases_repeat_is_kept_once():
    text = f"x: &a {LONG}\nk: &b {{? {LONG}\n : 1}}\ny: [{','.join(['*a', '*b'] * 100)}]\n"
    found = parse_document(text, place="x")["y"]
    assert len({id(each) for each in found[::2]}) == 1
    assert len({id(key) for each in found[1::2] for key in each}) == 1


@pytest.mark.slow
@pytest.mark.parametrize("deep", [0, 9])
def test_such_a_document_is_loaded_in_little_memory(deep):
    text = f"{HEAD}x: &a {LONG}\ny: {'[' * deep}[{','.join(['*a'] * 300)}]{']' * deep}\n"
    tracemalloc.start()
    Catalog.from_openapi(text.encode())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20_000_000


def test_a_document_has_the_digest_of_its_json():
    content = {"openapi": "3.1.0", "paths": {}, "é": [{}, [], [1, {"b": 2, "a": [None, "x"]}], ""]}
    content |= {"z": {"y": {"x": {"w": {"v": {"u": 1, "t": 0.5}}}}}, "": {"": ""}}
    content["x"] = [*range(1_500), "e" * 1_500, [], {"b": [0] * 1_500, "a": ""}, *"é" * 1_500]
    (written,) = read_openapi(content, name="x").documents
    assert written.digest == sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
