"""Etherpad: texts that several people write; people by file, pads through its own API."""

import json

import httpx
from service import NodePackages, Place, Service

PORT = 18606
KEY = "etherpad-key-of-the-benchmark"
GROUPS = {"committee": "g.Fjordside0Commit", "kitchen": "g.Fjordside0Kitche"}
AUTHORS = {
    "ruth": ("a.RuthSolberg00001", "Ruth Solberg", ["seed-order", "water-rota"]),
    "amir": ("a.AmirHaddad000001", "Amir Haddad", ["water-rota"]),
    "bea": ("a.BeaQuist00000001", "Bea Quist", []),
}
SESSION = ("s.CommitteeSession", "committee", "ruth", 1_900_000_000)
PADS = {
    "seed-order": [
        "Seed order 2027\nPotatoes: 20 kg\n",
        "Seed order 2027\nPotatoes: 25 kg\nBeans: 3 kg\n",
    ],
    "water-rota": ["Water rota, week 41\nMonday Ruth\nWednesday Amir\nFriday Bea\n"],
    "soup-recipe": ["Pumpkin soup for 6\n1.2 kg pumpkin, 2 onions, 1 l stock\n"],
}
GROUP_PADS = {"committee": {"minutes": "Minutes of 12 October 2026\nRent stays at 85 EUR.\n"}}
CHAT = {
    "water-rota": [
        ("amir", "I can swap Wednesday for Thursday.", 1_791_190_800_000),
        ("ruth", "Fine with me.", 1_791_190_860_000),
    ]
}
SAVED = {"seed-order": 1}


def _prepare(place: Place) -> None:
    settings = {
        "title": "Fjordside pads",
        "ip": "127.0.0.1",
        "port": place.port,
        "dbType": "dirty",
        "dbSettings": {"filename": str(place.data / "pads.db")},
        "defaultPadText": "",
        "minify": False,
        "loglevel": "WARN",
        "updateServer": "http://127.0.0.1:9",
    }
    place.written("settings.json", json.dumps(settings))
    place.written("key.txt", KEY)
    rows = [json.dumps({"key": key, "val": value}) for key, value in _rows().items()]
    place.written("pads.db", "\n".join(rows) + "\n")


def _rows() -> dict[str, object]:
    """People and groups, in the form of Etherpad's own database; its API would draw their ids."""
    rows: dict[str, object] = {"groups": dict.fromkeys(GROUPS.values(), 1)}
    for mapper, group in GROUPS.items():
        rows[f"mapper2group:{mapper}"] = group
        rows[f"group:{group}"] = {"pads": {}, "mappings": {mapper: 1}}
    for number, (mapper, (author, name, pads)) in enumerate(AUTHORS.items()):
        rows[f"mapper2author:{mapper}"] = author
        rows[f"globalAuthor:{author}"] = {
            "colorId": number,
            "name": name,
            "timestamp": 1_790_841_600_000,
            "padIDs": dict.fromkeys(pads, 1),
        }
    session, group, author, end = SESSION
    group, author = GROUPS[group], AUTHORS[author][0]
    rows[f"session:{session}"] = {"groupID": group, "authorID": author, "validUntil": end}
    rows[f"group2sessions:{group}"] = {"sessionIDs": {session: 1}}
    rows[f"author2sessions:{author}"] = {"sessionIDs": {session: 1}}
    return rows


def _command(place: Place) -> list[str]:
    files = [
        "--settings",
        str(place.data / "settings.json"),
        "--apikey",
        str(place.data / "key.txt"),
    ]
    return ["node", str(place.home / "src" / "node" / "server.js"), *files]


def _seed(client: httpx.Client) -> None:
    def call(name: str, **values: str | int) -> None:
        answer = client.post(f"/{name}", params={"apikey": KEY}, data=values)
        if answer.json()["code"] != 0:
            raise SystemExit(f"etherpad: {name}: {answer.text}")

    for pad, texts in PADS.items():
        call("createPad", padID=pad, text=texts[0])
        for text in texts[1:]:
            call("setText", padID=pad, text=text)
    for group, pads in GROUP_PADS.items():
        for pad, text in pads.items():
            call("createGroupPad", groupID=GROUPS[group], padName=pad, text=text)
    for pad, messages in CHAT.items():
        for author, text, moment in messages:
            who = AUTHORS[author][0]
            call("appendChatMessage", padID=pad, text=text, authorID=who, time=moment)
    for pad, revision in SAVED.items():
        call("saveRevision", padID=pad, rev=revision)


SERVICE = Service(
    name="etherpad",
    part="develop_e",
    install=NodePackages("etherpad", moved="ep_etherpad-lite"),
    port=PORT,
    base="/api/1.2.15",
    prepare=_prepare,
    command=_command,
    cwd=lambda place: place.home / "src",
    environment=lambda _: {"NODE_ENV": "production"},
    ready="/api/openapi.json",
    document="/api/openapi.json",
    seed=_seed,
    credential=KEY,
)
