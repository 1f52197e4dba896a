"""Callables that reach out of their process: for others, for secrets, files and the network.

Imported by name in the sandbox's child, as `hostile_callables` is.
"""

import ctypes
import fcntl
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

MARK = "gretel-attack-mark"
"""An argument of every process that an attack starts."""


# processes


def _long(mark: str = MARK) -> list[str]:
    return [sys.executable, "-c", "import time; time.sleep(600)", mark]


def fork_bomb() -> None:
    while True:
        os.fork()


def grandchild() -> int:
    return subprocess.Popen(_long(), start_new_session=True).pid


def daemon_by_double_fork() -> str:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execv(sys.executable, _long())
        os._exit(0)
    time.sleep(0.2)
    return "started"


def thread_bomb() -> None:
    threading.stack_size(65536)
    while True:
        threading.Thread(target=time.sleep, args=(600,), daemon=True).start()


def kills_everything() -> str:
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.kill(-1, number)
        except OSError:
            continue
    return "tried"


def kills_pid(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


def kills_by_descriptor(pid: int) -> None:
    _signal_by(os.pidfd_open(pid))


def kills_by_folder(pid: int) -> None:
    _signal_by(os.open(f"/proc/{pid}", os.O_RDONLY | os.O_DIRECTORY))


def _signal_by(descriptor: int) -> None:
    signal.pidfd_send_signal(descriptor, signal.SIGKILL)


def takes_files_by_descriptor(pid: int) -> str:
    libc = ctypes.CDLL(None, use_errno=True)
    taken = libc.syscall(438, os.pidfd_open(pid), 1, 0)
    if taken < 0:
        raise OSError(ctypes.get_errno(), "pidfd_getfd")
    return "taken"


def kills_parent_by_descriptor() -> str:
    for pid in {os.getppid(), 1} - {0, os.getpid()}:
        with suppress(OSError):
            _signal_by(os.pidfd_open(pid))
    return "tried"


def kills_parent() -> str:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL, signal.SIGSTOP):
        os.kill(os.getppid(), number)
    return "tried"


def traces(pid: int) -> str:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.ptrace(16, pid, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "ptrace")
    os.waitpid(pid, 0)
    libc.ptrace(17, pid, 0, 0)
    return "attached"


def reads_memory(pid: int) -> str:
    start = Path(f"/proc/{pid}/maps").read_text().partition("-")[0]
    with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory:
        memory.seek(int(start, 16))
        return memory.read(16).hex()


def new_namespace() -> str:
    libc = ctypes.CDLL(None)
    return "refused" if libc.unshare(0x10000000) != 0 else "entered"


def becomes_root() -> str:
    try:
        os.setresuid(0, 0, 0)
    except OSError:
        return "refused"
    return "root"


def starts_a_setuid_program() -> str:
    return subprocess.run(["/bin/su", "-c", "id -u"], capture_output=True, text=True).stdout


# secrets


def environment() -> dict[str, str]:
    return dict(os.environ)


def inherited_files() -> dict[str, list[str]]:
    """What can be read from open descriptors, whatever they are."""
    found = [f"tried by {os.getpid()}"]
    for descriptor in range(3, 64):
        try:
            found.append(os.pread(descriptor, 100, 0).decode(errors="replace"))
        except OSError:
            continue
    return {"found": found}


def environment_of(pid: int) -> str:
    return Path(f"/proc/{pid}/environ").read_text()


def reads(path: str) -> str:
    return Path(path).read_text()


def reads_attributes(path: str) -> str:
    return os.getxattr(path, "user.origin").decode()


def lists_attributes(path: str) -> list[str]:
    return os.listxattr(path)


def repeats(words: str) -> dict[str, str]:
    return {"said": words}


def lists(path: str) -> list[str]:
    return os.listdir(path)


# files


LOOKS = {
    "stat": lambda path: os.stat(path).st_size,
    "lstat": lambda path: os.lstat(path).st_mtime,
    "access": lambda path: os.access(path, os.F_OK) or os.stat(path),
    "readlink": os.readlink,
    "by-name": lambda path: os.close(os.open(path, os.O_PATH)),
    "by-dots": lambda path: os.stat(f"/../../..{path}").st_size,
    "by-link": lambda path: (os.symlink(path, "eye"), os.stat("eye").st_size),
    "filesystem": lambda path: os.statvfs(path).f_files,
    "change-folder": lambda path: os.chdir(os.path.dirname(path)),
    "resolved": lambda path: len(Path(path).resolve(strict=True).name),
}
"""Ways to learn that a file is there, its size, its times or where it leads."""


def looks(path: str, way: str) -> str:
    LOOKS[way](path)
    return "seen"


def changes_root(path: str) -> str:
    with suppress(OSError):
        os.chroot(path)
    return str(os.path.exists("/etc/shadow"))


def writes(path: str) -> str:
    Path(path).write_text("owned")
    return "written"


def appends(path: str) -> str:
    with open(path, "a") as file:
        file.write("owned")
    return "appended"


def truncates(path: str) -> str:
    os.truncate(path, 0)
    return "truncated"


def removes(path: str) -> str:
    os.remove(path)
    return "removed"


def changes_mode(path: str) -> str:
    os.chmod(path, 0o777)
    return "changed"


def renames(path: str) -> str:
    os.rename(path, path + ".moved")
    return "renamed"


def hard_links(path: str) -> str:
    os.link(path, "linked")
    Path("linked").write_text("owned")
    return "linked"


def reads_through_a_symlink(path: str) -> str:
    os.symlink(path, "innocent")
    return Path("innocent").read_text()


def writes_through_a_symlink(path: str) -> str:
    os.symlink(path, "innocent")
    Path("innocent").write_text("owned")
    return "written"


def writes_through_dots(path: str) -> str:
    Path(os.path.relpath(path)).write_text("owned")
    return "written"


def loses_its_folder() -> str:
    os.mkdir("gone")
    os.chdir("gone")
    os.rmdir("../gone")
    return reads("nowhere")


def own_folder() -> dict[str, Any]:
    Path("note.txt").write_text("mine")
    return {"read": Path("note.txt").read_text(), "files": os.listdir(".")}


def fills_the_disk() -> int:
    for number in range(1000):
        Path(f"{number}").write_bytes(b"x" * (1 << 20))
    return 1000


def one_huge_file() -> None:
    with open("huge", "wb") as file:
        while True:
            file.write(b"x" * (1 << 20))


def many_files() -> int:
    for number in range(1_000_000):
        os.close(os.open(f"{number}", os.O_CREAT | os.O_WRONLY))
    return 1_000_000


def many_descriptors() -> int:
    kept = [os.open("/dev/null", os.O_RDONLY) for _ in range(100_000)]
    return len(kept)


def _called(number: int, *arguments: Any) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    result = int(libc.syscall(number, *arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), f"call {number}")
    return result


def watches(path: str) -> str:
    """inotify (x86-64's numbers): who uses which file, anywhere."""
    _called(254, _called(294, 0), path.encode(), 0x3F)
    return "watching"


def watches_without_flags(path: str) -> str:
    _called(254, _called(253), path.encode(), 0x3F)
    return "watching"


def watches_by_signal(path: str) -> str:
    fcntl.fcntl(os.open(path, os.O_RDONLY), fcntl.F_NOTIFY, fcntl.DN_CREATE)
    return "watching"


def watches_by_marks() -> str:
    _called(300, 0x200, 0)
    return "watching"


def holds_a_file_up(path: str) -> str:
    """Whoever opens it to write waits for 45 seconds."""
    fcntl.fcntl(os.open(path, os.O_RDONLY), fcntl.F_SETLEASE, fcntl.F_RDLCK)
    return "held"


def locks(path: str, way: str) -> str:
    """All of a file, or a part, or a part for this descriptor: a descriptor to read is enough."""
    file, part = os.open(path, os.O_RDONLY), struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 0, 0, 0)
    if way == "whole":
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    else:
        fcntl.fcntl(file, {"part": fcntl.F_SETLK, "descriptor": 37}[way], part)
    return "locked"


def many_timers() -> str:
    """Each lies in the kernel's memory, and is counted for all processes of a user."""
    made = ctypes.c_void_p()
    with suppress(BlockingIOError):
        for _ in range(5_000):
            _called(222, time.CLOCK_MONOTONIC, None, ctypes.byref(made))
        return "made"
    return "refused"


def leaves_a_queue() -> str:
    _called(240, b"gretel-attack", os.O_CREAT | os.O_RDWR, 0o600, None)
    return "left"


def becomes_another_program() -> None:
    os.execv("/bin/true", ["true"])


def asks_for_real_time() -> str:
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    return "set"


def flushes_all_disks() -> str:
    os.sync()
    return "flushed"


def opens_family(family: int, kind: int) -> str:
    socket.socket(family, kind).close()
    return "open"


# network


def connects(host: str, port: int) -> str:
    with socket.create_connection((host, port), timeout=1):
        return "connected"


def resolves(name: str) -> Any:
    return socket.getaddrinfo(name, 80)


def sends_datagram(host: str, port: int) -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as wire:
        wire.sendto(b"leak", (host, port))
    return "sent"


def listens() -> str:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
    return "listening"


def connects_unix(path: str) -> str:
    with socket.socket(socket.AF_UNIX) as wire:
        wire.connect(path)
    return "connected"


def raw_socket() -> str:
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW).close()
    return "open"


def ring_of_operations() -> str:
    """io_uring opens sockets without the call `socket`."""
    libc = ctypes.CDLL(None)
    result = libc.syscall(425, 8, ctypes.create_string_buffer(120))
    return "refused" if result < 0 else "open"
