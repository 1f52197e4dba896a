"""What is read from a folder and what is not: nothing is left out in silence."""

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from gretel.contracts.errors import InputError
from gretel.datasets.halves import half_of
from gretel.datasets.no_tool import load_no_tool
from gretel.training.masstool.data import FEWEST, read_examples
from masstool_data import Written


def no_tool(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def talk(names: Sequence[object]) -> list[dict[str, Any]]:
    return [{"id": name, "query": f"sing song {n}"} for n, name in enumerate(names)]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"query": ["a", "b"]}, "`query` is not text"),
        ({"query": {"x": 1}}, "`query` is not text"),
        ({"query": 5}, "`query` is not text"),
        ({"query": None}, "`query` is not text"),
        ({"query": ""}, "`query` is not text"),
        ({"query": "  "}, "`query` is not text"),
        ({"query": "a", "needs_tool": "false"}, "`needs_tool` is neither true nor false"),
        ({"query": "a", "needs_tool": 0}, "`needs_tool` is neither true nor false"),
        ({"query": "a", "needs_tool": None}, "`needs_tool` is neither true nor false"),
    ],
)
def test_a_no_tool_request_that_is_none_is_named(
    written: Written, tmp_path: Path, row: dict[str, Any], said: str
) -> None:
    path = no_tool(tmp_path / "no_tool.jsonl", [*talk(range(100)), row])

    with pytest.raises(InputError, match=rf"no_tool.jsonl:101: {said}"):
        read_examples(written.folder, no_tool=path)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], "only 0 of 0 no-tool"),
        (talk(range(8)), r"only \d of 8 no-tool"),
        (talk(["same"] * 100), "only 0 of 100 no-tool"),
        ([{**row, "needs_tool": True} for row in talk(range(100))], "only 0 of 0 no-tool"),
    ],
    ids=("none", "few", "one id", "all need a tool"),
)
def test_too_few_no_tool_requests_are_told(
    written: Written, tmp_path: Path, rows: list[dict[str, Any]], said: str
) -> None:
    path = no_tool(tmp_path / "no_tool.jsonl", rows)

    with pytest.raises(InputError, match=f"no_tool.jsonl: {said}.* left for measuring"):
        read_examples(written.folder, no_tool=path)


def test_as_many_as_needed_are_enough(written: Written, tmp_path: Path) -> None:
    names = [f"n{n}" for n in range(100) if half_of(f"n{n}") == "dev"]
    with pytest.raises(InputError, match=f"only {FEWEST - 1} of"):
        path = no_tool(tmp_path / "few.jsonl", talk(names[: FEWEST - 1]))
        read_examples(written.folder, no_tool=path)
    read = read_examples(
        written.folder, no_tool=no_tool(tmp_path / "no_tool.jsonl", talk(names[:FEWEST]))
    )

    assert len(read.no_tool) + len(read.no_tool_dev) == FEWEST
    assert read.no_tool_dev


def test_requests_that_need_a_tool_are_left_out(written: Written, tmp_path: Path) -> None:
    rows = [{"id": n, "query": f"q{n}", "needs_tool": n % 2 == 0} for n in range(100)]
    read = read_examples(written.folder, no_tool=no_tool(tmp_path / "mixed.jsonl", rows))

    assert read.no_tool
    assert all(int(text[1:]) % 2 for text in (*read.no_tool, *read.no_tool_dev))


def test_rows_without_an_id_are_learnt_from_or_measured_on_never_both(
    written: Written, tmp_path: Path
) -> None:
    rows = [{"query": f"sing song {n}", "needs_tool": False} for n in range(100)]
    path = no_tool(tmp_path / "nameless.jsonl", rows)
    read = read_examples(written.folder, no_tool=path)

    learnt = {*read.no_tool, *read.no_tool_dev}
    measured = {each.text for each in load_no_tool(path, half="report")}
    assert learnt | measured == {row["query"] for row in rows}
    assert not learnt & measured


def damaged(written: Written, tmp_path: Path) -> Path:
    """Of 192 requests four cannot be learnt, each for a reason of its own."""
    folder = Path(shutil.copytree(written.folder, tmp_path / "data"))
    judged = folder / "qrels" / "train.tsv"
    lines = judged.read_text().splitlines()
    by_name: dict[str, list[str]] = {}
    for line in lines[1:]:
        by_name.setdefault(line.split("\t")[0], []).append(line)
    one, two, blank, number, *_ = (name for name, own in by_name.items() if len(own) == 1)
    both = next(name for name, own in by_name.items() if len(own) == 2)
    text = judged.read_text().replace(f"{one}\t", "nobody\t")
    for name, line in ((two, by_name[two][0]), (both, by_name[both][1])):
        text = text.replace(line, f"{name}\tGone.tool\t1")
    judged.write_text(text)
    path = folder / "queries.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    said = {blank: " ", number: ["a", "b"]}
    no_tool(path, [{**row, "text": said.get(row["_id"], row["text"])} for row in rows])
    return folder


def test_what_cannot_be_learnt_is_counted(written: Written, tmp_path: Path) -> None:
    folder = damaged(written, tmp_path)
    read = read_examples(folder)

    assert len(read.train.texts) + len(read.dev.texts) == 192 - 4
    assert not any("['a'" in text for text in (*read.train.texts, *read.dev.texts))
    judgements, tools, toolless, mute = read.dropped
    assert re.fullmatch(
        r"1 of \d+ judgements: no such request in queries.jsonl \(.*'nobody'\)",
        judgements,
    )
    assert re.fullmatch(
        r"2 of \d+ judgements: no such tool in corpus.jsonl \(.*'Gone.tool'\)", tools
    )
    assert re.fullmatch(r"1 of 192 requests: none of their tools is known \(.*'r\d+'\)", toolless)
    assert re.fullmatch(r"2 of 192 requests: no text \(.*'r\d+'\)", mute)


def test_a_request_of_two_lines_is_said_and_the_last_one_counts(
    written: Written, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(written.folder, tmp_path / "data"))
    path = folder / "queries.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    no_tool(path, [{**rows[3], "text": "what stood there before"}, *rows])
    read, whole = read_examples(folder), read_examples(written.folder)

    assert re.fullmatch(
        rf"1 of {len(rows)} requests: more than one line, of which the last counts \(.*'r\d+'\)",
        *read.dropped,
    )
    assert read.train == whole.train


def test_of_whole_data_nothing_is_left_out(written: Written) -> None:
    assert read_examples(written.folder, no_tool=written.no_tool).dropped == ()
