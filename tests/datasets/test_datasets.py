"""Data sets: what is read, and that nothing is dropped without a word."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gretel.catalog import Skipped
from gretel.contracts.errors import CatalogError, InputError
from gretel.contracts.tool import NoBinding, Tool, ToolId, VirtualBinding
from gretel.datasets.halves import Half, half_of, split_key
from gretel.datasets.loading import Dataset, load_dataset, load_no_tool

HEADER = "query-id\tcorpus-id\tscore\n"
QUERIES = {"q1": "Weather in Oslo", "q2": "Flights to Oslo", "q3": "Hotels and flights"}
TOOLS = ("weather", "flights", "hotels")

Make = Callable[..., Path]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Writes a data set; `qrels` are files by name, without their header."""

    def write(queries: list[dict[str, Any]] | None = None, **qrels: str) -> Path:
        corpus = [{"_id": name, "title": name, "text": f"All about {name}"} for name in TOOLS]
        rows = queries or [{"_id": name, "text": text} for name, text in QUERIES.items()]
        (tmp_path / "qrels").mkdir()
        for file, content in (("corpus", corpus), ("queries", rows)):
            (tmp_path / f"{file}.jsonl").write_text("\n".join(map(json.dumps, content)))
        for name, text in qrels.items():
            (tmp_path / "qrels" / f"{name}.tsv").write_text(HEADER + text)
        return tmp_path

    return write


ALL = "q1\tweather\t1\nq2\tflights\t1\nq3\thotels\t1\nq3\tflights\t1\n"


def reasons(dataset: Dataset) -> list[str]:
    return [f"{problem.place}: {problem.reason}" for problem in dataset.problems]


def test_a_clean_data_set_has_no_problems(make: Make) -> None:
    dataset = load_dataset(make(test=ALL))
    assert {r.request_id: set(r.gold) for r in dataset.requests} == {
        "q1": {"weather.weather"},
        "q2": {"flights.flights"},
        "q3": {"flights.flights", "hotels.hotels"},
    }
    assert dataset.problems == ()
    request = dataset.requests[0].to_request(today="2025-01-31")
    assert (request.text, request.today) == ("Weather in Oslo", "2025-01-31")


@pytest.mark.parametrize(
    ("rows", "said", "kept"),
    [
        ("q1\tweather\t1\n", "qrels/test.tsv:6: q1 with weather occurs twice", 3),
        ("q1\tweather\t2\n", None, 0),
        ("q1\tflights\t2\n", "qrels/test.tsv:6: a score of 2", 3),
        ("q1\ttrains\t1\n", "q1: its right tool trains is not in the catalogue", 3),
        ("q9\tweather\t1\n", "q9: no text in queries.jsonl", 3),
        ("q4\tweather\t0\n", "q4: no right tool", 3),
    ],
    ids=["duplicate", "contradiction", "graded", "unknown tool", "unknown request", "empty gold"],
)
def test_doubtful_judgements_are_reported_or_refused(
    make: Make, rows: str, said: str | None, kept: int
) -> None:
    queries = [{"_id": k, "text": v} for k, v in {**QUERIES, "q4": "Poems"}.items()]
    folder = make(queries, test=ALL + rows, other="q4\tweather\t1\n")
    if said is None:
        with pytest.raises(CatalogError, match=r"qrels/test.tsv:6: gives weather both 1 and 2"):
            load_dataset(folder)
        return
    dataset = load_dataset(folder)
    assert said in reasons(dataset)
    assert len(dataset.problems) == 1
    assert len(dataset.requests) == kept


def test_repeated_judgements_are_kept_for_compat_alone(make: Make) -> None:
    rows = "q1\tweather\t1\nq1\tweather\t1\n"
    first, *others = load_dataset(make(test=ALL + rows)).requests
    assert (first.gold, first.repeated) == ({"weather.weather"}, {"weather.weather": 3})
    assert all(each.repeated == {} for each in others)


def test_an_unknown_right_tool_counts_as_missed(make: Make) -> None:
    dataset = load_dataset(make(test=ALL + "q1\ttrains\t1\n"))
    assert dataset.requests[0].gold == {"weather.weather", "trains"}


def test_an_id_of_several_tools_is_said_to_be_one(make: Make) -> None:
    folder = make(test=ALL)
    with (folder / "corpus.jsonl").open("a") as corpus:
        corpus.write('\n{"_id": "weather", "title": "climate", "text": "Another one"}')
    dataset = load_dataset(folder)
    assert reasons(dataset) == ["q1: its right tool weather is the id of several tools"]
    assert dataset.requests[0].gold == {"weather"}


def test_a_data_set_without_tools_is_refused(make: Make) -> None:
    folder = make(test=ALL)
    (folder / "corpus.jsonl").write_text("")
    with pytest.raises(InputError, match=r"test: has no tools"):
        load_dataset(folder)


def test_rows_without_an_id_are_left_out_one_by_one(make: Make) -> None:
    queries: list[Any] = [{"_id": k, "text": v} for k, v in QUERIES.items()]
    queries += [[1, 2], {"text": "Poems"}, {"_id": "", "text": "Songs"}]
    dataset = load_dataset(make(queries, test=ALL))
    said = "is not a JSON object with _id and text"
    assert reasons(dataset) == [
        f"queries.jsonl:4: {said}",
        f"queries.jsonl:5: {said}",
        "queries.jsonl:6: its _id is empty",
    ]
    assert len(dataset.requests) == 3


def test_a_text_in_two_judgements_is_reported(make: Make) -> None:
    queries = [{"_id": k, "text": v} for k, v in QUERIES.items()]
    queries += [{"_id": "t1", "text": "  weather in OSLO"}, {"_id": "t2", "text": "Other"}]
    folder = make(queries, test=ALL, train="t1\tweather\t1\nt2\thotels\t1\n")
    assert reasons(load_dataset(folder)) == [
        "qrels/test.tsv: 1 of its requests stand in qrels/train.tsv too"
    ]


def test_one_text_under_two_ids_and_unjudged_requests_are_reported(make: Make) -> None:
    queries = [{"_id": f"q{n}", "text": "Weather"} for n in range(1, 3)]
    queries += [{"_id": "chat", "text": "Sing"}]
    folder = make(queries, test="q1\tweather\t1\nq2\tweather\t1\n")
    assert reasons(load_dataset(folder)) == [
        "qrels/test.tsv: 2 requests say 'weather'",
        "queries.jsonl: 1 requests stand in no judgements (chat)",
    ]


def test_two_requests_of_one_id_are_refused_copies_reported(make: Make) -> None:
    rows = [{"_id": k, "text": v} for k, v in QUERIES.items()]
    folder = make([*rows, rows[0]], test=ALL)
    assert reasons(load_dataset(folder)) == ["queries.jsonl:4: q1 occurs twice"]
    other = json.dumps({"_id": "q1", "text": "Poems"})
    (folder / "queries.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n" + other)
    with pytest.raises(CatalogError, match=r"queries.jsonl:4: two different requests"):
        load_dataset(folder)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("q1\tweather\t1\n", r"test.tsv:1: is not qrels"),
        (HEADER + "q1 weather 1\n", r"test.tsv:2: is not a judgement"),
        (HEADER + "q1\tweather\tyes\n", r"test.tsv:2: is not a judgement"),
        ("", r"test.tsv:1: is not qrels"),
        (HEADER, r"no judged request is left"),
    ],
)
def test_malformed_judgements_are_refused(make: Make, text: str, said: str) -> None:
    folder = make(test="")
    (folder / "qrels" / "test.tsv").write_text(text)
    with pytest.raises(InputError, match=said):
        load_dataset(folder)


def test_unknown_folders_and_judgements_are_refused(make: Make, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not a data set"):
        load_dataset(tmp_path / "none")
    with pytest.raises(InputError, match="Give one of: dev, test"):
        load_dataset(make(test=ALL, dev=ALL), qrels="tset")


def test_the_digest_changes_with_what_is_judged(make: Make) -> None:
    folder = make(test=ALL, other=ALL)
    half = half_of("weather")
    digests = {load_dataset(folder).digest, load_dataset(folder, qrels="other").digest}
    digests.add(load_dataset(folder, half=half).digest)
    (folder / "qrels" / "test.tsv").write_text(HEADER + ALL + "q1\thotels\t1\n")
    digests.add(load_dataset(folder).digest)
    assert len(digests) == 4
    assert load_dataset(folder).digest == load_dataset(folder).digest


def test_right_calls_carry_fixed_and_open_values(make: Make) -> None:
    calls = [
        {"name": "weather", "arguments": {"city": "Oslo", "id": "API_call_0", "day": {"d": "$$$"}}},
        {"name": "trains", "arguments": {}},
    ]
    row = {"_id": "q1", "text": "Weather", "metadata": {"gold_calls": calls}}
    dataset = load_dataset(make([row], test="q1\tweather\t1\n"))
    (call,) = dataset.requests[0].gold_calls
    assert call == ("weather.weather", {"city": "Oslo"}, frozenset({"id", "day"}))
    assert reasons(dataset) == ["q1: its right call of trains is of no right tool"]


def test_halves_are_a_function_of_the_name() -> None:
    names = ["weather", "flights", "hotels", "Reqres - dont change!", "bücher"]
    assert [half_of(name) for name in names] == ["report", "dev", "report", "dev", "report"]


def test_a_request_across_both_halves_belongs_to_neither_and_is_reported(make: Make) -> None:
    folder = make(test=ALL)
    wanted_of: dict[Half, list[str]] = {"dev": ["q2"], "report": ["q1"]}
    for half, wanted in wanted_of.items():
        dataset = load_dataset(folder, half=half)
        assert [request.request_id for request in dataset.requests] == wanted
        assert reasons(dataset) == ["q3: its right tools belong to both halves"]


def test_a_half_without_requests_is_refused(make: Make) -> None:
    with pytest.raises(InputError, match="report half: no judged request is left"):
        load_dataset(make(test="q2\tflights\t1\n"), half="report")


@pytest.mark.parametrize(("virtual", "key"), [(True, "Weather Inc"), (False, "forecast")])
def test_toolbench_tools_are_halved_by_toolkit_others_by_name(virtual: bool, key: str) -> None:
    binding = VirtualBinding(category="Weather", tool_name="Weather Inc", api_name="forecast")
    tool = Tool(
        tool_id=ToolId("Weather_Inc.forecast"),
        toolkit="Weather Inc",
        operation="forecast",
        binding=binding if virtual else NoBinding(),
    )
    assert split_key(tool) == key


def test_rows_that_do_not_say_whether_a_tool_is_needed_are_named(tmp_path: Path) -> None:
    rows: list[Any] = [
        {"id": "a", "query": "Sing", "needs_tool": False},
        {"id": "b", "query": "Weather", "needs_tool": True},
        {"id": "c", "query": "Dance"},
        {"id": "d", "needs_tool": False},
        {"id": "e", "query": 7, "needs_tool": False},
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    problems: list[Skipped] = []
    (request,) = load_no_tool(path, problems=problems)
    assert request.request_id == "a"
    assert [(each.place, each.reason) for each in problems] == [
        ("rows.jsonl:3", "does not say `needs_tool`"),
        ("rows.jsonl:4", "is not a JSON object with query"),
        ("rows.jsonl:5", "`query` is not text"),
    ]


def test_no_tool_requests_have_no_right_tool(tmp_path: Path) -> None:
    rows = [
        {"id": "a", "query": "Sing", "needs_tool": False},
        {"id": "b", "query": "Weather", "needs_tool": True},
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    (request,) = load_no_tool(path)
    assert (request.request_id, request.gold) == ("a", frozenset())
    path.write_text(json.dumps(rows[1]))
    with pytest.raises(InputError, match="no row says"):
        load_no_tool(path)
