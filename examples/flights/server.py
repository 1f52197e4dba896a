"""A real API server on loopback that serves every document of the example.

`python examples/flights/server.py` serves on the port that the documents name, for `gretel select`
and `langgraph dev`; the demo and the tests start it on a free port with `ApiServer`.
"""

import argparse
import asyncio
import contextlib
import socket
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from datetime import date
from types import TracebackType
from typing import Self

import uvicorn
from documents import (
    LIVE_PORT,
    Document,
    base_path,
    catalogue,
    is_dead,
    read_documents,
    with_ports,
)
from operations import Operation, Rejected, operations_of
from providers import BEHAVIOURS, Behaviour, answering
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from timetable import find_airport

from gretel.catalog import Catalog
from gretel.contracts.record import JsonObject, JsonValue

HOST = "127.0.0.1"


class ApiServer:
    """Serves documents from a thread, from `start` to `stop` or as a context manager.

    Answers depend on the request, `today` and `seed` alone. A dead provider gets a port that is
    taken but not listened on, so that connections to it are refused.

    Attributes:
        port: where the server listens.
        documents: the documents with the ports filled in.
    """

    def __init__(
        self,
        documents: Iterable[Document] | None = None,
        *,
        today: date,
        behaviours: Mapping[str, Behaviour] = BEHAVIOURS,
        seed: int = 7,
        port: int = 0,
    ) -> None:
        """Take the ports; nothing is answered before `start`.

        Args:
            documents: what to serve; the example's own by default.
            today: flights are offered from this day on.
            behaviours: by base path; others behave as their documents say.
            seed: another seed gives other data.
            port: 0 takes a free one.
        """
        source = read_documents() if documents is None else list(documents)
        self._live, self._dead = _bound(port), _bound(0)
        self.port: int = self._live.getsockname()[1]
        dead: int = self._dead.getsockname()[1]
        self.documents = tuple(with_ports(each, live=self.port, dead=dead) for each in source)
        app = Starlette(routes=_routes(source, behaviours, today=today, seed=seed))
        self._server = uvicorn.Server(
            uvicorn.Config(app, lifespan="off", ws="none", log_config=None, access_log=False)
        )
        self._thread = threading.Thread(target=self._serve, name="api-server", daemon=True)

    def _serve(self) -> None:
        self._server.run(sockets=[self._live])

    @property
    def hosts(self) -> tuple[str, ...]:
        """The `host:port` of every server that the documents name, dead ones included."""
        ports = (self.port, self._dead.getsockname()[1])
        return tuple(f"{HOST}:{port}" for port in ports)

    def catalogue(self) -> Catalog:
        """The served documents as one catalogue."""
        return catalogue(self.documents)

    def start(self) -> Self:
        """Listen; returns when requests are answered.

        Raises:
            RuntimeError: the server thread ended at once.
        """
        find_airport("")  # the airports load now, not in the first request that is timed
        self._thread.start()
        while not self._server.started:
            if not self._thread.is_alive():
                raise RuntimeError("the API server did not start")
            time.sleep(0.005)
        return self

    def stop(self) -> None:
        """Answer what is under way, then free the ports."""
        self._server.should_exit = True
        self._thread.join()
        self._live.close()
        self._dead.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


def _bound(port: int) -> socket.socket:
    taken = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    taken.bind((HOST, port))
    return taken


def _routes(
    documents: Iterable[Document],
    behaviours: Mapping[str, Behaviour],
    *,
    today: date,
    seed: int,
) -> list[Route]:
    return [
        _route(operation, answering(operation, behaviour, today=today, seed=seed), behaviour)
        for document in documents
        if not is_dead(document)
        for behaviour in [behaviours.get(base_path(document), Behaviour())]
        for operation in operations_of(document)
    ]


def _route(
    operation: Operation, answer: Callable[[JsonObject], JsonValue], behaviour: Behaviour
) -> Route:
    async def endpoint(request: Request) -> JSONResponse:
        await asyncio.sleep(behaviour.delay_ms / 1000)
        if not behaviour.authorized:
            return _problem(401, "unauthorized", "this account has no access")
        try:
            body = await request.body()
            arguments = operation.arguments(request.path_params, request.query_params, body)
            return JSONResponse(answer(arguments), operation.status)
        except Rejected as problem:
            return _problem(400, problem.code, str(problem))

    handler: Callable[[Request], Awaitable[JSONResponse]] = endpoint
    return Route(operation.path, handler, methods=[operation.method])


def _problem(status: int, code: str, message: str) -> JSONResponse:
    return JSONResponse({"error": code, "message": message}, status)


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=LIVE_PORT)
    parser.add_argument("--today", type=date.fromisoformat, default=date.today())
    options = parser.parse_args()
    with ApiServer(today=options.today, port=options.port) as server:
        print(f"{len(server.documents)} API documents on http://{HOST}:{server.port}")
        with contextlib.suppress(KeyboardInterrupt):
            threading.Event().wait()


if __name__ == "__main__":
    main()
