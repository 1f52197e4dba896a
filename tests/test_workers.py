"""Work of strangers in threads: much text is read one at a time, all else goes on meanwhile."""

import asyncio
import threading

from gretel.workers import MUCH, off_loop, read_off_loop


async def test_much_text_is_read_one_at_a_time():
    inside, most = 0, 0
    lock = threading.Lock()

    def work() -> None:
        nonlocal inside, most
        with lock:
            inside += 1
            most = max(most, inside)
        threading.Event().wait(0.02)
        with lock:
            inside -= 1

    await asyncio.gather(*(read_off_loop(MUCH, work) for _ in range(4)))
    assert most == 1


async def test_other_work_does_not_wait_for_it():
    others = threading.Barrier(3)
    large = read_off_loop(MUCH, others.wait, 30)
    await asyncio.gather(large, off_loop(others.wait, 30), read_off_loop(MUCH - 1, others.wait, 30))
