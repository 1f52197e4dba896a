"""`python -m gretel` and the `gretel` command."""

import os


def main() -> None:
    """Run the command line.

    Stored state is read strictly, which langgraph decides when it is imported: nothing in a
    checkpoint may name what is then imported and called (CVE-2026-28277).
    """
    os.environ.setdefault("LANGGRAPH_STRICT_MSGPACK", "true")
    from gretel.cli.app import run

    run()


if __name__ == "__main__":
    main()
