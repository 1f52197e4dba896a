"""The layers that confine a child process, put up by the child itself, outermost first.

Standard library only: the module runs in the child, before anything of the user's. Every function
either does all that it says or raises OSError; what is then missing is decided by the caller.
"""

import ctypes
import math
import os
import resource
import signal
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from gretel.sandbox.process import landlock, seccomp
from gretel.sandbox.process.kernel import checked, libc
from gretel.sandbox.process.root import DEVICES
from gretel.sandbox.process.run import Spec

_NEW_USER, _NEW_PID, _NEW_NET = 0x10000000, 0x20000000, 0x40000000
_NEW_MOUNT, _NEW_IPC = 0x00020000, 0x08000000
_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS, _PR_CAPBSET_DROP = 1, 38, 24
_CAPABILITY_VERSION_3 = 0x20080522
_NOBODY = 65534
_OPEN_FILES = 64
_SIGNALS = 256
"""Queued signals and timers, which the kernel counts for all processes of a user together."""


def own_namespaces(*, network: bool) -> None:
    """Move to own user, process, mount and IPC namespaces; without `network` also to an empty one.

    The *next* child is the first process of the process namespace: with it the kernel kills
    everything else in there. As root the real user becomes nobody, because the kernel's limit of
    processes spares root; files are still opened as the user that we were.
    """
    user, group = os.geteuid(), os.getegid()
    if user == 0:
        os.setresuid(_NOBODY, -1, -1)
    flags = _NEW_USER | _NEW_PID | _NEW_MOUNT | _NEW_IPC | (0 if network else _NEW_NET)
    checked("unshare", flags)
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def die_with_parent(parent: int | None) -> None:
    """Be killed when the parent ends; at once where `parent`, if it has a number, is gone."""
    checked("prctl", _PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    if parent is not None and os.getppid() != parent:
        os._exit(1)


def be_first_without_memory() -> None:
    """When the machine's memory runs out, the kernel ends this process before our user's."""
    Path("/proc/self/oom_score_adj").write_text("1000")


def limit_resources(spec: Spec) -> None:
    """Processor time, memory, file size, open files, threads, processes, timers; no core file."""
    seconds = math.ceil(spec["seconds"]) + 1
    for kind, value in (
        (resource.RLIMIT_CPU, seconds + 1),
        (resource.RLIMIT_AS, spec["memory"]),
        (resource.RLIMIT_FSIZE, spec["disk"]),
        (resource.RLIMIT_NOFILE, _OPEN_FILES),
        (resource.RLIMIT_NPROC, spec["tasks"]),
        (resource.RLIMIT_SIGPENDING, _SIGNALS),
        (resource.RLIMIT_CORE, 0),
    ):
        ceiling = resource.getrlimit(kind)[1]
        value = value if ceiling == resource.RLIM_INFINITY else min(value, ceiling)
        resource.setrlimit(kind, (value, value))
    # A second before the kernel kills, it sends SIGXCPU: how it ended then tells why.
    most = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (min(seconds, most), most))


def drop_privileges() -> None:
    """No capability is left, and none can be gained by starting a program."""
    checked("prctl", _PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if libc().prctl(_PR_CAPBSET_DROP, 0, 0, 0, 0) == 0:
        for capability in range(1, 64):
            if libc().prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0) != 0:
                break  # the kernel knows no higher one
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    checked("capset", header, (ctypes.c_uint32 * 6)())


Missing: TypeAlias = dict[str, str]
"""Layer that could not be put up → the kernel's reason."""


def put_up(name: str, build: Callable[[], None], missing: Missing) -> bool:
    """Put up one layer; whether that worked."""
    try:
        build()
    except (OSError, ValueError) as error:
        missing[name] = str(error)
        return False
    return True


def put_up_inner(spec: Spec, missing: Missing) -> None:
    """The layers of the process that runs the callable."""
    network, writable = spec["network"], [spec["scratch"], *DEVICES]
    put_up("limits", lambda: limit_resources(spec), missing)
    put_up("privileges", drop_privileges, missing)
    put_up(
        "files",
        lambda: landlock.restrict(
            readable=spec["readable"],
            listable=spec["listable"],
            writable=writable,
            network=network,
        ),
        missing,
    )
    filtered = put_up(
        "calls",
        lambda: seccomp.install(network=network, subprocesses=spec["subprocesses"]),
        missing,
    )
    if not filtered and not network:
        missing["network"] = "sockets are refused by the layer `calls`, which is missing"
