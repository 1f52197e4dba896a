"""Nothing of the user's runs in the child process before it is confined."""

import sys
from pathlib import Path

import pytest
from confined import attack

from lanes import every

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="callables run on Linux only")

LEAVES_A_MARK = "import os; os.close(os.open({mark!r}, os.O_CREAT | os.O_WRONLY))"
IN_FRONT = (
    "resource", "ctypes", "signal", "pathlib", "platform", "struct", "asyncio", "socket", "inspect",
    "dataclasses", "site", "gretel", "gretel/sandbox",
)  # fmt: skip


def planted(path: Path, mark: Path) -> None:
    """A module that writes outside of the sandbox, and is quiet where it may not."""
    path.parent.mkdir(parents=True, exist_ok=True)
    code = LEAVES_A_MARK.format(mark=str(mark))
    path.write_text(f"try: exec({code!r})\nexcept OSError: pass\n")


@pytest.mark.parametrize("name", every(4, IN_FRONT))
@pytest.mark.parametrize("form", every(2, ["module", "package"]))
async def test_a_module_in_front_is_not_let_in(
    name: str, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = f"{name}.py" if form == "module" else f"{name}/__init__.py"
    planted(tmp_path / "code" / file, tmp_path / "mark")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "code"), *sys.path])

    await attack("harmless")

    assert not (tmp_path / "mark").exists()


@pytest.fixture
def interpreter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A virtual environment of its own; gives its folder of packages."""
    home = Path(sys.executable).resolve()
    (tmp_path / "venv" / "bin").mkdir(parents=True)
    (tmp_path / "venv" / "pyvenv.cfg").write_text(f"home = {home.parent}\n")
    (tmp_path / "venv" / "bin" / "python").symlink_to(home)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "venv" / "bin" / "python"))
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return tmp_path / "venv" / "lib" / version / "site-packages"


@pytest.mark.parametrize("name", every(2, ["sitecustomize.py", "any.pth", "editable.pth"]))
async def test_what_an_install_brings_at_its_start_comes_confined(
    name: str, interpreter: Path, tmp_path: Path
) -> None:
    planted(interpreter / "brought.py", tmp_path / "mark")
    lines = {"sitecustomize.py": "import brought\n", "any.pth": "import brought\n"}
    (interpreter / name).write_text(
        lines.get(
            name, f"import sys; exec({LEAVES_A_MARK.format(mark=str(tmp_path / 'mark'))!r})\n"
        )
    )

    result = await attack("harmless", readable=(str(tmp_path / "venv"),))

    assert not (tmp_path / "mark").exists()
    if result.outcome.status != "unavailable":
        assert result.outcome.status == "succeeded", result


async def test_what_an_install_brings_is_there_for_the_tool(
    interpreter: Path, tmp_path: Path
) -> None:
    """An editable install stands on a line of a `.pth` file."""
    interpreter.mkdir(parents=True)
    (interpreter / "any.pth").write_text("import sys; sys.brought = True\n")

    result = await attack("what_was_brought", readable=(str(tmp_path / "venv"),))

    if result.outcome.status != "unavailable":
        assert result.body is True, result
