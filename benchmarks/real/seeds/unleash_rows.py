"""Unleash's invented data: the flags of a bicycle rental, written through its own API."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx

PROJECT = "/api/admin/projects/default"
USERS = [
    ("Ingrid Aasen", "ingrid.aasen@spoke.example.com", "ingrid", 1),
    ("Tomasz Wilk", "tomasz.wilk@spoke.example.com", "tomasz", 2),
    ("Chiara Bruni", "chiara.bruni@spoke.example.com", "chiara", 2),
    ("Omar Idrissi", "omar.idrissi@spoke.example.com", "omar", 3),
]
TAG_TYPES = [
    ("team", "Which team owns the flag", "T"),
    ("quarter", "Quarter in which the flag should be gone", "Q"),
]
CONTEXT = [
    ("city", "City of the rental station", ["bergen", "lyon", "graz", "porto"]),
    ("membership", "Plan of the rider", ["casual", "monthly", "yearly"]),
    ("bikeModel", "Model of the bike", []),
]
SEGMENTS = [
    ("Yearly riders", "People with a yearly plan", "membership", "IN", ["yearly"]),
    ("Lyon pilot", "Stations of the pilot in Lyon", "city", "IN", ["lyon"]),
    ("Staff phones", "Test phones of our own people", "userId", "IN", ["u-17", "u-23", "u-42"]),
]
# name: (type, description, tags, development, production, rollout, segments)
Flag = tuple[str, str, list[tuple[str, str]], bool, bool, str, list[int]]
FLAGS: dict[str, Flag] = {
    "unlock-by-nfc": (
        "release",
        "Unlock a bike by holding the phone to it",
        [("team", "app"), ("quarter", "2027-Q1")],
        True,
        True,
        "25",
        [2],
    ),
    "night-fare": (
        "experiment",
        "Cheaper rides between 22:00 and 5:00",
        [("team", "pricing")],
        True,
        False,
        "50",
        [],
    ),
    "battery-forecast": (
        "release",
        "Shows how far the battery will carry you",
        [("team", "bikes")],
        True,
        False,
        "100",
        [1],
    ),
    "payment-fallback": (
        "kill-switch",
        "Routes card payments to the second provider",
        [("team", "pricing")],
        False,
        False,
        "100",
        [],
    ),
    "station-heatmap": (
        "operational",
        "Heat map of full and empty stations",
        [("team", "ops")],
        True,
        True,
        "100",
        [],
    ),
    "helmet-locker": (
        "permission",
        "Lockers with helmets, for yearly plans only",
        [("team", "app")],
        False,
        True,
        "100",
        [1],
    ),
    "old-map-tiles": (
        "release",
        "Tiles of the previous map supplier",
        [("team", "app"), ("quarter", "2026-Q4")],
        True,
        True,
        "100",
        [],
    ),
    "gift-voucher": (
        "release",
        "Vouchers to give away",
        [("team", "pricing")],
        False,
        False,
        "0",
        [],
    ),
    "nfc-sound": (
        "experiment",
        "A sound after unlocking",
        [("team", "app")],
        True,
        False,
        "10",
        [],
    ),
}
ARCHIVED = ["summer-campaign", "paper-receipts"]
STALE = ["old-map-tiles"]
VARIANTS = [
    {"name": "minus-20", "weight": 500, "payload": ("string", "-20%")},
    {"name": "minus-40", "weight": 500, "payload": ("string", "-40%")},
]
VARIED = ("night-fare", "development")
PARENTS = {"nfc-sound": "unlock-by-nfc"}
LINKS = {"night-fare": ("https://wiki.spoke.example/night-fare", "Plan of the trial")}
STRATEGIES = [
    (
        "nearStation",
        "On for riders near one of the stations",
        [{"name": "stations", "type": "list", "description": "Station codes", "required": True}],
    ),
    (
        "lowBattery",
        "On for bikes below a charge",
        [{"name": "percent", "type": "percentage", "description": "Charge", "required": False}],
    ),
]
ADDONS = [
    (
        "webhook",
        "Deploy board",
        {"url": "http://127.0.0.1:9/board"},
        ["feature-created", "feature-archived"],
    ),
    (
        "webhook",
        "Night watch",
        {"url": "http://127.0.0.1:9/watch"},
        ["feature-environment-enabled", "feature-environment-disabled"],
    ),
]
TOKENS = [
    ("rider-app", "client", "production", "default:production.b1f07c5ce51c41dd9a3d1bb7d7a3a001"),
    (
        "dock-firmware",
        "client",
        "development",
        "default:development.b1f07c5ce51c41dd9a3d1bb7d7a3a002",
    ),
    ("website", "frontend", "production", "default:production.b1f07c5ce51c41dd9a3d1bb7d7a3a003"),
]
NAMED_TOKENS = [
    ("kiosk-lyon", "client", "production"),
    ("kiosk-graz", "client", "development"),
    ("shop-window", "frontend", "production"),
]
DOCKED = {"lyon": 214, "graz": 96, "bergen": 131}
CLIENT_TOKEN = {"production": TOKENS[0][3], "development": TOKENS[1][3]}
APPS = [
    ("rider-app-backend", "pod-a1", "production", "unleash-client-node:5.3.0", ["default"]),
    ("rider-app-backend", "pod-b2", "production", "unleash-client-node:6.1.0", ["default"]),
    ("dock-firmware", "dock-007", "development", "unleash-client-python:5.11.1", ["nearStation"]),
    ("fare-engine", "fare-1", "production", "unleash-client-go:3.9.0", ["flexibleRollout"]),
]
# app, instance, environment: {flag: (yes, no)}
USAGE: list[tuple[str, str, str, dict[str, tuple[int, int]]]] = [
    ("rider-app-backend", "pod-a1", "production", {"unlock-by-nfc": (120, 360)}),
    ("rider-app-backend", "pod-a1", "production", {"old-map-tiles": (900, 0)}),
    ("dock-firmware", "dock-007", "development", {"unlock-by-nfc": (40, 4)}),
    ("fare-engine", "fare-1", "production", {"night-fare": (0, 75), "moonlight-fare": (3, 0)}),
]


def seed(client: httpx.Client) -> None:
    """Everything above."""

    def call(method: str, path: str, body: object = None, **more: Any) -> httpx.Response:
        answer = client.request(method, path, json=body, **more)
        if not answer.is_success:
            raise SystemExit(f"unleash: {method} {path}: {answer.status_code} {answer.text}")
        return answer

    for name, mail, login, role in USERS:
        body: dict[str, Any] = {"name": name, "email": mail, "username": login, "rootRole": role}
        call("POST", "/api/admin/user-admin", body | {"sendEmail": False})
    for name, words, icon in TAG_TYPES:
        call("POST", "/api/admin/tag-types", {"name": name, "description": words, "icon": icon})
    for name, words, values in CONTEXT:
        legal = [{"value": value, "description": ""} for value in values]
        body = {"name": name, "description": words, "stickiness": False, "legalValues": legal}
        call("POST", "/api/admin/context", body)
    for name, words, field, operator, values in SEGMENTS:
        rule = {"contextName": field, "operator": operator, "values": values}
        body = {"name": name, "description": words, "constraints": [rule]}
        call("POST", "/api/admin/segments", body)
    for name, words, parameters in STRATEGIES:
        body = {"name": name, "description": words, "parameters": parameters}
        call("POST", "/api/admin/strategies", body)
    _flags(call)
    for provider, words, parameters, events in ADDONS:
        body = {
            "provider": provider,
            "description": words,
            "enabled": True,
            "parameters": parameters,
            "events": events,
        }
        call("POST", "/api/admin/addons", body)
    body = {"name": "Autumn interns", "expiresAt": "2030-01-31T00:00:00.000Z"}
    call("POST", "/api/admin/invite-link/tokens", body)
    for name, kind, environment in NAMED_TOKENS:
        body = {"tokenName": name, "type": kind, "environment": environment}
        call("POST", "/api/admin/api-tokens", body | {"projects": ["default"]})
    _clients(call)


def _flags(call: Any) -> None:
    variants = [
        {
            "name": each["name"],
            "weight": each["weight"],
            "weightType": "variable",
            "stickiness": "default",
            "payload": dict(zip(("type", "value"), each["payload"], strict=True)),
        }
        for each in VARIANTS
    ]
    for name, (kind, words, tags, development, production, rollout, segments) in FLAGS.items():
        body = {"name": name, "type": kind, "description": words, "impressionData": False}
        call("POST", f"{PROJECT}/features", body)
        for tag, value in tags:
            call("POST", f"/api/admin/features/{name}/tags", {"type": tag, "value": value})
        for environment, on in (("development", development), ("production", production)):
            place = f"{PROJECT}/features/{name}/environments/{environment}"
            rules = (
                [{"contextName": "bikeModel", "operator": "IN", "values": ["E2"]}]
                if name == "battery-forecast"
                else []
            )
            strategy = {
                "name": "flexibleRollout",
                "title": f"{rollout} % of the riders",
                "parameters": {"rollout": rollout, "stickiness": "default", "groupId": name},
                "constraints": rules,
                "segments": segments,
                "variants": variants if (name, environment) == VARIED else [],
            }
            call("POST", f"{place}/strategies", strategy)
            if on:
                call("POST", f"{place}/on")
    for name in ARCHIVED:
        call("POST", f"{PROJECT}/features", {"name": name, "type": "release"})
        call("DELETE", f"{PROJECT}/features/{name}")
    call("POST", f"{PROJECT}/stale", {"features": STALE, "stale": True})
    for child, parent in PARENTS.items():
        call("POST", f"{PROJECT}/features/{child}/dependencies", {"feature": parent})
    for name, (url, title) in LINKS.items():
        call("POST", f"{PROJECT}/features/{name}/link", {"url": url, "title": title})


def _clients(call: Any) -> None:
    for app, instance, environment, sdk, strategies in APPS:
        body: dict[str, Any] = {
            "appName": app,
            "instanceId": instance,
            "sdkVersion": sdk,
            "environment": environment,
            "strategies": strategies,
            "started": "2026-10-05T06:00:00.000Z",
            "interval": 10000,
        }
        headers = {"Authorization": CLIENT_TOKEN[environment]}
        call("POST", "/api/client/register", body, headers=headers)
    now = datetime.now(UTC)
    for app, instance, environment, usage in USAGE:
        body = {
            "appName": app,
            "instanceId": instance,
            "environment": environment,
            "bucket": {
                "start": (now - timedelta(minutes=1)).isoformat(),
                "stop": now.isoformat(),
                "toggles": {name: {"yes": yes, "no": no} for name, (yes, no) in usage.items()},
            },
        }
        headers = {"Authorization": CLIENT_TOKEN[environment]}
        call("POST", "/api/client/metrics", body, headers=headers)
    metrics = [
        {"name": "bikes_docked", "value": count, "labels": {"city": city}}
        for city, count in DOCKED.items()
    ]
    headers = {"Authorization": CLIENT_TOKEN["production"]}
    call("POST", "/api/client/metrics/custom", {"metrics": metrics}, headers=headers)
