"""Benchmarks stand where documents and usage lines say, and their page names all of them."""

import ast
import re
from collections import Counter
from pathlib import Path

SOURCES = ("benchmarks", "docs", "examples", "graph", "nodes", "prompts", "sandbox", "src", "tests")

GONE = {"benchmarks/detection.py", "benchmarks/vague.py"}
"""What the changelog and a decision say is no longer there."""


def scripts(root: Path) -> list[Path]:
    """Modules of the rooms, without the services and seeds of `real`, which are data of it."""
    return sorted([*root.glob("benchmarks/*/*.py"), *root.glob("benchmarks/trials/*/*.py")])


def test_every_benchmark_that_is_named_anywhere_is_there(root: Path) -> None:
    texts = [*root.glob("*.md"), root / "Makefile"]
    texts += [
        file
        for folder in SOURCES
        for file in (root / folder).rglob("*")
        if file.suffix in (".md", ".py")
    ]
    named = {
        (path, text.relative_to(root).as_posix())
        for text in texts
        for path in re.findall(r"\bbenchmarks/[\w./-]*\w", text.read_text("utf-8"))
        if path not in GONE and not Path(path).stem.isupper()  # NAME stands for any
    }

    assert len(named) > 100
    assert sorted(each for each in named if not (root / each[0]).exists()) == []


def test_a_usage_line_names_its_own_script(root: Path) -> None:
    for script in scripts(root):
        usage = ast.get_docstring(ast.parse(script.read_text("utf-8"))) or ""
        called = re.findall(r"^ *python (benchmarks/\S+)", usage, re.MULTILINE)
        runs = 'if __name__ == "__main__"' in script.read_text("utf-8")
        assert (script.relative_to(root).as_posix() in called) == runs, script


def test_the_page_of_the_benchmarks_names_every_script(root: Path) -> None:
    page = (root / "benchmarks" / "README.md").read_text("utf-8")
    rooms = re.split(r"^\*\*\[?`(\w+)/`", page, flags=re.MULTILINE)[1:]
    named = {
        f"benchmarks/{room}/{script}"
        for room, text in zip(rooms[::2], rooms[1::2], strict=True)
        for script in re.findall(r"`([\w/]+\.py)`", text)
    }

    assert named == {script.relative_to(root).as_posix() for script in scripts(root)}


def test_no_room_of_benchmarks_holds_more_than_twenty_modules(root: Path) -> None:
    counts = Counter(script.parent.name for script in scripts(root))

    assert {room: count for room, count in counts.items() if count > 20} == {}
    assert [place.name for place in (root / "benchmarks").glob("*.py")] == ["shared.py"]
