"""What honest callables do with the system; imported by name in the sandbox's child."""

import asyncio
import os
import shutil
import sqlite3
import ssl
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def numbers() -> float:
    import numpy as np

    with ThreadPoolExecutor(4) as pool:
        return float(sum(pool.map(lambda n: np.linalg.inv(np.eye(n) * 2).trace(), (2, 4))))


def tensors() -> float:
    import torch

    torch.set_num_threads(2)
    return float(torch.ones(300, 300).matmul(torch.ones(300, 300)).mean())


def database() -> int:
    with sqlite3.connect("own.db") as base:
        base.execute("pragma journal_mode=wal")
        base.execute("create table days (n)")
        base.executemany("insert into days values (?)", [(n,) for n in range(9)])
        return int(base.execute("select sum(n) from days").fetchone()[0])


def files() -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        first = Path(folder, "first")
        first.write_text("x" * 9)
        shutil.copy2(first, Path(folder, "second"))
        first.rename(Path(folder, "third"))
        os.utime(Path(folder, "third"), (1, 1))
        return sorted(os.listdir(folder))


def waiting() -> str:
    async def both() -> str:
        return "".join(await asyncio.gather(asyncio.to_thread(lambda: "a"), asyncio.sleep(0, "b")))

    time.sleep(0.001)
    return asyncio.run(both()) + time.tzname[0][:0]


def certificates() -> bool:
    return isinstance(ssl.create_default_context().get_ca_certs(), list)


def programs() -> list[str]:
    async def later() -> bytes:
        made = await asyncio.create_subprocess_exec("/bin/echo", "b", stdout=subprocess.PIPE)
        return (await made.communicate())[0]

    said = subprocess.run(["/bin/echo", "a"], capture_output=True, text=True, check=True).stdout
    again = subprocess.run(
        [sys.executable, "-c", "print('c')"], capture_output=True, text=True, check=True
    ).stdout
    return [said.strip(), asyncio.run(later()).decode().strip(), again.strip()]
