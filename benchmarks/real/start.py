"""Services that nobody here wrote, installed, seeded and started on loopback by one command.

    python benchmarks/real/start.py [--part PART…] [--only NAME…] [--out build/real] [--check]

Each is installed once, into a folder of its own below `--out`; its data is made anew at each start.
When all are ready, `documents/` holds what each publishes, and `services.json` says where each is.
They run until Ctrl-C or SIGTERM; `--check` stops them as soon as all are ready.
"""

import argparse
import contextlib
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from install import installed
from listing import save, saved_as
from service import HERE, PARTS, Place, Service, emptied
from services import SERVICES

PATIENCE_S = 240.0
"""For one service to become ready, on a machine that has others at work."""
GRACE_S = 10.0
"""Between asking a service to end and ending it."""


@dataclass
class Running:
    """The processes that we started."""

    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def start(self, service: Service, place: Place) -> None:
        """Start it in a process group of its own, so that its children end with it."""
        log = place.out / "logs" / f"{service.name}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("wb") as stream:
            self.processes[service.name] = subprocess.Popen(
                service.command(place),
                cwd=service.cwd(place),
                env=service.variables(place),
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def ended(self) -> str | None:
        """The name of one that is no longer there."""
        over = (name for name, process in self.processes.items() if process.poll() is not None)
        return next(over, None)

    def stop(self) -> None:
        """End every process group, first with SIGTERM, what is left with SIGKILL."""
        self._signal(signal.SIGTERM)
        deadline = time.monotonic() + GRACE_S
        for process in self.processes.values():
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0.1, deadline - time.monotonic()))
        self._signal(signal.SIGKILL)
        for process in self.processes.values():
            process.wait()

    def _signal(self, number: signal.Signals) -> None:
        for process in self.processes.values():
            # The group outlives its leader while any member does.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, number)


def main() -> int:
    """Start what the command line names; 0 where all came up and none ended by itself."""
    options = _arguments()
    out: Path = options.out.resolve()
    chosen = [
        each
        for each in SERVICES
        if each.name in (options.only or [each.name]) and each.part in (options.part or [each.part])
    ]
    (out / "services.json").unlink(missing_ok=True)
    running = Running()
    with _interruptible():
        try:
            for service in chosen:
                _bring_up(service, service.place(out), running)
            _write_table(chosen, out)
            _say(f"{len(chosen)} services are ready: {out / 'services.json'}")
            if options.check:
                return 0
            _say("Ctrl-C stops them")
            return _watch(running)
        except KeyboardInterrupt:
            return 0
        finally:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            _say("stopping")
            running.stop()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = [each.name for each in SERVICES]
    parser.add_argument("--part", nargs="+", choices=PARTS, help="all services of these parts")
    parser.add_argument("--only", nargs="+", choices=names, metavar="NAME", help=", ".join(names))
    parser.add_argument("--out", type=Path, default=HERE.parent.parent / "build" / "real")
    parser.add_argument("--check", action="store_true", help="stop as soon as all are ready")
    return parser.parse_args()


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    """SIGTERM ends us as Ctrl-C does; so does SIGINT where a shell has us ignore it."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
    signal.signal(signal.SIGINT, interrupt)
    yield


def _bring_up(service: Service, place: Place, running: Running) -> None:
    """Install, seed, start, wait, and save what it publishes."""
    start = time.monotonic()
    fresh = installed(place)
    after = time.monotonic()
    _prepare(service, place)
    if service.kind == "http":
        running.start(service, place)
        _wait(service, place, running)
        with httpx.Client(
            base_url=place.url + service.base, headers=service.headers(), timeout=60
        ) as client:
            service.seed(client)
    save(service, place)
    took = f"ready after {time.monotonic() - after:.1f} s"
    _say(f"{service.name:16} {took}" + (f", installed in {after - start:.0f} s" if fresh else ""))


def _prepare(service: Service, place: Place) -> None:
    """The data folder as `prepare` makes it; a copy where it was made before."""
    kept = place.out / "seeded" / service.name
    stamp = kept.with_suffix(".digest")
    module = Path(sys.modules[service.command.__module__].__file__ or "")
    sources = [module, *sorted((HERE / "seeds").glob("*.py"))]
    read = b"".join(path.read_bytes() for path in sources) + repr(service.install).encode()
    digest = hashlib.sha256(read).hexdigest()
    shutil.rmtree(place.data, ignore_errors=True)
    if stamp.exists() and stamp.read_text() == digest:
        shutil.copytree(kept, place.data, symlinks=True)
        return
    emptied(place.data)
    service.prepare(place)
    shutil.rmtree(kept, ignore_errors=True)
    shutil.copytree(place.data, kept, symlinks=True)
    stamp.write_text(digest)


def _wait(service: Service, place: Place, running: Running) -> None:
    """Until it answers."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        if running.processes[service.name].poll() is not None:
            break
        with contextlib.suppress(httpx.TransportError):
            answer = httpx.get(place.url + service.ready, headers=service.headers(), timeout=5)
            if answer.is_success:
                return
        time.sleep(0.25)
    log = place.out / "logs" / f"{service.name}.log"
    raise SystemExit(f"{service.name} did not become ready:\n{log.read_text()[-2000:]}")


def _write_table(chosen: Sequence[Service], out: Path) -> None:
    rows = []
    for service in chosen:
        place = service.place(out)
        row: dict[str, object] = {
            "name": service.name,
            "kind": service.kind,
            "part": service.part,
            "document": str(saved_as(service, place)),
            "command": list(service.command(place)),
            "environment": service.own_variables(place),
            "cwd": str(service.cwd(place)),
        }
        if service.kind == "http":
            row["base_url"] = place.url + service.base
            row["credentials"] = service.credentials()
        rows.append(row)
    (out / "services.json").write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n")


def _watch(running: Running) -> int:
    """Until a signal, or until one ends by itself."""
    while not (over := running.ended()):
        time.sleep(0.5)
    _say(f"{over} ended by itself")
    return 1


def _say(words: str) -> None:
    print(words, flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
