"""More MCP servers over stdio, of other makers."""

import subprocess

from service import HERE, Place, Service, Wheels

FOLDER = "books"


def _written_by(place: Place, seed: str, *arguments: str) -> None:
    """By a seed that needs what the server itself is installed with."""
    command = [place.program("python"), str(HERE / "seeds" / seed), *arguments]
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(place.data)}
    done = subprocess.run(command, cwd=place.data, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{seed}: {done.stderr[-2000:]}")


def _write_workbooks(place: Place) -> None:
    (place.data / FOLDER).mkdir()
    _written_by(place, "excel_books.py", str(place.data / FOLDER))


def _write_rows(place: Place) -> None:
    _written_by(place, "assistant_rows.py")


SERVICES = (
    Service(
        name="excel",
        kind="mcp",
        package="excel-mcp-server (PyPI)",
        version="2.2.2",
        licence="MIT",
        make="Python, MCP",
        trait="every tool takes the path of the workbook; a parameter that says what a tool does",
        part="develop_b",
        install=Wheels("mcp-excel"),
        fixed=True,
        prepare=_write_workbooks,
        command=lambda place: [
            place.program("excel-mcp-server"),
            "stdio",
            "--allow-dir",
            str(place.data / FOLDER),
        ],
    ),
    Service(
        name="assistant",
        kind="mcp",
        package="mcp-personal-assistant (PyPI)",
        version="0.2.2",
        licence="MIT",
        make="Python, MCP",
        trait="no hints; unknown ids are answered as a success; its tables in the home folder",
        part="develop_b",
        install=Wheels("mcp-assistant"),
        prepare=_write_rows,
        command=lambda place: [place.program("mcp-personal-assistant")],
    ),
)
