"""`gretel --version`."""

from importlib.metadata import version

from cli_runs import Command


def test_the_version_is_printed(gretel: Command) -> None:
    ended = gretel("--version")

    assert (ended.code, ended.out, ended.err) == (0, f"gretel {version('gretel')}\n", "")


def test_no_command_is_needed_and_none_runs(gretel: Command) -> None:
    ended = gretel("--version", "report", "no-such-folder")

    assert (ended.code, ended.err) == (0, "")
