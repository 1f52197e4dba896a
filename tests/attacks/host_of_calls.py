"""A program that runs one call, for tests that kill it or take namespaces away from it."""

import asyncio
import sys

from confined import attack

from gretel.sandbox.process.confine import drop_privileges
from gretel.sandbox.process.seccomp import install
from gretel.sandbox.process.settings import LAYERS

WAIVED = {
    "refused": frozenset(),
    "waived-in-part": frozenset({"disk"}),
    "waived": frozenset(LAYERS),
}


async def main(case: str) -> None:
    if case == "endless":
        sys.stdout.write("calling\n")
        sys.stdout.flush()
        await attack("endless_loop_ignoring_signals", seconds=60)
        return
    drop_privileges()
    install(network=True, subprocesses=True)
    result = await attack("harmless", allow_missing_layers=WAIVED[case])
    sys.stdout.write(result.outcome.model_dump_json())


asyncio.run(main(sys.argv[1]))
