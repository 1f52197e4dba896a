"""A program that runs one call, for tests that kill it or take namespaces away from it."""

import asyncio
import platform
import sys

from confined import attack

from gretel.sandbox.process import seccomp
from gretel.sandbox.process.confine import drop_privileges
from gretel.sandbox.process.settings import LAYERS

WAIVED = {
    "refused": frozenset(),
    "waived-in-part": frozenset({"disk"}),
    "waived": frozenset(LAYERS),
}


def no_namespaces() -> None:
    """As in a container that forbids them: `unshare` is refused, and nothing else."""
    unshare = {"x86_64": 272, "aarch64": 97}[platform.machine()]
    rule = seccomp._answer(unshare, seccomp._REFUSE)
    number = seccomp._line(seccomp._LOAD, seccomp._NUMBER)
    seccomp._load(b"".join([number, *rule, seccomp._line(seccomp._RETURN, seccomp._ALLOW)]))


async def main(case: str) -> None:
    if case == "endless":
        sys.stdout.write("calling\n")
        sys.stdout.flush()
        await attack("endless_loop_ignoring_signals", seconds=60)
        return
    drop_privileges()
    no_namespaces()
    result = await attack("harmless", allow_missing_layers=WAIVED[case])
    sys.stdout.write(result.outcome.model_dump_json())


asyncio.run(main(sys.argv[1]))
