"""Redirects: none is followed, whatever its status, target or form."""

import pytest
from arena import Arena

from hostile_server import answer

TARGETS = {
    "metadata": "http://169.254.169.254/latest/meta-data/",
    "loopback": "http://127.0.0.1:1/",
    "loopback-ipv6": "http://[::1]:1/",
    "decimal": "http://2130706433/",
    "nat64": "http://[64:ff9b::a9fe:a9fe]/",
    "other-host": "https://evil.test/",
    "relative": "/ok",
    "relative-up": "../../ok",
    "no-scheme": "//169.254.169.254/",
    "itself": "?again",
    "tls": "https://127.0.0.1/",
    "file": "file:///etc/passwd",
    "gopher": "gopher://127.0.0.1:6379/_INFO",
    "javascript": "javascript:alert(1)",
    "data": "data:application/json,{}",
    "user": "http://api.example.com@127.0.0.1/",
    "backslash": "http:\\\\127.0.0.1\\",
    "empty": "",
    "long": "/" + "a" * 20_000,
    "not-a-url": "http://[",
}
STATUSES = {
    300: "protocol",
    301: "drift",
    302: "protocol",
    303: "protocol",
    304: "protocol",
    305: "protocol",
    306: "protocol",
    307: "protocol",
    308: "drift",
    399: "protocol",
}
HEADERS = {
    "refresh": "Refresh: 0; url={}",
    "alt-svc": 'Alt-Svc: h2="169.254.169.254:80"; ma=99',
    "content-location": "Content-Location: {}",
    "link": "Link: <{}>; rel=next",
    "location-of-success": "Location: {}",
    "hsts": "Strict-Transport-Security: max-age=31536000",
    "report": 'Report-To: {{"endpoints":[{{"url":"{}"}}]}}',
}


@pytest.mark.parametrize("name", TARGETS)
async def test_no_target_is_called(name: str, arena: Arena) -> None:
    arena.api.answers["away"] = answer(b"", f"Location: {TARGETS[name]}", status="302 Found")
    outcome = await arena.answer_of("away")
    arena.assert_judged(outcome, "protocol")
    assert outcome.http_status == 302
    assert outcome.failure is not None and "redirects" in outcome.failure.detail


@pytest.mark.parametrize("status", STATUSES)
async def test_no_status_is_followed(status: int, arena: Arena) -> None:
    location = f"Location: {arena.api.url('ok')}"
    arena.api.answers["away"] = answer(b"", location, status=f"{status} Away")
    outcome = await arena.answer_of("away")
    arena.assert_judged(outcome, STATUSES[status])
    assert outcome.failure is not None and "redirects" in outcome.failure.detail


@pytest.mark.parametrize("name", HEADERS)
async def test_no_header_leads_elsewhere(name: str, arena: Arena) -> None:
    header = HEADERS[name].format(TARGETS["metadata"])
    arena.api.answers["away"] = answer(b'{"a": 1}', header)
    arena.assert_judged(await arena.answer_of("away"), "succeeded")


async def test_two_locations(arena: Arena) -> None:
    lines = ("Location: /ok", "Location: http://169.254.169.254/")
    arena.api.answers["away"] = answer(b"", *lines, status="302 Found")
    arena.assert_judged(await arena.answer_of("away"), "protocol")


async def test_a_page_that_refreshes_itself(arena: Arena) -> None:
    page = b"<html><meta http-equiv=refresh content='0;url=http://169.254.169.254/'></html>"
    arena.api.answers["away"] = answer(page, kind="text/html")
    arena.assert_judged(await arena.answer_of("away"), "protocol")
