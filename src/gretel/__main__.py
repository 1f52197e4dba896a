"""`python -m gretel` and the `gretel` command."""

import gc
import os

COLLECTED_AFTER = 100_000
"""New objects until cycles among them are looked for. Python's own 700 cost a third of a start's
processor time: it makes many objects, and hardly any garbage."""


def main() -> None:
    """Run the command line.

    Stored state is read strictly, which langgraph decides when it is imported: nothing in a
    checkpoint may name what is then imported and called (CVE-2026-28277).
    """
    gc.set_threshold(COLLECTED_AFTER)
    os.environ.setdefault("LANGGRAPH_STRICT_MSGPACK", "true")
    from gretel.cli.app import run

    run()


if __name__ == "__main__":
    main()
