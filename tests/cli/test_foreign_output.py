"""Whatever stands in a document, a name or a path, a terminal and a page are given no order."""

import json
import re
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path

import pytest
from cli_runs import Command
from rich.console import Console

from fakes import tool
from gretel.catalog import Catalog
from gretel.cli.saying import say_json, take_any_sign
from gretel.cli.showing.selection import print_remedies
from gretel.contracts.agent import AgentResult
from gretel.graph.settings import Settings, make_policy
from hostile_texts import HOSTILE, ORDERS, hostile_document, orders_in
from lanes import every


@pytest.mark.parametrize(
    "name", every(7, ["colour", "link", "clipboard", "C1", "overwrite", "bidi", "lines"])
)
def test_doctor_and_its_json_bring_no_order(name: str, gretel: Command, tmp_path: Path) -> None:
    path = tmp_path / f"a{ORDERS[name]}.json".replace("/", "_")
    path.write_text("{")
    plain = gretel("doctor", "--catalog", path)
    printed = gretel("doctor", "--json", "--catalog", path)
    broken = gretel("index", "--catalog", path, "--out", tmp_path / "x")

    assert orders_in(plain.out + plain.err + printed.out + broken.err) == []
    assert any(not check["ok"] for check in json.loads(printed.out))
    assert "FAIL catalog" in plain.out and broken.err.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_select_and_its_json_bring_no_order(name: str, gretel: Command, tmp_path: Path) -> None:
    said = HOSTILE[name]
    path = hostile_document(tmp_path / "a.json", said.replace("\ud800", ""))
    asked = ("select", "find it", "--catalog", path, "--abstain-below", "0")
    plain = gretel(*asked)
    printed = gretel(*asked, "--json")

    assert orders_in(plain.out + plain.err + printed.out + printed.err) == []
    assert json.loads(printed.out)["trials"]
    assert name != "markup" or "[link=https" in plain.out


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("columns", ["40", "160"])
def test_tables_bring_no_order(
    name: str, columns: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from gretel.cli.saying import print_table

    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("FORCE_COLOR", "1")
    said = HOSTILE[name].replace("\ud800", "")
    print_table(("pipeline",), [((f"x{said}",), {"R@5": "1"})])
    out = re.sub(r"\x1b\[[\d;]*m", "", capsys.readouterr().out)
    assert orders_in(out) == [] and "]8;" not in out
    assert name != "markup" or "[link=https" in re.sub(r"\s", "", out)


@pytest.mark.parametrize("name", HOSTILE)
def test_progress_brings_no_order(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from gretel.cli.progress import stages

    monkeypatch.setenv("COLUMNS", "160")
    said = HOSTILE[name].replace("\ud800", "")
    with stages() as tell:
        tell(1, 2, f"epoch {said}")
        tell(2, 2, f"encoding {said}")
    err = capsys.readouterr().err
    assert orders_in(err) == []
    assert name != "markup" or "[link=https" in err


@pytest.mark.parametrize("name", [name for name in ORDERS if name != "surrogate"])
def test_a_page_holds_only_what_can_be_seen(name: str, tmp_path: Path) -> None:
    from gretel.evaluation.report.page import write_chart_page

    said = f"<script>{ORDERS[name]}</script>"
    page = tmp_path / "page.html"
    write_chart_page([], page, title=said, text=said, made={said: said})
    text = page.read_text("utf-8")
    assert orders_in(text) == [] and "<script>" not in text


def test_the_word_for_all_hosts_is_no_hosts_name() -> None:
    """The hint is pasted into a shell: it opens that host, and not each that a document names."""
    shown = StringIO()
    told = AgentResult(answer="", gave_up=True, reason="finished", hosts=("a.example", "declared"))
    print_remedies(Console(file=shown, width=200), told)
    assert shown.getvalue().endswith("--allow-host a.example --allow-host declared:443\n")
    hosts = ["a.example", "declared:443"]
    assert not make_policy(Catalog.from_tools([tool("A.b")]), hosts, None, Settings()).declared


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_signs_that_an_output_has_not_are_written_all_the_same(
    encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = BytesIO()
    stream = TextIOWrapper(raw, encoding=encoding)
    monkeypatch.setattr("sys.stdout", stream)
    take_any_sign(stream)
    Console(file=stream).print("Wetter \u2603")
    print("Wetter \U0001f600", file=stream, flush=True)
    say_json(json.dumps({"title": "Wetter \u2603 \U0001f600 \xe9"}, ensure_ascii=False))
    stream.flush()

    *lines, written = raw.getvalue().decode(encoding).splitlines()
    assert [line.split("\\")[1] for line in lines] == ["u2603", "U0001f600"]
    assert json.loads(written) == {"title": "Wetter \u2603 \U0001f600 \xe9"}
