"""The page: self-contained, harmless whatever tools say, and complete."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from report_runs import refusal, reranked, row, trial, write_run

from gretel.cli.showing.results import print_run
from gretel.contracts.errors import InputError
from gretel.contracts.ranking import Abstention
from gretel.evaluation.report.page import p_value, score, signed, write_report
from gretel.evaluation.report.tables import MAIN
from gretel.evaluation.runs.folder import METRICS
from gretel.evaluation.runs.planning import PlannedCall
from lanes import every

NO_TOOL = Abstention(reason="no_tool_fits", detail="far off")
HOSTILE = (
    "\"'></pre></style></title><script>alert(1)</script><img src=//x.test onerror=e()>{{ 7*7 }}"
)


def plain(text: str) -> str:
    return " ".join(text.split())


class Page(HTMLParser):
    """Elements, attributes and text of a page; white space is one blank."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []
        self.cells: list[list[str]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))
        self.text = plain(self.text)
        self.cells = [[plain(cell) for cell in line] for line in self.cells]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        self._open.append(tag)
        if tag == "tr":
            self.cells.append([])
        if tag in ("td", "th"):
            self.cells[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        self.text += f"{data} "
        if {"td", "th"} & set(self._open) and self.cells:
            self.cells[-1][-1] += f"{data} "

    def row(self, *starts: str) -> list[str]:
        """The first line of a table that starts with these cells."""
        return next(line for line in self.cells if tuple(line[: len(starts)]) == starts)


def page_of(folder: Path) -> Page:
    return Page(write_report(folder))


@pytest.mark.slow
def test_hostile_text_is_shown_and_never_markup(tmp_path: Path) -> None:
    attack = f"a{HOSTILE}"
    ranked = {"retrieval": ("b", attack), "full": (attack, "b"), "oracle": (attack, "b")}
    hostile = row(
        HOSTILE,
        [attack],
        rankings=ranked,
        functioning=(attack, "b"),
        reasons={"full": (HOSTILE, "fine")},
        trials=(trial(attack, 2, "irrelevant", excerpt=HOSTILE), refusal("b", 1)),
        notes=(HOSTILE,),
    )
    page = page_of(write_run(tmp_path, [hostile], command=HOSTILE, data=HOSTILE))
    assert page.text.count(HOSTILE) >= 7
    assert not page.tags & {"script", "img", "iframe", "object", "embed", "form", "base", "link"}
    assert not [name for name, _ in page.attributes if name.startswith("on")]


def test_the_page_needs_nothing_and_may_fetch_nothing(tmp_path: Path) -> None:
    page = page_of(write_run(tmp_path, [reranked("q", "ba", "ab")]))
    links = {value for name, value in page.attributes if name in ("src", "href", "xlink:href")}
    assert links and all(link.startswith("#") for link in links)
    assert [v for n, v in page.attributes if n == "content" and v.startswith("default-src 'none'")]
    text = (tmp_path / "report.html").read_text()
    assert not re.search(r"https?:|url\((?!#)|@import", text)


@pytest.mark.slow
def test_the_same_rows_give_the_same_page_in_any_order(tmp_path: Path) -> None:
    rows = [reranked(f"q{n}", "bac", "abc", trials=(trial("a", 2),)) for n in range(6)]
    one = write_report(write_run(tmp_path / "one", rows)).read_text()
    assert write_report(write_run(tmp_path / "two", rows[::-1])).read_text() == one


@pytest.mark.slow
def test_means_best_and_significance(tmp_path: Path) -> None:
    rows = [reranked(f"q{n}", "bcdefa", "abcdef") for n in range(20)]
    page = page_of(write_run(tmp_path, rows))
    assert page.row("retrieval", "0.000")[1:3] == ["0.000", "0.000"]
    gain = "1.000 +1.000 p < .001"
    assert page.row("full", gain)[3:6] == [gain, "1.000 0.000 p = 1.000", "0.200 +0.200 p < .001"]
    assert page.row("oracle", "1.000 +1.000 p < .001")
    oracles = re.findall(
        r'<tr class="oracle">.*?</tr>', (tmp_path / "report.html").read_text(), re.S
    )
    assert oracles and not [line for line in oracles if "<b>" in line]
    assert "<b>1.000</b>" in (tmp_path / "report.html").read_text()


def test_equal_means_are_equally_good(tmp_path: Path) -> None:
    write_report(write_run(tmp_path, [row("q")]))
    table = (tmp_path / "report.html").read_text().partition("<table>")[2]
    table = table.partition("</table>")[0]
    assert table.count("<b>") == 2 * len(MAIN)


@pytest.mark.slow
def test_denominators_command_digests_and_seed(tmp_path: Path) -> None:
    nothing = {"rankings": {}, "usage": {}, "functioning": ("a",)}
    rows = [
        row("q1"),
        row("q2", status="abstained", abstention=Abstention(reason="no_tool_fits", detail="-")),
        row("q3", status="failed", reason="KeyError: 1", **nothing),
        row("q4", status="timed_out", **nothing),
        row("q5", status="infrastructure"),
        row("q6", functioning=("b",)),
    ]
    page = page_of(write_run(tmp_path, rows))
    expected = (
        "6 requests 2 answered 1 abstained 1 failed 1 timed out 1 infrastructure "
        "1 without a right tool that functions 5 judged below"
    )
    assert expected in page.text
    assert page.row("retrieval", "0.600")  # two of five judged requests have no ranking
    assert page.row("reason: no tool fits")[1] == "1"
    assert page.row("seed") == ["seed", "7"]
    assert "gretel evaluate --out RUN" in page.text
    digests = {line[0]: line[1] for line in page.cells if line[0].endswith(" digest")}
    assert digests.items() >= {"data digest": "d1", "catalog digest": "c2"}.items()
    assert len(digests["report digest"]) == 64


@pytest.mark.slow
def test_evidence_stands_beside_gains_and_losses(tmp_path: Path) -> None:
    trials = (trial("b", 1, "server_error"), trial("a", 2, excerpt="18 degrees"), refusal("c", 3))
    gained = reranked(
        "gainer", "bac", "acb", trials=trials, reasons={"full": ("good", "meh", "bad")},
        functioning=("a", "c"), faults={"b": "dead"}, text="Which of them?",
    )  # fmt: skip
    lost = reranked("loser", "abc", "bca", gold="az", functioning=tuple("abcz"))
    page = page_of(write_run(tmp_path, [gained, lost, row("same")]))
    assert "1 requests gained, 1 stayed, 1 lost" in page.text
    assert page.text.index("gainer") < page.text.index("Lost most") < page.text.index("loser")
    best = page.row("2", "1")
    assert best[2] == "a right"
    assert "good" in best[3] and '{"city": "Oslo"}' in best[3] and "18 degrees" in best[3]
    worst = page.row("1", "3", "b does not function fault: dead")
    assert "server_error: server_error it was, HTTP 200, 30 ms" in worst[3]
    assert "refused (missing_required): city is not said" in page.row("3", "2")[3]
    assert "Right, but no candidate: z" in page.text
    assert "gainer Which of them?" in page.text


@pytest.mark.slow
def test_the_world_and_what_it_did_not_know_are_shown(tmp_path: Path) -> None:
    trials = (trial("b", 1, "drift"), trial("a", 2))
    lost = reranked("loser", "abc", "bca", trials=trials, unknown=("b",))
    page = page_of(write_run(tmp_path / "values", [lost], world="values"))
    assert "world values (tools know right values, and others by chance)" in page.text
    assert "b did not know a value" in page.row("2", "1")[2]
    assert page.row("unknown", "1") == ["unknown", "1", "100.0%", "0.0%"]
    assert "world kind (tools know every value)" in page_of(write_run(tmp_path, [lost])).text


@pytest.mark.parametrize("pipelines", [("retrieval",), ("full",), ("full", "oracle")])
def test_what_a_run_lacks_is_said(tmp_path: Path, pipelines: tuple[str, ...]) -> None:
    given = row("q", rankings=dict.fromkeys(pipelines, ("a", "b")))
    page = page_of(write_run(tmp_path, [given], pipelines=pipelines))
    assert "Needs retrieval and one more pipeline." in page.text
    assert ("nothing is tested" in page.text) == ("retrieval" not in pipelines)
    assert "No pipeline of this run tries tools." in page.text


def test_a_run_without_any_functioning_right_tool(tmp_path: Path) -> None:
    page = page_of(write_run(tmp_path, [row("q", functioning=("b",), trials=(trial("a", 1),))]))
    assert page.row("full", "–")
    assert "0 requests gained, 0 stayed, 0 lost" in page.text


WARNINGS: dict[str, dict[str, object]] = {
    "Development half": {"half": "dev"},
    "Not a report half": {},
    "Shard 1/2 only: 1 of 1 requests": {"half": "report", "shard": "1/2"},
    "At most 1 requests": {"half": "report", "limit": 1},
}


@pytest.mark.slow
@pytest.mark.parametrize(("warning", "given"), WARNINGS.items())
def test_what_limits_the_numbers_is_on_top(
    tmp_path: Path, warning: str, given: dict[str, object]
) -> None:
    page = page_of(write_run(tmp_path, [row("q")], **given))
    header = page.text.partition("Measures")[0]
    assert warning in header
    assert [text for text in WARNINGS if text in header] == [warning]


@pytest.mark.slow
def test_no_tool_requests_and_planning_have_their_tables(tmp_path: Path) -> None:
    call = PlannedCall(tool_id="a", complete=True, exact=True, wanted=("city",), right=("city",))
    no_tool = {"gold": (), "rankings": {}, "functioning": ()}
    rows = [
        row("q", answerable=0.9, planning=(call,)),
        row("n1", answerable=0.05, abstention=NO_TOOL, **no_tool),
        row("n2", answerable=0.95, **no_tool),
    ]
    page = page_of(write_run(tmp_path, rows))
    assert "3 requests" in page.text and "2 need no tool" in page.text
    assert page.row("offered, though no tool is needed")[1:] == ["1", "of 2 (50.0%)"]
    assert page.row("false offers")[1:] == ["50.0%", "of 2"]
    assert page.row("AUROC")[1] == "0.500"
    assert page.row("as the data has them")[1:3] == ["100.0% of 1", "100.0% of 1"]
    assert page.row("compat:colt:R@5")[1:] == ["1.000"] * 3


def test_an_unfinished_run_has_no_report(tmp_path: Path) -> None:
    write_run(tmp_path, [row("q")])
    (tmp_path / METRICS).unlink()
    with pytest.raises(InputError, match="is not a finished run"):
        write_report(tmp_path)
    assert not (tmp_path / "report.html").exists()


def test_numbers_in_print() -> None:
    assert [signed(value) for value in (0.0124, -0.5, -0.0004)] == ["+0.012", "−0.500", "0.000"]
    assert [score(value) for value in (None, 0.98765)] == ["–", "0.988"]
    assert [p_value(p) for p in (0.0001, 0.0123, 1.0)] == ["p < .001", "p = .012", "p = 1.000"]


@pytest.mark.parametrize("kept", every(2, [{}, [], None, "x"]))
@pytest.mark.parametrize("name", every(4, ["requests", "cost", "abstention", "digests"]))
def test_metrics_that_were_tampered_with_are_one_clear_error(
    name: str, kept: object, tmp_path: Path
) -> None:
    run = write_run(tmp_path, [reranked("q1", "abcdef", "bacdef")])
    metrics = json.loads((run / METRICS).read_text())
    (run / METRICS).write_text(json.dumps(metrics | {name: [kept]}))
    with pytest.raises(InputError, match="is not what"):
        write_report(run)
    assert not (run / "report.html").exists()


@pytest.mark.parametrize("kept", every(2, [{}, [], None, "x"]))
@pytest.mark.parametrize("name", ["measures", "requests", "planning", "digests", "n"])
def test_they_are_one_where_a_table_is_printed(name: str, kept: object, tmp_path: Path) -> None:
    run = write_run(tmp_path, [reranked("q1", "abcdef", "bacdef")])
    metrics = json.loads((run / METRICS).read_text())
    (run / METRICS).write_text(json.dumps(metrics | {name: [kept]}))
    with pytest.raises(InputError, match="is not what"):
        print_run(run, as_json=False)
