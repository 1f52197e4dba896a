import json
import threading

import pytest

from gretel.catalog.bounds import RECORD_LIMIT
from gretel.catalog.document import as_json, decode, parse_document, parse_json, read_bytes
from gretel.contracts.errors import CatalogError
from gretel.sandbox.network import body


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_text_is_decoded_as_its_first_bytes_say(encoding):
    assert decode('{"naïve": "день"}'.encode(encoding), place="x") == '{"naïve": "день"}'


def test_other_bytes_are_refused_with_the_remedy():
    with pytest.raises(CatalogError, match="Save it in UTF-8"):
        decode("café".encode("latin-1"), place="x")


def test_a_missing_file_and_a_folder_cannot_be_read(tmp_path):
    for path in (tmp_path / "nothing.json", tmp_path):
        with pytest.raises(CatalogError, match="cannot be read"):
            read_bytes(path)


def test_a_path_with_a_null_byte_cannot_be_read(tmp_path):
    with pytest.raises(CatalogError, match="cannot be read"):
        read_bytes(tmp_path / "a\0b")


def test_a_file_beyond_the_limit_is_not_opened(tmp_path, monkeypatch):
    monkeypatch.setattr("gretel.catalog.document.SIZE_LIMIT", 10)
    (tmp_path / "big.json").write_text("[" + "1," * 100 + "1]")
    with pytest.raises(CatalogError, match="larger than"):
        read_bytes(tmp_path / "big.json")


def test_numbers_that_json_cannot_say_become_null():
    text = '{"a": NaN, "b": Infinity, "c": 1e999, "d": 1.5}'
    assert parse_json(text, place="x") == {"a": None, "b": None, "c": None, "d": 1.5}


def test_half_a_character_is_replaced():
    value = parse_json('{"a\\ud800": "b\\udfff"}', place="x")
    assert json.dumps(value, ensure_ascii=False).encode()
    assert value == {"a?": "b?"}


@pytest.mark.parametrize(
    "text", ["[" * 100_000, "[" * 500 + "]" * 500, '{"a":' * 300 + "1" + "}" * 300]
)
def test_deep_nesting_is_one_clear_error(text):
    with pytest.raises(CatalogError, match="nested deeper"):
        parse_document(text, place="x.json")


def test_a_number_of_thousands_of_digits_is_one_clear_error():
    with pytest.raises(CatalogError, match="digits"):
        parse_json("9" * 5000, place="x")


@pytest.mark.parametrize("read", [lambda text: parse_json(text, place="x"), body.parse_json])
def test_other_threads_get_turns_while_json_is_read(read, monkeypatch):
    text = json.dumps([{"name": str(number)} for number in range(190_000)])
    turns, taken, ended = 0, 0, threading.Event()

    def take_turns() -> None:
        nonlocal turns
        while not ended.wait(0.001):
            turns += 1

    def counted(text: str, **hooks: object) -> object:
        nonlocal taken
        before = turns
        value = loads(text, **hooks)
        taken += turns - before
        return value

    loads = json.loads
    monkeypatch.setattr(json, "loads", counted)
    other = threading.Thread(target=take_turns)
    other.start()
    read(text)
    ended.set()
    other.join()
    assert taken > 3  # without a call of ours one at most, before it begins


def test_empty_lists_by_the_million_are_refused_before_they_take_memory(monkeypatch):
    monkeypatch.setattr(json, "loads", lambda *args, **hooks: pytest.fail("it was read"))
    text = f"[{'[],' * RECORD_LIMIT}[]]"
    with pytest.raises(CatalogError, match="more than 1,500,000 lists and objects"):
        parse_json(text, place="x")


def test_yaml_in_braces_is_still_read():
    assert parse_document("{a: 1, b: [x, no]}", place="x.yaml") == {"a": 1, "b": ["x", "no"]}


def test_broken_json_says_where():
    with pytest.raises(CatalogError, match="line 2 column 6"):
        parse_document('{\n"a": }', place="x.json")


def test_python_values_become_plain_json():
    class Odd:
        def __str__(self) -> str:
            return "odd"

    given = {1: (1, 2), "n": float("nan"), "o": Odd(), "t": True}
    assert as_json(given, place="x") == {"1": [1, 2], "n": None, "o": "odd", "t": True}


def test_a_mapping_that_contains_itself_is_refused():
    loop: dict[str, object] = {}
    loop["self"] = loop
    with pytest.raises(CatalogError, match="nested deeper"):
        as_json(loop, place="x")
