"""The child's own root: of a file that it may not read, it does not learn that it is there."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from confined import attack
from hostile_reach import LOOKS

from gretel.sandbox.process.child import probe_layers
from gretel.sandbox.process.settings import ProcessSettings
from lanes import every

SECRET = "a name that says enough"
HALF_BUILT = """
import os, sys
from gretel.sandbox.process import confine, root

real = root.checked
def refusing(name, *arguments):
    if name == "pivot_root":
        raise OSError("no")
    return real(name, *arguments)

confine.own_namespaces(network=False)
if os.fork() == 0:
    root.checked = refusing
    try:
        root.own_root(["/usr"], sys.argv[1], size=1 << 20)
    except OSError as error:
        print(error, os.listdir(sys.argv[1]), os.path.exists("/etc/passwd"), flush=True)
    os._exit(0)
os.wait()
"""


@pytest.fixture(autouse=True)
async def layers() -> None:
    """Where the kernel gives no layers nothing runs, as the other attacks show."""
    if any((await probe_layers(ProcessSettings())).values()):
        pytest.skip("this kernel does not give every layer")


async def _refused(function: str, arguments: dict[str, Any], **settings: Any) -> None:
    outcome = (await attack(function, arguments, **settings)).outcome
    assert outcome.failure is not None, outcome
    assert (outcome.status, outcome.failure.kind) == ("unavailable", "permission"), outcome


@pytest.mark.parametrize("way", every(5, LOOKS))
async def test_a_file_outside_is_not_seen(way: str, tmp_path: Path) -> None:
    victim = tmp_path / SECRET
    victim.symlink_to("/usr") if way == "readlink" else victim.write_text("mine")

    await _refused("looks", {"path": str(victim), "way": way})


@pytest.mark.parametrize("way", every(2, ["stat", "by-link"]))
async def test_what_is_there_seems_missing_as_what_is_not(way: str, tmp_path: Path) -> None:
    """Else the kind of a failure, which a later call may be told of, says what exists."""
    (tmp_path / "there").write_text("mine")

    for name in ("there", "nowhere"):
        await _refused("looks", {"path": str(tmp_path / name), "way": way})


@pytest.mark.parametrize(
    "path",
    every(5, [
        "/etc/shadow", "/etc/passwd", "/etc/hostname", "/proc", "/proc/self", "/proc/1", "/sys",
        "/dev/shm", "/dev/tty", "/etc/ssl/private",
    ]),
)  # fmt: skip
async def test_a_place_of_the_system_is_not_seen(path: str) -> None:
    await _refused("looks", {"path": path, "way": "stat"})


async def test_what_is_hidden_beside_code_is_not_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "project"
    project.mkdir()
    for path in (tmp_path / SECRET, project / f".{SECRET}", project / "code.py"):
        path.write_text("")
    (project / "link").symlink_to(tmp_path / SECRET)
    monkeypatch.setattr(sys, "path", [*sys.path, str(project)])

    assert (await attack("lists", {"path": str(project)})).body == ["code.py"]
    for path in (str(tmp_path), "/", "/etc"):
        await _refused("lists", {"path": path})


async def test_other_folders_of_children_are_not_seen() -> None:
    """Their names are those of calls under way."""
    with tempfile.TemporaryDirectory(prefix="gretel-") as other:
        await _refused("looks", {"path": other, "way": "stat"})


@pytest.mark.parametrize("path", every(3, ["/", ".", "/usr"]))
async def test_the_root_is_not_changed_again(path: str) -> None:
    assert (await attack("changes_root", {"path": path})).body in ("False", None)


@pytest.mark.parametrize(
    "shown", every(4, ["folder/file", "way/file", "far/file", "folder/../way/file"])
)
async def test_what_the_user_shows_is_read_by_each_of_its_names(shown: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").write_text("yours")
    (tmp_path / "folder" / SECRET).write_text("mine")
    (tmp_path / "way").symlink_to("folder")
    (tmp_path / "far").symlink_to(tmp_path / "way")
    readable = (str(tmp_path / shown), str(tmp_path / "loop"), str(tmp_path / "nowhere"))
    (tmp_path / "loop").symlink_to("loop")

    for name in (shown, "folder/file"):
        arguments = {"path": str(tmp_path / name)}
        assert (await attack("reads", arguments, readable=readable)).body == "yours"
    hidden = {"path": str(tmp_path / "folder" / SECRET), "way": "stat"}
    await _refused("looks", hidden, readable=readable)


@pytest.mark.parametrize("order", every(2, [1, -1]))
async def test_a_shown_folder_may_lie_in_another(order: int, tmp_path: Path) -> None:
    inner = tmp_path / "outer" / "inner"
    inner.mkdir(parents=True)
    (inner / "file").write_text("yours")
    readable = (str(tmp_path / "outer"), str(inner))[::order]

    result = await attack("reads", {"path": str(inner / "file")}, readable=readable)

    assert result.body == "yours"


@pytest.mark.slow
async def test_a_user_may_show_everything(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("yours")

    result = await attack("reads", {"path": str(tmp_path / "file")}, readable=("/",))

    assert result.body == "yours"
    await _refused("writes", {"path": str(tmp_path / "file")}, readable=("/",))
    assert (await attack("own_folder", readable=("/",))).body["read"] == "mine"


@pytest.mark.parametrize("on_path", every(2, [True, False]))
async def test_the_own_folder_may_lie_behind_a_link(
    on_path: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "file").write_text("yours")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "link"))
    if on_path:
        monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "link")])
    file = tmp_path / "link" / "file"

    assert (await attack("reads", {"path": str(file)}, readable=(str(file),))).body == "yours"
    assert (await attack("own_folder", readable=(str(file),))).body["read"] == "mine"
    assert os.listdir(tmp_path / "real") == ["file"]


async def test_a_name_of_other_bytes_is_shown(tmp_path: Path) -> None:
    name = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9")
    Path(name).write_text("yours")

    assert (await attack("lists", {"path": "."}, readable=(name,))).body == []


@pytest.mark.slow
async def test_a_shown_folder_is_not_changed(tmp_path: Path) -> None:
    """Neither what is in it, nor by what is mounted for the child."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("yours")

    for name in ("writes", "removes", "changes_mode"):
        await _refused(name, {"path": str(tmp_path / "file")}, readable=(str(tmp_path),))

    assert sorted(os.listdir(tmp_path)) == ["empty", "file"]
    assert (tmp_path / "file").read_text() == "yours"


async def test_a_file_missing_in_its_own_folder_is_the_tools_fault(tmp_path: Path) -> None:
    for path in ("nowhere", "/usr/nowhere"):
        outcome = (await attack("reads", {"path": path})).outcome
        assert outcome.status == "failed", outcome


async def test_a_missing_file_is_told_where_the_working_folder_is_gone() -> None:
    outcome = (await attack("loses_its_folder")).outcome
    assert outcome.failure is not None
    assert "FileNotFoundError" in outcome.failure.detail, outcome


def test_a_root_that_is_not_finished_is_taken_away(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    said = subprocess.run(
        [sys.executable, "-c", HALF_BUILT, str(tmp_path)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip

    assert said.stdout.split("\n")[0] == "no ['file'] True", said
