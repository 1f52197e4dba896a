"""What Orthanc publishes: `Orthanc --openapi`, which asks its makers' server for samples.

A read whose sample cannot be had is left out, a third of all, and that server cannot be reached
from here. So the command is run on a copy of the program that asks this machine instead, where
every sample is `{}`; the name of the server is put back into what it writes.
"""

import subprocess
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

from service import Place

PORT = 8713
THEIRS = b"https://demo.orthanc-server.com"
# Of the same length, so that nothing else moves.
OURS = f"http://no-sample@127.0.0.1:{PORT}".encode()


class _Sample(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_: object) -> None:
        """Nothing is written of what is asked."""


def write(place: Place, program: str, environment: Mapping[str, str], name: str) -> None:
    """Write the document to `name` below the folder of what is installed."""
    copy, made = place.home / "Orthanc-without-samples", place.home / name
    copy.write_bytes(Path(program).read_bytes().replace(THEIRS, OURS))
    copy.chmod(0o755)
    server = HTTPServer(("127.0.0.1", PORT), _Sample)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        command = [str(copy), f"--openapi={made}"]
        subprocess.run(command, env=dict(environment), check=True, capture_output=True)
    finally:
        server.shutdown()
        server.server_close()
        copy.unlink()
    made.write_bytes(made.read_bytes().replace(OURS, THEIRS))
