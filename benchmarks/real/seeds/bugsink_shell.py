"""Run by `bugsink-manage shell` on an empty database."""

import json
import os
import random

from bsmain.models import AuthToken
from django.test import Client
from issues.models import Issue
from projects.models import Project
from teams.models import Team

# UUIDs are random: with a fixed source they are the same wherever this runs.
CHANCE = random.Random(16)
os.urandom = CHANCE.randbytes

PROJECTS = {
    "Shop floor": ["Webshop", "Till"],
    "Back office": ["Invoicing"],
    "Night shift": [],
}
# project: (release, type, value, function, file, how often, environment)…
ERRORS = {
    "Webshop": [
        ("2.3.0", "KeyError", "'voucher_code'", "apply_voucher", "shop/cart.py", 3, "production"),
        (
            "2.3.0",
            "TimeoutError",
            "payment gateway did not answer in 10 s",
            "charge",
            "shop/pay.py",
            2,
            "production",
        ),
        (
            "2.4.0",
            "ZeroDivisionError",
            "division by zero",
            "average_rating",
            "shop/reviews.py",
            1,
            "staging",
        ),
    ],
    "Till": [
        (
            "1.0.7",
            "PrinterOffline",
            "receipt printer 3 is offline",
            "print_receipt",
            "till/printer.py",
            4,
            "production",
        ),
    ],
    "Invoicing": [
        (
            "0.9.1",
            "ValueError",
            "invalid IBAN 'NO93 8601 1117'",
            "parse_iban",
            "invoicing/bank.py",
            2,
            "production",
        ),
        (
            "0.9.2",
            "PermissionError",
            "archive/2026-09 is read-only",
            "store_pdf",
            "invoicing/archive.py",
            1,
            "production",
        ),
    ],
}


def event(release, kind, value, function, file, environment, number):
    """As an SDK of Sentry would send it."""
    frame = {"filename": file, "function": function, "lineno": 42, "in_app": True}
    return {
        "event_id": CHANCE.randbytes(16).hex(),
        "timestamp": f"2026-10-05T09:{number:02d}:00Z",
        "platform": "python",
        "level": "error",
        "release": release,
        "environment": environment,
        "server_name": "atelier-pc",
        "transaction": function,
        "exception": {
            "values": [{"type": kind, "value": value, "stacktrace": {"frames": [frame]}}]
        },
    }


AuthToken.create_full_access(token=os.environ["SEED_TOKEN"], description="benchmark")
client = Client()
number = 0
for team_name, names in PROJECTS.items():
    team = Team.objects.create(name=team_name)
    for name in names:
        project = Project.objects.create(name=name, team=team, slug=name.lower())
        for release, kind, value, function, file, times, environment in ERRORS[name]:
            for _ in range(times):
                number += 1
                body = event(release, kind, value, function, file, environment, number)
                answer = client.post(
                    f"/api/{project.id}/store/?sentry_key={project.sentry_key.hex}",
                    json.dumps(body),
                    content_type="application/json",
                )
                assert answer.status_code == 200, answer.content
resolved = Issue.objects.get(calculated_type="ZeroDivisionError")
token = {"Authorization": f"Bearer {os.environ['SEED_TOKEN']}"}
for issue, change in (
    (resolved, "resolve"),
    (Issue.objects.get(calculated_type="PermissionError"), "mute"),
):
    answer = client.post(f"/api/canonical/0/issues/{issue.id}/{change}/", headers=token)
    assert answer.status_code < 300, answer.content
