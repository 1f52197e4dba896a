"""Servers that choose what is dear to reckon in TLS, before or behind their certificate."""

import ssl
import threading
from typing import Any

import httpcore
import pytest
from anyio.abc import ByteStream

from gretel.sandbox.network.egress import EgressTransport
from gretel.sandbox.network.tls import context, secured
from gretel.sandbox.permission.policy import Policy


class Silent(ByteStream):
    """A connection over which nothing comes."""

    async def receive(self, max_bytes: int = 65_536) -> bytes:
        return b""

    async def send(self, item: bytes) -> None:
        pass

    async def send_eof(self) -> None:
        pass

    async def aclose(self) -> None:
        pass


class Dear:
    """A context whose greeting takes two steps, and notes by which threads they are taken."""

    def __init__(self, end: Exception | None = None) -> None:
        self.threads: list[threading.Thread] = []
        self._end = end

    def wrap_bio(self, *_: Any, **__: Any) -> "Dear":
        return self

    def do_handshake(self) -> None:
        self.threads.append(threading.current_thread())
        if len(self.threads) == 1:
            raise ssl.SSLWantReadError
        if self._end:
            raise self._end


def test_no_exchange_of_keys_has_a_modulus_of_the_servers_own() -> None:
    pool: Any = EgressTransport(Policy())._pool
    ciphers = pool._ssl_context.get_ciphers()
    assert "kx-dhe" not in {each["kea"] for each in ciphers}
    assert {"TLSv1.2", "TLSv1.3"} <= {each["protocol"] for each in ciphers}
    assert pool._ssl_context is context() and context().verify_mode is ssl.CERT_REQUIRED


async def test_a_greeting_is_reckoned_beside_the_event_loop() -> None:
    settings: Any = Dear()
    await secured(Silent(), settings, "api.example.com", 5.0)
    assert len(settings.threads) == 2 and threading.current_thread() not in settings.threads


@pytest.mark.parametrize("end", [ssl.SSLError("no"), UnicodeError("no name")])
async def test_a_greeting_that_fails_is_no_connection(end: Exception) -> None:
    settings: Any = Dear(end)
    with pytest.raises(httpcore.ConnectError):
        await secured(Silent(), settings, "api.example.com", 5.0)
