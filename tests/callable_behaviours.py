"""Functions that misbehave; imported in a child process, and light."""

import os
import sys
import time
from typing import Any


class Api:
    """Functions that behave as the paths of `hostile_server` do, as far as functions can."""

    @staticmethod
    def ok() -> Any:
        return {"flights": [{"id": 7}]}

    @staticmethod
    def long() -> Any:
        return ["\u0436" * 5_000]

    @staticmethod
    def none() -> Any:
        return []

    @staticmethod
    def nothing() -> None:
        return None

    @staticmethod
    def fails() -> None:
        raise RuntimeError("the machine is down")

    @staticmethod
    def ends() -> None:
        os._exit(0)

    @staticmethod
    def odd() -> Any:
        return object()

    @staticmethod
    def endless() -> None:
        time.sleep(60)

    @staticmethod
    def flood() -> None:
        while True:
            sys.stdout.write("x" * 10_000)

    bad = login = missing = limited = broken = sideways = gone = fails
    close, not_http, short_body, slow_body = ends, odd, odd, endless
