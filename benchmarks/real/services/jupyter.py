"""Jupyter Server: notebooks, files, kernels and sessions of a shore laboratory."""

import json
import os

import httpx
from seeds.shore_lab import BYTES, CONFIG, NOTEBOOKS, TEXTS
from service import Place, Service, Wheels

PORT = 18701
TOKEN = "4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4"
CHANGED = 1_791_200_000
"""When the first file was last changed, in October 2026; each other one an hour after."""
SETTINGS = """import random, uuid
from jupyter_client.multikernelmanager import MultiKernelManager
from jupyter_server.services.sessions.sessionmanager import SessionManager

# Ids are random: with fixed sources they are the same wherever this runs.
kernels, sessions = random.Random(23), random.Random(29)
fixed = lambda source: str(uuid.UUID(int=source.getrandbits(128), version=4))
MultiKernelManager.new_kernel_id = lambda self, **_: fixed(kernels)
SessionManager.new_session_id = lambda self: fixed(sessions)

c.ServerApp.ip = "127.0.0.1"
c.ServerApp.port = {port}
c.ServerApp.port_retries = 0
c.ServerApp.open_browser = False
c.ServerApp.allow_root = True
c.ServerApp.terminals_enabled = False
c.ServerApp.root_dir = "{data}/work"
c.IdentityProvider.token = "{token}"
"""
KERNELS = {"tides": "Python (tides)", "survey-tools": "Python (survey tools)"}
SESSIONS = (
    ("surveys/2026-10-anemones.ipynb", "2026-10-anemones.ipynb", "notebook", "survey-tools"),
    ("tides/harmonics.ipynb", "harmonics.ipynb", "notebook", "tides"),
    ("teaching/demo-console", "Demo for the students", "console", "python3"),
)
CHECKPOINTS = ("reports/autumn.ipynb", "tides/harmonics.ipynb", "teaching/roster.txt")


def _prepare(place: Place) -> None:
    place.written("config/jupyter_server_config.py", _settings(place))
    for name, title in KERNELS.items():
        launch = ("-m", "ipykernel_launcher", "-f", "{connection_file}")
        spec = {
            "argv": [place.program("python"), *launch],
            "display_name": title,
            "language": "python",
        }
        place.written(f"share/kernels/{name}/kernel.json", json.dumps(spec))
    for path, cells in NOTEBOOKS.items():
        place.written(f"work/{path}", _notebook(cells))
    for path, text in TEXTS.items():
        place.written(f"work/{path}", text)
    for path, content in BYTES.items():
        place.written(f"work/{path}", "").write_bytes(content)
    for hours, path in enumerate([*NOTEBOOKS, *TEXTS, *BYTES]):
        moment = CHANGED + 3600 * hours
        os.utime(place.data / "work" / path, (moment, moment))


def _settings(place: Place) -> str:
    return SETTINGS.format(port=place.port, data=place.data, token=TOKEN)


def _notebook(cells: tuple[str, ...]) -> str:
    listed = [
        {"cell_type": "markdown", "id": f"cell-{place}", "metadata": {}, "source": cell}
        if cell.startswith("# ")
        else {
            "cell_type": "code",
            "execution_count": None,
            "id": f"cell-{place}",
            "metadata": {},
            "outputs": [],
            "source": cell,
        }
        for place, cell in enumerate(cells)
    ]
    about = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    return json.dumps({"cells": listed, "metadata": about, "nbformat": 4, "nbformat_minor": 5})


def _seed(client: httpx.Client) -> None:
    def sent(method: str, path: str, data: object = None) -> None:
        client.request(method, path, json=data).raise_for_status()

    for section, values in CONFIG.items():
        sent("PATCH", f"/api/config/{section}", values)
    for path in CHECKPOINTS:
        sent("POST", f"/api/contents/{path}/checkpoints")
    for path, name, kind, kernel in SESSIONS:
        data = {"path": path, "name": name, "type": kind, "kernel": {"name": kernel}}
        sent("POST", "/api/sessions", data)
    sent("POST", "/api/kernels", {"name": "python3"})


SERVICE = Service(
    name="jupyter",
    part="develop_d",
    install=Wheels("jupyter"),
    port=PORT,
    prepare=_prepare,
    command=lambda place: [place.program("python"), "-m", "jupyter_server"],
    environment=lambda place: {
        "JUPYTER_CONFIG_DIR": str(place.data / "config"),
        "JUPYTER_DATA_DIR": str(place.data / "share"),
        "JUPYTER_RUNTIME_DIR": str(place.data / "runtime"),
        "IPYTHONDIR": str(place.data / "ipython"),
    },
    ready="/api/status",
    document="/api/spec.yaml",
    syntax="yaml",
    seed=_seed,
    credential=TOKEN,
    header="Authorization: Bearer",
)
