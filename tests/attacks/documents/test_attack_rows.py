"""Hostile rows, listings, folders and patterns; what no OpenAPI document has."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from fakes import failure as failure_of
from fakes import param, plan, tool
from gretel.catalog import Catalog
from gretel.catalog.arguments import argument_problems
from gretel.catalog.formats.row import Row
from gretel.catalog.formats.rows import read_row
from gretel.catalog.references import UnusableError
from gretel.contracts.errors import CatalogError
from gretel.contracts.tool import Response
from gretel.llm.reading import problems
from gretel.nodes.simulate.schema import SchemaSimulator, _violations
from gretel.validation import compile_schema

FAN: dict[str, Any] = {
    "type": "object",
    "properties": {"a": {"$ref": "#/$defs/L0"}},
    "$defs": {
        **{
            f"L{level}": {"properties": {name: {"$ref": f"#/$defs/L{level + 1}"} for name in "xyz"}}
            for level in range(30)
        },
        "L30": {"type": "string"},
    },
}
TOOLLENS = ", tool_name:t, api_name:a, api_description:d, required_params: [], optional_params: []"


def toolbench(**parameter: Any) -> dict[str, Any]:
    """A ToolBench API with one parameter."""
    return {
        "tool_name": "t",
        "api_name": "a",
        "required_parameters": [{"name": "p", **parameter}],
    }


LINES: dict[str, tuple[str, int]] = {
    "no-object": ("[1, 2]", 0),
    "deep": ("[" * 100_000, 0),
    "digits": ('{"text": ' + "9" * 10_000 + "}", 0),
    "no-json": ("{'text': 1}", 0),
    "null-bytes": ("\0" * 1_000, 0),
    "fan": (json.dumps({"name": "f", "parameters": FAN}), 1),
    "mcp-fan": (json.dumps({"name": "f", "inputSchema": FAN, "outputSchema": FAN}), 1),
    "mcp-external": (
        json.dumps({"name": "f", "inputSchema": {"$ref": "http://169.254.169.254/"}}),
        0,
    ),
    "sample-deep": (json.dumps(toolbench(type="ARRAY", default="[" * 100_000)), 1),
    "sample-infinite": (json.dumps(toolbench(type="NUMBER", default="1e999")), 1),
    "sample-infinite-integer": (json.dumps(toolbench(type="INTEGER", default="-1e999")), 1),
    "sample-digits": (json.dumps(toolbench(type="NUMBER", default="9" * 10_000)), 1),
    "answer-external": (json.dumps({**toolbench(), "schema": {"$ref": "file:///etc/passwd"}}), 1),
    "repeated-text": (json.dumps({"_id": "1", "text": "category_name:c" + TOOLLENS * 3_000}), 0),
    "record-bidi": (json.dumps(tool("a.b\u202ec").model_dump(mode="json")), 0),
    "record-control": (json.dumps(tool("a.b\x1bc").model_dump(mode="json")), 0),
    "record-blank": (json.dumps(tool("a.b c").model_dump(mode="json")), 0),
    "record-long": (json.dumps(tool("a." + "b" * 10_000).model_dump(mode="json")), 0),
    "record-parameters": (
        json.dumps(tool("a.b", params=[f"p{n}" for n in range(1_001)]).model_dump(mode="json")),
        0,
    ),
    "record-external": (
        json.dumps(
            tool("a.b", params=[param("q", {"$ref": "http://169.254.169.254/"})]).model_dump(
                mode="json"
            )
        ),
        1,
    ),
    "record-of-another-kind": (json.dumps({"tool_id": 5, "binding": {"kind": "shell"}}), 0),
}


@pytest.mark.parametrize("name", LINES)
def test_a_hostile_line_is_a_tool_or_a_skipped_row(name: str, tmp_path: Path) -> None:
    line, tools = LINES[name]
    (tmp_path / "tools.jsonl").write_text(
        json.dumps({"_id": "fine", "title": "fine", "text": "A tool."}) + "\n" + line + "\n"
    )
    catalog = Catalog.from_jsonl(tmp_path / "tools.jsonl")

    assert (len(catalog), len(catalog.skipped)) == (1 + tools, 1 - tools)
    for found in catalog:
        assert len(found.model_dump_json()) < 1_000_000
        argument_problems(found, {"q": "x", "p": 1, "a": {}})


@pytest.mark.slow
def test_many_lines_that_each_unfold_share_one_pool(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gretel.catalog.bounds.UNFOLDED", 50_000)
    rows = (json.dumps({"name": f"f{number}", "inputSchema": FAN}) for number in range(500))
    (tmp_path / "tools.jsonl").write_text("\n".join(rows))
    catalog = Catalog.from_jsonl(tmp_path / "tools.jsonl")

    assert len(catalog) == 500
    assert sum(len(found.model_dump_json()) for found in catalog) < 5_000_000


def test_so_many_lines_are_one_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gretel.catalog.report.ENTRY_LIMIT", 1_000)
    (tmp_path / "tools.jsonl").write_text('{"title": "a", "text": "b"}\n' + "1\n" * 2_000)
    with pytest.raises(CatalogError, match="more than 1,000 operations or rows"):
        Catalog.from_jsonl(tmp_path / "tools.jsonl")


@pytest.mark.parametrize(
    "row",
    [
        {"name": "f", "parameters": {"type": "object", "properties": {"a": {"enum": [1] * 50}}}},
        {"api_name": "f", "parameters": {"a": {"type": "int", "enum": [1] * 50}}},
        {"api_name": "f", "parameters": {}, "responses": {f"p{n}": {} for n in range(50)}},
        {"unknown": [1] * 50},
    ],
    ids=["a schema", "fields", "answers", "no tool"],
)
def test_lines_hold_no_more_values_together_than_a_document(
    row: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each may be as large as a line may be, and a file has 100,000 lines."""
    monkeypatch.setattr("gretel.catalog.formats.lines.NODE_LIMIT", 2_000)
    path = tmp_path / "tools.jsonl"
    path.write_text('{"title": "a", "text": "b"}\n' + (json.dumps(row) + "\n") * 15)
    assert len(Catalog.from_jsonl(path)) > 0
    path.write_text((json.dumps(row) + "\n") * 60)
    with pytest.raises(CatalogError, match="tools.jsonl: holds more than 2,000 values"):
        Catalog.from_jsonl(path)


def test_a_text_of_many_marks_is_read_in_one_pass() -> None:
    """Six open groups in one pattern took seconds for 40 repetitions."""
    row = Row({"_id": "1", "text": "category_name:c" + TOOLLENS * 20_000}, "x")
    with pytest.raises(UnusableError, match="cut or out of order"):
        read_row(row)


LISTINGS: dict[str, Any] = {
    "fan": {"tools": [{"name": f"f{n}", "inputSchema": FAN} for n in range(300)]},
    "names": {"tools": [{"name": name, "inputSchema": {}} for name in ("", "\u202e", "a\nb")]},
    "no-tools": {"tools": [None, 1, "x", [], {}]},
    "hint-of-another-kind": {"tools": [{"name": "a", "annotations": {"readOnlyHint": "yes"}}]},
    "same-name": {"tools": [{"name": "a", "description": str(n)} for n in range(2)]},
}


@pytest.mark.parametrize("name", LISTINGS)
def test_a_hostile_mcp_listing_is_bounded(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gretel.catalog.bounds.UNFOLDED", 50_000)  # in all is seconds of work
    try:
        catalog = Catalog.from_mcp(LISTINGS[name], server="s")
    except CatalogError as error:
        assert error.remedy
        return
    except ValueError as error:
        assert "different tools have this id" in str(error)
        return
    for found in catalog:
        assert len(found.model_dump_json()) < 300_000
        assert found.tool_id.isprintable()
        assert getattr(found.binding, "read_only", False) is not True


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_folder_may_hold_pipes_and_devices(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "endless.yaml").symlink_to("/dev/zero")
    (tmp_path / "loop.json").symlink_to(tmp_path / "loop.json")
    (tmp_path / "fine.json").write_text('{"openapi": "3.1.0", "paths": {"/a": {"get": {}}}}')

    assert len(Catalog.from_path(tmp_path)) == 1


def test_no_link_of_a_folder_leads_to_documents_elsewhere(tmp_path: Path) -> None:
    elsewhere, folder = tmp_path / "private", tmp_path / "folder"
    for each, path in ((elsewhere, "/mine"), (folder, "/a")):
        each.mkdir()
        (each / "fine.json").write_text(
            json.dumps({"openapi": "3.1.0", "paths": {path: {"get": {}}}})
        )
    (folder / "link.json").symlink_to(elsewhere / "fine.json")
    (folder / "folder").symlink_to(elsewhere)
    (folder / "other.json").symlink_to(folder / "fine.json")

    loaded = Catalog.from_path(folder)

    assert {getattr(each.binding, "path", "") for each in loaded} == {"/a"}
    assert "leads out of its folder" in " ".join(map(str, loaded.skipped))
    (folder / "corpus.jsonl").symlink_to(elsewhere / "fine.json")
    with pytest.raises(CatalogError, match="leads out of its folder"):
        Catalog.from_path(folder)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
@pytest.mark.parametrize("written", [False, True], ids=["nobody writes", "somebody waits"])
def test_a_pipe_that_brings_nothing_is_not_waited_for(
    written: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gretel.catalog.document._PIPE_S", 0.01)
    os.mkfifo(tmp_path / "pipe.json")
    ends = [os.open(tmp_path / "pipe.json", os.O_RDWR)] if written else []
    with pytest.raises(CatalogError, match="nothing comes" if written else "is neither"):
        Catalog.from_path(tmp_path / "pipe.json")
    assert [os.close(end) for end in ends] == [None] * written


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_that_brings_a_document_is_read(tmp_path: Path) -> None:
    """As the shell makes them: `--catalog <(curl …)`."""
    os.mkfifo(tmp_path / "pipe.json")
    end = os.open(tmp_path / "pipe.json", os.O_RDWR | os.O_NONBLOCK)
    os.write(end, b'{"openapi": "3.1.0", "paths": {"/a": {"get": {}}}}')
    reader = os.open(tmp_path / "pipe.json", os.O_RDONLY | os.O_NONBLOCK)
    os.close(end)
    assert len(Catalog.from_path(Path(f"/dev/fd/{reader}"))) == 1
    os.close(reader)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="the system has no endless file")
def test_a_file_without_end_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gretel.catalog.document.SIZE_LIMIT", 1_000_000)
    with pytest.raises(CatalogError, match="larger than"):
        Catalog.from_openapi(Path("/dev/zero"))


PATTERNS = {
    "nested-plus": ("^(a+)+$", "a" * 200 + "!"),
    "nested-star": ("^(a*)*$", "a" * 200 + "!"),
    "alternation": ("^(a|a)*$", "a" * 200 + "!"),
    "alternation-prefix": ("^(a|aa)+$", "a" * 200 + "!"),
    "dots": ("^(.*)*x$", "a" * 200),
    "words": (r"^(\w+\s?)*$", "word " * 100 + "!"),
    "email": (r"^([a-zA-Z0-9])(([\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}$", "a" * 100),
    "look-ahead": ("^(?=(a+)+$)a*$", "a" * 200 + "!"),
    "look-behind": ("(?<=(a|aa))+b", "a" * 5_000),
    "back-reference": (r"^(a+)+\1$", "a" * 200 + "!"),
    "back-references": (r"^(a*)(a*)(a*)(a*)(a*)\1\2\3\4\5b$", "a" * 100),
    "possessive": ("^(a++)+b$", "a" * 200),
    "counted": ("^(a{1,100}){1,100}$", "a" * 5_000 + "!"),
    "counted-deep": ("((((a{9}){9}){9}){9}){9}", "a"),
    "too-large": (r"(\w{1000}){1000}", "a"),
    "unbalanced": ("((((", "a"),
    "long": ("a?" * 5_000 + "a" * 5_000, "a" * 5_000),
    "unicode": (r"^(\p{L}+)+$", "é" * 200 + "!"),
    "null": ("\0", "a"),
}

CHILD = """
import json, sys
from fakes import tool, param
from gretel.catalog.arguments import argument_problems
from gretel.llm.reading import problems
from gretel.nodes.simulate.schema import _violations
for name, (pattern, text) in json.load(sys.stdin).items():
    schema = {"type": "string", "pattern": pattern}
    argument_problems(tool("a.b", params=[param("q", schema)]), {"q": text})
    problems({"properties": {"q": schema}}, {"q": text})
    _violations({"properties": {"q": schema}})({"q": text})
    print(name, flush=True)
"""


@pytest.fixture(scope="module")
def given_up() -> tuple[str, list[str]]:
    """What a process said while it tried all patterns, and those that it came through.

    In a process of its own, which is ended if it hangs: compiled code hears no alarm.
    """
    paths = os.pathsep.join(path for path in sys.path if path)
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "PYTHONPATH": paths},
        text=True,
    )
    try:
        said, _ = child.communicate(json.dumps(PATTERNS), timeout=300)
    except subprocess.TimeoutExpired:
        child.kill()
        said, _ = child.communicate()
    return said, said.splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("name", PATTERNS)
def test_a_catastrophic_pattern_is_given_up(name: str, given_up: tuple[str, list[str]]) -> None:
    said, names = given_up
    assert name in names, said[-500:]


def found_by_arguments(schema: dict[str, Any]) -> object:
    return argument_problems(tool("a.b", params=[param("q", schema)]), {"q": 1})


def found_by_models(schema: dict[str, Any]) -> object:
    return problems(schema, 1)


def found_by_simulator(schema: dict[str, Any]) -> object:
    return _violations(schema)(1)


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        yield server


@pytest.mark.parametrize("place", ["$ref", "$dynamicRef", "$schema"])
@pytest.mark.parametrize("scheme", ["http", "https", "file"])
@pytest.mark.parametrize("use", [found_by_arguments, found_by_models, found_by_simulator])
def test_no_validator_opens_a_reference(
    use: Callable[[dict[str, Any]], object],
    scheme: str,
    place: str,
    tmp_path: Path,
    listener: socket.socket,
) -> None:
    (tmp_path / "x.json").write_text('{"type": "string"}')
    port = listener.getsockname()[1]
    url = f"file://{tmp_path}/x.json" if scheme == "file" else f"{scheme}://127.0.0.1:{port}/"

    assert not use({place: url})
    with pytest.raises(BlockingIOError):
        listener.accept()


async def test_a_simulator_opens_no_reference_of_an_answer(tmp_path: Path) -> None:
    """The schema of an answer is a stranger's: jsonschema_rs by itself would open the file."""
    (tmp_path / "x.json").write_text('{"properties": {"q": {"const": "secret"}}}')
    schema = {"$ref": f"file://{tmp_path}/x.json", "properties": {"q": {"type": "string"}}}
    with pytest.raises(jsonschema_rs.ValidationError, match="secret"):
        jsonschema_rs.validator_for(schema).validate({"q": "x"})
    with pytest.raises(ValueError, match="not followed"):
        compile_schema(schema)

    asked = tool("a.b", params=["q"], response=Response(json_schema=schema))
    simulator = SchemaSimulator(Catalog.from_tools([asked]))
    outcome = await simulator.simulate(plan("a.b", q="Oslo"), failure_of("timeout"), seed=1)
    assert "secret" not in outcome.excerpt


LONG: dict[str, Callable[[dict[str, Any]], Any]] = {
    "category": lambda row: row.update(category="a b " * 2_000),
    "name": lambda row: row["parameters"][0].update(name="aB" * 1_000),
    "wire name": lambda row: row["parameters"][0].update(wire_name="a_" * 1_000),
    "path": lambda row: row["binding"].update(path="/a{q}" * 2_000),
    "server": lambda row: row["binding"].update(servers=[f"https://a.example/{'x/' * 4_000}"]),
    "servers": lambda row: row["binding"].update(servers=["https://a.example"] * 200),
    "sign-in": lambda row: row["binding"].update(security=[[]] * 200),
    "keys": lambda row: row["binding"].update(
        security=[[{"name": f"k{key}", "kind": "http"} for key in range(60)]] * 20
    ),
    "schema": lambda row: row["parameters"][0].update(
        json_schema={"default": [f"v{number}" for number in range(200_000)]}
    ),
    "answer": lambda row: row["response"].update(
        json_schema={"properties": {f"a{number}": {} for number in range(20_000)}}
    ),
}


@pytest.mark.parametrize("name", LONG)
def test_a_record_that_is_too_long_in_one_place_is_one_skipped_row(
    name: str, tmp_path: Path
) -> None:
    """Its words are read with each request: it took a selection ten seconds, and the event loop."""
    asked = tool("Sky.look", server="https://a.example", params=[param("q")])
    honest = asked.model_copy(update={"response": Response()}).model_dump(mode="json")
    long = json.loads(json.dumps(honest)) | {"tool_id": "Sky.long", "operation": "long"}
    LONG[name](long)
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, (long, honest))))
    catalog = Catalog.from_jsonl(path)
    assert [each.tool_id for each in catalog] == ["Sky.look"]
    assert [each.place for each in catalog.skipped] == ["rows.jsonl:1"]


@pytest.mark.parametrize("broken", [b"\xff\xfe\x80 bad", b'{"title": "caf\xe9"}', b"\xc3"])
def test_a_line_that_is_no_text_is_one_skipped_row(broken: bytes, tmp_path: Path) -> None:
    path, good = tmp_path / "tools.jsonl", b'{"_id": "%d", "title": "caf\xc3\xa9 %d", "text": "x"}'
    path.write_bytes(b"\n".join([good % (1, 1), broken, good % (2, 2)]))

    found = Catalog.from_jsonl(path)

    assert len(found) == 2
    assert [row[:2] for row in found.skipped] == [("tools.jsonl:2", "is not UTF-8 text")]
