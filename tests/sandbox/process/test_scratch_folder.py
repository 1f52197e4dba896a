"""The folder of a child process goes with its call, however that ends."""

import asyncio
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest

from gretel.sandbox.process.child import _scratch


async def test_a_call_cancelled_while_its_folder_is_made_leaves_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = tempfile.TemporaryDirectory

    def slow(**settings: Any) -> tempfile.TemporaryDirectory[str]:
        time.sleep(0.05)
        return real(dir=tmp_path, **settings)

    async def use() -> None:
        async with _scratch():
            pytest.fail("nobody waits for this any more")

    monkeypatch.setattr(tempfile, "TemporaryDirectory", slow)
    running = asyncio.ensure_future(use())
    await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running

    assert not [*tmp_path.iterdir()]
