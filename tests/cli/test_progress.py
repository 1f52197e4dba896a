"""What a person sees while a catalogue is encoded."""

import pytest

from gretel.cli.progress import MANY, encoding


def test_a_long_wait_is_announced_once_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    with encoding() as tell:
        tell(0, MANY)
        tell(MANY // 2, MANY)
        tell(MANY, MANY)

    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err == f"encoding {MANY} tools; `gretel index` does this only once\n"


def test_what_is_nearly_done_is_not_announced(capsys: pytest.CaptureFixture[str]) -> None:
    with encoding() as tell:
        tell(10 * MANY, 10 * MANY + 5)

    assert capsys.readouterr() == ("", "")


def test_a_terminal_shows_a_bar(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    with encoding() as tell:
        tell(0, MANY)

    shown = capsys.readouterr()
    assert shown.out == ""
    assert f"0/{MANY}" in shown.err
