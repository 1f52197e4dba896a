"""ActivityWatch: what somebody did at which computer; its events come through its own API."""

import httpx
from service import Place, Service, Wheels

PORT = 18601
WINDOW = "aw-watcher-window_atelier-pc"
AFK = "aw-watcher-afk_atelier-pc"
WEB = "aw-watcher-web-firefox_atelier-pc"
LAPTOP = "aw-watcher-window_lena-laptop"
BUCKETS = {
    WINDOW: ("currentwindow", "aw-watcher-window", "atelier-pc"),
    AFK: ("afkstatus", "aw-watcher-afk", "atelier-pc"),
    WEB: ("web.tab.current", "aw-client-web", "atelier-pc"),
    LAPTOP: ("currentwindow", "aw-watcher-window", "lena-laptop"),
}
DAY = "2026-10-05T"
EVENTS: dict[str, list[tuple[str, int, dict[str, str | bool]]]] = {
    WINDOW: [
        ("08:00:00", 1500, {"app": "Thunderbird", "title": "Inbox - Harbour Books"}),
        ("08:25:00", 3600, {"app": "LibreOffice Calc", "title": "invoices-2026.ods"}),
        ("09:30:00", 5400, {"app": "Inkscape", "title": "poster-autumn-fair.svg"}),
        ("11:15:00", 900, {"app": "Firefox", "title": "Paper prices - Stationers Guild"}),
        ("13:00:00", 7200, {"app": "Inkscape", "title": "bookmark-series.svg"}),
    ],
    AFK: [
        ("08:00:00", 12600, {"status": "not-afk"}),
        ("11:30:00", 5400, {"status": "afk"}),
        ("13:00:00", 7200, {"status": "not-afk"}),
    ],
    WEB: [
        (
            "11:15:00",
            600,
            {"url": "https://stationers.example/prices", "title": "Paper prices", "audible": False},
        ),
        (
            "11:25:00",
            300,
            {"url": "https://weather.example/bergen", "title": "Bergen today", "audible": False},
        ),
    ],
    LAPTOP: [("19:10:00", 2700, {"app": "Zotero", "title": "Thesis library"})],
}


def _command(place: Place) -> list[str]:
    return [place.program("aw-server"), "--host", "127.0.0.1", "--port", str(place.port)]


def _environment(place: Place) -> dict[str, str]:
    kinds = ("DATA", "CONFIG", "CACHE", "STATE")
    homes = {f"XDG_{kind}_HOME": str(place.data / kind.lower()) for kind in kinds}
    # The order of its document comes from sets of strings.
    return {**homes, "PYTHONHASHSEED": "0"}


def _seed(client: httpx.Client) -> None:
    for bucket, (kind, watcher, host) in BUCKETS.items():
        described = {"type": kind, "client": watcher, "hostname": host}
        client.post(f"/0/buckets/{bucket}", json=described).raise_for_status()
        events = [
            {"timestamp": f"{DAY}{time}+00:00", "duration": seconds, "data": data}
            for time, seconds, data in EVENTS[bucket]
        ]
        client.post(f"/0/buckets/{bucket}/events", json=events).raise_for_status()


SERVICE = Service(
    name="activitywatch",
    part="develop",
    install=Wheels("aw-server"),
    port=PORT,
    base="/api",
    command=_command,
    environment=_environment,
    ready="/api/0/info",
    document="/api/swagger.json",
    seed=_seed,
)
