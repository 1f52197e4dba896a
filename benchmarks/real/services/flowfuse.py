"""FlowFuse: a bottler's machines and the Node-RED that runs on them; nothing of it really runs."""

import json

from seeds import postgres
from seeds.flowfuse_rows import ROWS
from service import HERE, NodePackages, Place, Service

PORT = 18741
DATABASE = 18742
TOKEN = "ffpat_Vb3kQw8sT1nZr5yLd7mXc2pHf9gJ4uKa6eRt0iWo"
CONFIG = """host: 127.0.0.1
port: {port}
base_url: http://127.0.0.1:{port}
db: {{type: postgres, host: 127.0.0.1, port: {database}, user: service, database: postgres}}
driver: {{type: stub}}
email: {{enabled: false}}
telemetry: {{enabled: false}}
logging: {{level: warn}}
"""


def _prepare(place: Place) -> None:
    place.written("etc/flowforge.yml", CONFIG.format(port=place.port, database=DATABASE))
    rows = place.written("rows.json", json.dumps(ROWS))
    forge = place.home / "node_modules/@flowfuse/flowfuse/forge"
    load = f"node {HERE / 'seeds' / 'flowfuse_load.js'} {forge / 'forge.js'} {rows} {TOKEN}"
    postgres.script(place, DATABASE, f"bash -c '{load} && exec node {forge / 'app.js'}'")


SERVICE = Service(
    name="flowfuse",
    part="develop_f",
    install=NodePackages("flowfuse"),
    port=PORT,
    prepare=_prepare,
    command=postgres.started,
    environment=lambda place: {
        "NODE_ENV": "production",
        "FLOWFORGE_HOME": str(place.data),
        "TZ": "UTC",
    },
    ready="/api/json",
    document="/api/json",
    credential=TOKEN,
    header="Authorization: Bearer",
)
