"""MCP servers over stdio of the part `develop_g`: wine, ancestors, a building site, a firm."""

import json
import os

from seeds import cellar_rows, family_papers, repair_desk, station_board
from service import NodePackages, Place, Service, Wheels

BOARD = "board/tasks.db"
DESK = "desk/ops.db"


def _fill_cellar(place: Place) -> None:
    """By the program's own import of exports, then what stands beside them."""
    exports = {
        "wines": cellar_rows.wines(),
        "bottles-stored": cellar_rows.stored(),
        "bottles-gone": cellar_rows.gone(),
    }
    (place.data / "raw").mkdir()
    files = []
    for name, rows in exports.items():
        path = place.data / "raw" / f"export-{name}.csv"
        path.write_bytes(cellar_rows.export(rows))
        files.append(str(path))
    output = str(place.data / "output")
    CELLARBRAIN.run(place, place.program("cellarbrain"), "etl", *files, "-o", output)
    CELLARBRAIN.seeded(place, "cellar_shell.py", output)


def _write_papers(place: Place) -> None:
    text = json.dumps(family_papers.project(), ensure_ascii=False, indent=1)
    place.written("projects/Brennecke.json", text)
    path = place.written("whitcombe.ged", family_papers.TREE)
    os.utime(path, (1_790_841_600, 1_790_841_600))


def _write_board(place: Place) -> None:
    (place.data / BOARD).parent.mkdir()
    station_board.write(place.data / BOARD)


def _write_desk(place: Place) -> None:
    (place.data / DESK).parent.mkdir()
    repair_desk.write(place.data / DESK)


CELLARBRAIN = Service(
    name="cellarbrain",
    kind="mcp",
    part="develop_g",
    install=Wheels("mcp-cellarbrain"),
    prepare=_fill_cellar,
    command=lambda place: [
        place.program("cellarbrain"),
        "-d",
        str(place.data / "output"),
        "mcp",
    ],
)
GENEALOGY = Service(
    name="genealogy",
    kind="mcp",
    part="develop_g",
    install=Wheels("mcp-genealogy"),
    fixed=True,
    prepare=_write_papers,
    command=lambda place: [place.program("genealogy-mcp")],
    environment=lambda place: {"GENEALOGY_MCP_HOME": str(place.data / "projects")},
)
OHNO = Service(
    name="ohno",
    kind="mcp",
    part="develop_g",
    install=NodePackages("mcp-ohno"),
    prepare=_write_board,
    command=lambda place: [place.program("ohno-mcp")],
    environment=lambda place: {"OHNO_DB_PATH": str(place.data / BOARD)},
)
FINAMATIK = Service(
    name="finamatik",
    kind="mcp",
    part="develop_g",
    install=Wheels("mcp-finamatik"),
    prepare=_write_desk,
    command=lambda place: [place.program("finamatik-ops-mcp")],
    environment=lambda place: {"OPS_MCP_DB": str(place.data / DESK)},
)
SERVICES = (CELLARBRAIN, GENEALOGY, OHNO, FINAMATIK)
