"""Functions of the C library, for the layers that the standard library has no names for.

Standard library only: the module runs in the child, before anything of the user's.
"""

import ctypes
import functools
import os


def checked(name: str, *arguments: object) -> int:
    """What the C library's function `name` answers.

    Raises:
        OSError: it failed, for the reason that it gave.
    """
    result = getattr(libc(), name)(*arguments)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{name}: {os.strerror(code)}")
    return int(result)


@functools.cache
def libc() -> ctypes.CDLL:
    """The C library of this process."""
    return ctypes.CDLL(None, use_errno=True)
