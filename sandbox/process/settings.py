"""What a callable in a child process may use, and which layers keep it to that."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from gretel.contracts.errors import ConfigurationError

LAYERS: Mapping[str, str] = MappingProxyType(
    {
        "limits": "processor time, memory, file size, open files and threads are limited",
        "privileges": "no capabilities, and none to be gained",
        "processes": "own process namespace: nothing that it starts outlives the call",
        "calls": "system calls but those that a tool has business with are refused (seccomp)",
        "network": "no sockets, and an empty network namespace where the kernel has them",
        "files": "reads code and its own folder, changes its own folder alone (Landlock)",
        "disk": "own root: what it may read, and a small folder in memory that is gone afterwards",
    }
)
"""Name of each layer → what it promises while it is in force."""


@dataclass(frozen=True)
class ProcessSettings:
    """Limits of the child process that runs one call of a Python callable.

    Raises:
        ConfigurationError: a limit is not positive, or a layer is unknown.
    """

    memory_bytes: int = 1 << 30
    """Address space of one process."""
    disk_bytes: int = 16 << 20
    """Size of the folder that the callable may write to, and of any file."""
    tasks: int = 64
    """Threads and processes together."""
    subprocesses: bool = False
    """Whether it may start processes; then `memory_bytes` applies to each of them."""
    network: bool = False
    """Whether it may open sockets, to any address: the egress policy does not apply here."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Environment variables it gets; it inherits none."""
    readable: tuple[str, ...] = ()
    """Files and folders that it may read besides code and libraries; no others exist for it."""
    allow_missing_layers: frozenset[str] = frozenset()
    """Layers of `LAYERS` that may be missing here; if any other is missing, calls are refused."""
    at_once: int = 8
    """Concurrent calls in one event loop."""

    def __post_init__(self) -> None:
        for name in ("memory_bytes", "disk_bytes", "tasks", "at_once"):
            if getattr(self, name) < 1:
                raise ConfigurationError("is not positive", field=name, remedy="Give 1 or more.")
        unknown = sorted(set(self.allow_missing_layers) - LAYERS.keys())
        if unknown:
            raise ConfigurationError(
                f"knows no layer {', '.join(unknown)}",
                field="allow_missing_layers",
                remedy=f"Layers are {', '.join(LAYERS)}.",
            )
