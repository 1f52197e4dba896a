"""Attacks of a callable on its child process: all contained, each with its outcome."""

import fcntl
import os
import pwd
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import hostile_callables as hostile
import hostile_reach
import pytest
from confined import attack, survivors

from gretel.contracts.trial import CallResult
from gretel.sandbox.process.child import probe_layers
from gretel.sandbox.process.settings import ProcessSettings
from lanes import every

CANARY = "canary-9f2c"
FORBIDDEN = ("unavailable", "permission")
NO_NETWORK = ("unavailable", "host_not_allowed")
BROKEN = ("failed", "server_error")
NOT_JSON = ("failed", "protocol")
TOO_SLOW = ("failed", "timeout")
FINE = ("succeeded", None)


@dataclass(frozen=True)
class Case:
    """One attack and how it has to end."""

    name: str
    end: tuple[str, str | None]
    detail: str = ""
    """What the reason says, in part."""
    body: Any = None
    """What a call that succeeds answers."""
    seconds: float = 10.0
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return "-".join([self.name, *sorted(self.settings)])


PROCESSES = {"subprocesses": True}
CASES = [
    Case("endless_loop", TOO_SLOW, seconds=0.4),
    Case("endless_loop_ignoring_signals", TOO_SLOW, seconds=0.4),
    Case("stopped", TOO_SLOW, seconds=0.4),
    Case("ten_gigabytes", BROKEN, "more than 1024 MiB"),
    Case("many_small_allocations", BROKEN, "128 MiB", settings={"memory_bytes": 128 << 20}),
    Case("shared_memory_outside_the_limit", FORBIDDEN),
    Case("deep_recursion", BROKEN, settings={"memory_bytes": 128 << 20}),
    Case("a_gigabyte_of_stdout", FINE, body="printed"),
    Case("huge_result", NOT_JSON, "longer than 200,000 bytes"),
    Case("endless_answer", NOT_JSON, "longer than 200,000 bytes"),
    Case("recursive_result", NOT_JSON, "Circular reference"),
    Case("deep_result", NOT_JSON),
    Case("nan_result", FINE, body={"price": None, "high": None, "low": 1.5}),
    Case("object_result", NOT_JSON, "type object is not JSON"),
    Case("bytes_result", NOT_JSON, "type bytes is not JSON"),
    Case("surrogate_result", FINE, body={"name": "\ufffd broken", "also": "fine"}),
    Case("many_digits", NOT_JSON, "too long"),
    Case("hostile_pickle", NOT_JSON, "type Pickled is not JSON"),
    Case("hostile_pickle_on_the_pipe", ("failed", None)),
    Case("constructor_dict", FINE, body=hostile.constructor_dict()),
    Case("garbage_on_the_pipe", NOT_JSON),
    Case("forged_layers_on_the_pipe", NOT_JSON, "something else than a result"),
    Case("closed_pipe", BROKEN, "no result"),
    Case("system_exit", BROKEN, "SystemExit: bye"),
    Case("hard_exit", BROKEN, "code 0 and no result"),
    Case("hard_exit_with_code", BROKEN, "code 7"),
    Case("aborted", BROKEN, "code 134"),
    Case("segmentation_fault", BROKEN, "code 139"),
    Case("interrupted", BROKEN, "KeyboardInterrupt"),
    Case("hostile_exception", BROKEN, "HostileError"),
    Case("endless_exception_text", BROKEN, "ValueError: xxx"),
    Case("exception_with_hidden_characters", ("failed", None), "bad"),
    Case("exception_cycle", BROKEN, "ValueError: first"),
    Case("rejects_arguments", ("failed", "rejected_arguments")),
    Case("fork_bomb", FORBIDDEN),
    Case("fork_bomb", ("failed", None), seconds=2.0, settings=PROCESSES),
    Case("grandchild", FORBIDDEN),
    Case("grandchild", FINE, settings=PROCESSES),
    Case("daemon_by_double_fork", FORBIDDEN),
    Case("daemon_by_double_fork", FINE, body="started", settings=PROCESSES),
    Case("thread_bomb", BROKEN, "can't start new thread"),
    Case("kills_everything", FINE, body="tried"),
    Case("kills_everything", FINE, body="tried", settings=PROCESSES),
    Case("kills_parent", FORBIDDEN),
    Case("kills_parent_by_descriptor", FINE, body="tried", settings=PROCESSES),
    Case("new_namespace", FINE, body="refused"),
    Case("becomes_root", FINE, body="refused"),
    Case("own_folder", FINE, body={"read": "mine", "files": ["note.txt"]}),
    Case("fills_the_disk", BROKEN, "No space left"),
    Case("one_huge_file", BROKEN),
    Case("many_files", BROKEN, "No space left"),
    Case("many_descriptors", BROKEN, "Too many open files"),
    Case("many_timers", FINE, body="refused"),
    Case("listens", NO_NETWORK),
    Case("raw_socket", NO_NETWORK),
    Case("ring_of_operations", FINE, body="refused"),
    Case("watches_by_marks", FORBIDDEN),
    Case("leaves_a_queue", FORBIDDEN),
    Case("becomes_another_program", FORBIDDEN),
    Case("asks_for_real_time", FORBIDDEN),
    Case("flushes_all_disks", ("succeeded", None), body="flushed"),  # libc hears of no refusal
]


@pytest.fixture(scope="module")
async def missing() -> dict[str, str | None]:
    """The layers that this kernel does not give; where there are any, nothing may run."""
    layers = await probe_layers(ProcessSettings())
    return {name: why for name, why in layers.items() if why is not None}


@pytest.fixture(autouse=True)
def nothing_survives() -> Iterator[None]:
    yield
    assert survivors() == []
    assert not Path("/tmp/gretel-unpickled").exists()


def assert_ended(
    result: CallResult, end: tuple[str, str | None], missing: dict[str, str | None]
) -> bool:
    """Check status and kind; False where the call was refused, as it must be without layers."""
    outcome = result.outcome
    if missing:
        assert outcome.failure is not None
        assert (outcome.status, outcome.failure.kind) == ("unavailable", "sandbox_unavailable")
        assert all(name in outcome.failure.detail for name in sorted(missing)[:1])
        return False
    status, kind = end
    assert outcome.status == status, outcome
    if kind is not None:
        assert outcome.failure is not None
        assert outcome.failure.kind == kind, outcome
    return True


@pytest.mark.parametrize("case", every(16, CASES), ids=lambda case: case.id)
async def test_an_attack_is_contained(case: Case, missing: dict[str, str | None]) -> None:
    result = await attack(case.name, seconds=case.seconds, **case.settings)

    if assert_ended(result, case.end, missing):
        detail = result.outcome.failure.detail if result.outcome.failure else ""
        assert case.detail in detail
        assert detail.isprintable()
        assert case.body is None or result.body == case.body


@pytest.mark.parametrize(
    "name",
    every(11, [
        "writes", "appends", "truncates", "removes", "changes_mode", "renames", "hard_links",
        "reads_through_a_symlink", "writes_through_a_symlink", "writes_through_dots", "reads",
    ]),
)  # fmt: skip
async def test_a_file_outside_is_neither_read_nor_changed(
    name: str, tmp_path: Path, missing: dict[str, str | None]
) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    victim.chmod(0o600)

    result = await attack(name, {"path": str(victim)})

    assert victim.read_text() == "mine"
    assert victim.stat().st_mode & 0o777 == 0o600
    assert os.listdir(tmp_path) == ["victim"]
    assert_ended(result, FORBIDDEN, missing)


@pytest.mark.parametrize(
    "name", every(4, ["watches", "watches_without_flags", "watches_by_signal", "holds_a_file_up"])
)
async def test_nobody_else_is_watched_or_held_up(name: str, missing: dict[str, str | None]) -> None:
    """Of places that it may read, too: Landlock asks nobody who watches."""
    path = Path(__file__) if name == "holds_a_file_up" else Path(__file__).parent

    assert_ended(await attack(name, {"path": str(path)}), FORBIDDEN, missing)


@pytest.mark.parametrize("way", every(2, ["whole", "part", "descriptor"]))
async def test_a_lock_holds_nobody_up(
    way: str, tmp_path: Path, missing: dict[str, str | None]
) -> None:
    """Where somebody holds it, too, it is granted: it was never made."""
    path = tmp_path / "base"
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        fcntl.lockf(file, fcntl.LOCK_EX)

        result = await attack("locks", {"path": str(path), "way": way}, readable=(str(path),))

    if assert_ended(result, FINE, missing):
        assert result.body == "locked"


@pytest.mark.parametrize(
    "family", every(5, ["AF_PACKET", "AF_ALG", "AF_VSOCK", "AF_CAN", "AF_KEY"])
)
async def test_an_open_network_is_that_of_names_and_addresses(
    family: str, missing: dict[str, str | None]
) -> None:
    arguments = {"family": int(getattr(socket, family)), "kind": int(socket.SOCK_RAW)}

    result = await attack("opens_family", arguments, network=True)

    assert_ended(result, FORBIDDEN, missing)


@pytest.mark.parametrize("path", ["/etc/ssl/private", "/etc/pki/tls/private"])
async def test_private_keys_beside_certificates_are_not_listed(
    path: str, missing: dict[str, str | None]
) -> None:
    if not Path(path).is_dir():
        pytest.skip("this machine has no such folder")

    assert_ended(await attack("lists", {"path": path}), FORBIDDEN, missing)


@pytest.mark.parametrize(
    "path",
    every(
        5, ["/etc/shadow", "/etc/passwd", "/proc/self/environ", "/proc/1/environ", "/sys/kernel"]
    ),
)
async def test_a_place_of_the_system_is_not_read(path: str, missing: dict[str, str | None]) -> None:
    result = await attack("lists" if path.startswith("/sys") else "reads", {"path": path})

    assert_ended(result, FORBIDDEN, missing)


async def test_the_home_folder_is_not_listed(missing: dict[str, str | None]) -> None:
    result = await attack("lists", {"path": str(Path.home())})

    assert_ended(result, FORBIDDEN, missing)


@pytest.mark.parametrize(("home", "on_path"), [("link", "real"), ("real", "link")])
async def test_the_home_folder_is_known_by_every_name(
    home: str,
    on_path: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    missing: dict[str, str | None],
) -> None:
    """Where homes are links, the working folder has another name than `HOME`."""
    (tmp_path / "real" / ".ssh").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    monkeypatch.setenv("HOME", str(tmp_path / home))
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / on_path)])

    result = await attack("lists", {"path": str(tmp_path / "real")})

    assert_ended(result, FORBIDDEN, missing)


async def test_the_users_own_home_is_no_code_where_the_environment_names_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: dict[str, str | None]
) -> None:
    """Services run with `HOME=/tmp`, and `sudo` keeps that of who calls it."""
    (tmp_path / ".ssh").mkdir()
    own = pwd.getpwuid(os.getuid())
    monkeypatch.setattr(pwd, "getpwuid", lambda _: pwd.struct_passwd((*own[:5], str(tmp_path), "")))
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])

    result = await attack("lists", {"path": str(tmp_path)})

    assert_ended(result, FORBIDDEN, missing)


@pytest.mark.parametrize("hidden", [".env", ".git/config", ".venv/.netrc"])
async def test_what_is_hidden_beside_code_is_not_read(
    hidden: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    missing: dict[str, str | None],
) -> None:
    """Code is read all the same, that of an environment within something hidden too."""
    code, kept = tmp_path / "data.txt", tmp_path / ".venv" / "lib" / "data.txt"
    for path in (tmp_path / hidden, code, kept):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(CANARY)
    folders = [str(tmp_path), str(kept.parent)]
    monkeypatch.setattr(sys, "path", [*sys.path, *folders])

    assert_ended(await attack("reads", {"path": str(tmp_path / hidden)}), FORBIDDEN, missing)
    for path in (code, kept):
        assert_ended(await attack("reads", {"path": str(path)}), FINE, missing)
    assert_ended(await attack("lists", {"path": str(tmp_path)}), FINE, missing)


async def test_a_link_beside_something_hidden_lets_nobody_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: dict[str, str | None]
) -> None:
    project, victim = tmp_path / "project", tmp_path / "victim"
    project.mkdir()
    victim.write_text(CANARY)
    (project / ".env").write_text("")
    (project / "link").symlink_to(victim)
    monkeypatch.setattr(sys, "path", [*sys.path, str(project)])

    assert_ended(await attack("reads", {"path": str(project / "link")}), FORBIDDEN, missing)


async def test_no_secret_is_inherited(
    monkeypatch: pytest.MonkeyPatch, missing: dict[str, str | None]
) -> None:
    monkeypatch.setenv("API_TOKEN", CANARY)

    result = await attack("environment")

    if assert_ended(result, FINE, missing):
        assert isinstance(result.body, dict)
        known = {"PATH", "LANG", "OMP_NUM_THREADS", "HOME", "TMPDIR", "BRAND", "LC_CTYPE"}
        assert {"HOME", "BRAND"} <= result.body.keys() <= known
        assert CANARY not in result.body.values()


@pytest.mark.parametrize("words", ["{}", "no login: {}"])
async def test_a_secret_within_a_url_of_the_environment_stands_in_no_record(
    words: str, missing: dict[str, str | None]
) -> None:
    """It is the tool's to use, and no record's to keep, as with an MCP server's environment."""
    database = f"postgres://app:{CANARY}@db/x"
    said = words.format(CANARY)

    result = await attack("repeats", {"words": said}, environment={"DATABASE_URL": database})

    if assert_ended(result, FINE, missing):
        assert CANARY not in repr(result.outcome)
        assert CANARY not in result.shown


@pytest.mark.parametrize("name", ["reads_attributes", "lists_attributes"])
async def test_no_attribute_of_a_file_is_read(
    name: str, tmp_path: Path, missing: dict[str, str | None]
) -> None:
    """Downloads keep the address that they came from there, with its login."""
    victim = tmp_path / "victim"
    victim.write_text("mine")
    victim.chmod(0o600)
    try:
        os.setxattr(victim, "user.origin", CANARY.encode())
    except OSError:
        pytest.skip("this disk keeps no attributes")

    result = await attack(name, {"path": str(victim)})

    if assert_ended(result, ("failed", None), missing):
        assert result.outcome.failure is not None
        assert "not supported" in result.outcome.failure.detail


async def test_no_open_file_is_inherited(tmp_path: Path, missing: dict[str, str | None]) -> None:
    (tmp_path / "key").write_text(CANARY)
    with (tmp_path / "key").open() as file:
        os.set_inheritable(file.fileno(), True)
        assert CANARY in str(hostile_reach.inherited_files()), "the attack works"

        result = await attack("inherited_files")

    if assert_ended(result, FINE, missing):
        assert CANARY not in str(result.body)


@pytest.fixture
def victim() -> Iterator[subprocess.Popen[bytes]]:
    """A process of the same user, with a secret in its environment."""
    with subprocess.Popen(["/bin/sleep", "60"], env={"API_TOKEN": CANARY}) as process:
        yield process
        process.kill()


@pytest.mark.parametrize(
    "name", every(4, ["environment_of", "reads_memory", "traces", "kills_pid"])
)
async def test_another_process_is_out_of_reach(
    name: str, victim: subprocess.Popen[bytes], missing: dict[str, str | None]
) -> None:
    result = await attack(name, {"pid": victim.pid})

    assert victim.poll() is None
    if assert_ended(result, (result.outcome.status, None), missing):
        assert result.outcome.status in ("failed", "unavailable")
        assert result.body is None
    # Outside of the sandbox the same attack works.
    getattr(hostile_reach, name)(victim.pid)
    assert victim.poll() is None or name == "kills_pid"


@pytest.mark.parametrize(
    "name", every(3, ["kills_by_descriptor", "kills_by_folder", "takes_files_by_descriptor"])
)
async def test_no_descriptor_of_a_process_reaches_out(
    name: str, victim: subprocess.Popen[bytes], missing: dict[str, str | None]
) -> None:
    result = await attack(name, {"pid": victim.pid}, subprocesses=True)

    assert victim.poll() is None
    if assert_ended(result, (result.outcome.status, None), missing):
        assert result.outcome.status in ("failed", "unavailable")
    # Outside of the sandbox the same attack works.
    getattr(hostile_reach, name)(victim.pid)
    assert name.startswith("takes") or victim.wait() != 0


async def test_a_setuid_program_gains_nothing(missing: dict[str, str | None]) -> None:
    result = await attack("starts_a_setuid_program", subprocesses=True)

    if missing:
        assert_ended(result, FINE, missing)
    assert "0" not in str(result.body or "")


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.05)
        yield server


@pytest.mark.parametrize("name", every(2, ["connects", "sends_datagram"]))
async def test_no_connection_leaves(
    name: str, listener: socket.socket, missing: dict[str, str | None]
) -> None:
    host, port = listener.getsockname()

    result = await attack(name, {"host": host, "port": port})

    with pytest.raises(TimeoutError):
        listener.accept()
    assert_ended(result, NO_NETWORK, missing)


@pytest.mark.parametrize("host", every(3, ["169.254.169.254", "::1", "10.0.0.1"]))
async def test_no_address_is_reached(host: str, missing: dict[str, str | None]) -> None:
    result = await attack("connects", {"host": host, "port": 80})

    assert_ended(result, NO_NETWORK, missing)


async def test_no_name_is_resolved(missing: dict[str, str | None]) -> None:
    assert_ended(await attack("resolves", {"name": "example.com"}), NO_NETWORK, missing)


@pytest.mark.parametrize("network", every(2, [False, True]))
async def test_no_unix_socket_is_reached(
    network: bool, tmp_path: Path, missing: dict[str, str | None]
) -> None:
    """Not by who may use the network either: behind `docker.sock` is the whole machine."""
    where = {"path": str(tmp_path / "docker.sock")}
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(where["path"])
        server.listen()

        result = await attack("connects_unix", where, network=network)

    assert_ended(result, FORBIDDEN if network else NO_NETWORK, missing)


async def test_a_user_can_open_the_network(
    listener: socket.socket, missing: dict[str, str | None]
) -> None:
    host, port = listener.getsockname()

    result = await attack("connects", {"host": host, "port": port}, network=True)

    if assert_ended(result, FINE, missing):
        listener.accept()[0].close()
