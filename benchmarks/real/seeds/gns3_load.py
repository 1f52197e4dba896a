"""Run by GNS3's own Python: makes its tables, and the rows of a JSON file as its own classes.

python gns3_load.py GNS3_SERVER.conf ROWS.json
"""

import asyncio
import datetime
import json
import random
import sys
import uuid
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from gns3server.config import Config

CONFIG, ROWS = sys.argv[1:]
MOMENT = datetime.datetime(2026, 9, 1, 6, 0)
numbers = random.Random(3)
# What it makes of its own has the same ids everywhere.
uuid.uuid4 = lambda: uuid.UUID(int=numbers.getrandbits(128), version=4)
Config.instance(files=[CONFIG])

from gns3server.db import models, tasks  # noqa: E402
from gns3server.db.models.base import GUID  # noqa: E402
from sqlalchemy import select, update  # noqa: E402
from sqlalchemy.ext.asyncio import AsyncSession  # noqa: E402


async def main() -> None:
    """All rows, or none."""
    app = SimpleNamespace(state=SimpleNamespace())
    await tasks.connect_to_db(app)
    rows = json.loads(Path(ROWS).read_text())
    async with AsyncSession(app.state._db_engine) as session:
        named = {each.name: each for each in await session.scalars(select(models.Privilege))}
        named |= {each.name: each for each in await session.scalars(select(models.Role))}
        for kind, values in rows:
            named[values.get("name") or values.get("username") or ""] = row = _row(
                kind, values, named
            )
            session.add(row)
        await session.flush()
        for table in models.Base.metadata.sorted_tables:
            if "created_at" in table.columns:
                await session.execute(update(table).values(created_at=MOMENT, updated_at=MOMENT))
        await session.commit()
    await tasks.disconnect_from_db(app)


def _row(kind: str, values: dict[str, Any], named: dict[str, Any]) -> Any:
    """A list names other rows, and so does what ends with an exclamation mark."""
    model = getattr(models, kind)
    read: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, list):
            read[name] = [named[each] for each in value]
        elif name.endswith("!"):
            read[name[:-1]] = named[value]
        elif isinstance(getattr(model, name).type, GUID):
            read[name] = uuid.UUID(value)
        else:
            read[name] = datetime.datetime.fromisoformat(value) if name == "last_login" else value
    return model(**read)


asyncio.run(main())
