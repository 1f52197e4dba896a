"""GNS3: network exercises of a college, all closed; no emulator is installed."""

import json
from collections.abc import Iterator

from seeds import gns3_labs as lab
from seeds.tokens import signed
from service import Place, Service, Wheels

PORT = 18990
SECRET = "5e0c9a7d3b1f8e6c4a2d0b9f7e5c3a1d8f6b4e2c0a9d7f5b3e1c8a6f4d2b0e9c"
TOKEN = signed(SECRET, {"sub": "admin", "exp": 4102444800})
FOLDERS = ("secrets", "images", "projects", "appliances", "symbols", "configs", "resources")
SETTINGS = """[Controller]
default_admin_username = admin
default_admin_password = laboratory
[Server]
name = lab-server
host = 127.0.0.1
port = {port}
report_errors = False
auto_discover_images = False
install_builtin_appliances = False
hardware_virtualization_check = False
secrets_dir = {data}/secrets
images_path = {data}/images
projects_path = {data}/projects
appliances_path = {data}/appliances
symbols_path = {data}/symbols
configs_path = {data}/configs
resources_path = {data}/resources
"""


def _prepare(place: Place) -> None:
    for name in FOLDERS:
        (place.data / name).mkdir()
    place.written("secrets/gns3_jwt_secret_key", SECRET)
    settings = place.written("gns3_server.conf", SETTINGS.format(port=place.port, data=place.data))
    for key, name, content in lab.labs():
        place.written(f"projects/{key}/{name}.gns3", json.dumps(content, indent=1))
        for file, text in lab.FILES[key].items():
            place.written(f"projects/{key}/{file}", text)
        for snapshot in lab.SNAPSHOTS.get(key, ()):
            place.written(f"projects/{key}/snapshots/{snapshot}.gns3project", "")
    for file, about in lab.APPLIANCES.items():
        place.written(f"appliances/{file}.gns3a", json.dumps(_appliance(*about)))
    rows = place.written("rows.json", json.dumps(list(_rows(place))))
    SERVICE.seeded(place, "gns3_load.py", str(settings), str(rows))


def _appliance(key: str, name: str, category: str, vendor: str, words: str) -> dict[str, object]:
    about = {"appliance_id": key, "name": name, "category": category, "description": words}
    maker = {"vendor_name": vendor, "vendor_url": "https://example.org", "product_name": name}
    keeper = {"maintainer": "Tomasz Wrona", "maintainer_email": "tomasz@havnevik.example"}
    made = {"registry_version": 4, "status": "stable", "symbol": f":/symbols/{category}.svg"}
    docker = {"adapters": 4, "image": f"havnevik/{name.split()[0].lower()}:latest"}
    return about | maker | keeper | made | {"docker": docker | {"console_type": "telnet"}}


def _rows(place: Place) -> Iterator[tuple[str, dict[str, object]]]:
    """By the name of their class; an exclamation mark and a list say that they name others."""
    for username, (key, name, active) in lab.PEOPLE.items():
        mail = f"{username}@havnevik.example"
        yield "User", {"user_id": key, "username": username, "email": mail, "full_name": name,
                       "hashed_password": "!", "is_active": active,
                       "last_login": "2026-11-13T07:05:00"}  # fmt: skip
    for name, (key, members) in lab.GROUPS.items():
        yield "UserGroup", {"user_group_id": key, "name": name, "users": list(members)}
    key, name, words = lab.ROLE
    about = {"role_id": key, "name": name, "description": words}
    yield "Role", about | {"privileges": list(lab.RIGHTS)}
    for key, path, who, role in lab.ACL:
        kind = "user" if who in lab.PEOPLE else "group"
        yield "ACE", {"ace_id": key, "ace_type": kind, "path": path, f"{kind}!": who,
                      "role!": role}  # fmt: skip
    titles = {key: title for key, title, _ in lab.labs()}
    for key, title in titles.items():
        yield "Resource", {"resource_id": key, "name": title, "resource_type": "project"}
    for name, (key, held) in lab.POOLS.items():
        resources = [titles[each] for each in held]
        yield "ResourcePool", {"resource_pool_id": key, "name": name, "resources": resources}
    for name, kind, size, checksum in lab.IMAGES:
        folder = "QEMU" if kind == "qemu" else "IOS"
        yield "Image", {"filename": name, "path": f"{place.data}/images/{folder}/{name}",
                        "image_type": kind, "image_size": size, "checksum": checksum,
                        "checksum_algorithm": "md5"}  # fmt: skip
    yield from lab.TEMPLATES
    yield "Compute", {"compute_id": lab.RACK, "name": "rack-b", "protocol": "http",
                      "host": "127.0.0.1", "port": PORT + 1, "user": "gns3"}  # fmt: skip


SERVICE = Service(
    name="gns3",
    part="report",
    install=Wheels("gns3"),
    port=PORT,
    prepare=_prepare,
    command=lambda place: [
        place.program("gns3server"),
        "--config",
        str(place.data / "gns3_server.conf"),
    ],
    environment=lambda _: {"TZ": "UTC"},
    ready="/v3/version",
    document="/openapi.json",
    credential=TOKEN,
    header="Authorization: Bearer",
)
