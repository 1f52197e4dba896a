"""`python -m gretel` and the `gretel` command."""


def main() -> None:
    """Run the command line."""
    from gretel.cli.app import run

    run()


if __name__ == "__main__":
    main()
