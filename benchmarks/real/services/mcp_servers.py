"""MCP servers over stdio. Whoever asks one starts it, by the command in `services.json`."""

import json
import os
import sqlite3
import subprocess

from seeds.allotment import DIARY, FILES, KNOWLEDGE, LIBRARY
from service import NodePackages, Place, Service, Wheels

FOLDER = "allotment"
BOOKS = "books"


def _write_files(place: Place) -> None:
    for name, text in FILES.items():
        path = place.written(f"{FOLDER}/{name}", text)
        os.utime(path, (1_790_841_600, 1_790_841_600))


def _write_knowledge(place: Place) -> None:
    lines = [json.dumps(row, ensure_ascii=False) for row in KNOWLEDGE]
    place.written("memory.jsonl", "\n".join(lines) + "\n")


def _write_library(place: Place) -> None:
    connection = sqlite3.connect(place.data / "library.sqlite3")
    connection.executescript(LIBRARY)
    connection.close()


def _commit_diary(place: Place) -> None:
    """A repository whose hashes are the same at every start."""
    repository = place.data / "diary"
    repository.mkdir()
    person = {"NAME": "Ruth Solberg", "EMAIL": "ruth@harbour.example"}
    fixed = {
        f"GIT_{who}_{key}": value
        for who in ("AUTHOR", "COMMITTER")
        for key, value in person.items()
    }
    environment = {"PATH": os.environ["PATH"], "HOME": str(place.data), **fixed}

    def git(*words: str, moment: str = "2026-10-01T08:00:00+00:00") -> None:
        dates = {"GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": moment}
        command = ["git", "-c", "init.defaultBranch=main", *words]
        subprocess.run(
            command, cwd=repository, env={**environment, **dates}, check=True, capture_output=True
        )

    git("init")
    for moment, branch, message, files in DIARY:
        if branch != "main":
            git("checkout", "-B", branch)
        for name, text in files.items():
            (repository / name).write_text(text)
        git("add", ".")
        git("commit", "--message", message, moment=moment)
        git("checkout", "main")
    (repository / "todo.md").write_text(
        "- order seed potatoes\n- mend the gate\n- call the surveyor\n"
    )


def _write_workbooks(place: Place) -> None:
    (place.data / BOOKS).mkdir()
    EXCEL.seeded(place, "excel_books.py", str(place.data / BOOKS))


def _write_rows(place: Place) -> None:
    ASSISTANT.seeded(place, "assistant_rows.py")


EXCEL = Service(
    name="excel",
    kind="mcp",
    part="develop_b",
    install=Wheels("mcp-excel"),
    fixed=True,
    prepare=_write_workbooks,
    command=lambda place: [
        place.program("excel-mcp-server"),
        "stdio",
        "--allow-dir",
        str(place.data / BOOKS),
    ],
)
ASSISTANT = Service(
    name="assistant",
    kind="mcp",
    part="develop_b",
    install=Wheels("mcp-assistant"),
    prepare=_write_rows,
    command=lambda place: [place.program("mcp-personal-assistant")],
)
SERVICES = (
    Service(
        name="filesystem",
        kind="mcp",
        part="develop",
        install=NodePackages("mcp"),
        fixed=True,
        prepare=_write_files,
        command=lambda place: [place.program("mcp-server-filesystem"), str(place.data / FOLDER)],
    ),
    Service(
        name="memory",
        kind="mcp",
        part="develop_e",
        install=NodePackages("mcp"),
        prepare=_write_knowledge,
        command=lambda place: [place.program("mcp-server-memory")],
        environment=lambda place: {"MEMORY_FILE_PATH": str(place.data / "memory.jsonl")},
    ),
    Service(
        name="git",
        kind="mcp",
        part="develop_e",
        install=Wheels("mcp"),
        fixed=True,
        prepare=_commit_diary,
        command=lambda place: [
            place.program("mcp-server-git"),
            "--repository",
            str(place.data / "diary"),
        ],
    ),
    Service(
        name="time",
        kind="mcp",
        part="develop",
        install=Wheels("mcp"),
        command=lambda place: [place.program("mcp-server-time"), "--local-timezone", "UTC"],
    ),
    Service(
        name="sqlite",
        kind="mcp",
        part="develop",
        install=Wheels("mcp-sqlite"),
        prepare=_write_library,
        command=lambda place: [
            place.program("mcp-server-sqlite"),
            "--db-path",
            str(place.data / "library.sqlite3"),
        ],
    ),
    EXCEL,
    ASSISTANT,
)
