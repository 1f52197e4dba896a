"""Run by Zou's own Python: makes the tables, and the rows of a JSON file as its own classes.

python zou_load.py ROWS.json
"""

import datetime
import importlib
import json
import pkgutil
import sys
import warnings
from typing import Any

from sqlalchemy import Date, DateTime
from zou.app import app, db, models
from zou.app.utils import dbhelpers

READ = {DateTime: datetime.datetime.fromisoformat, Date: datetime.date.fromisoformat}


def main() -> None:
    """All rows, or none."""
    classes: dict[str, Any] = {}
    for found in pkgutil.iter_modules(models.__path__):
        classes |= vars(importlib.import_module(f"{models.__name__}.{found.name}"))
    with app.app_context():
        warnings.simplefilter("ignore")
        dbhelpers.create_all()
        with open(sys.argv[1]) as stream:
            for name, values in json.load(stream):
                _add(classes[name], values)
        db.session.commit()


def _add(model: Any, values: dict[str, Any]) -> None:
    """Days and moments stand as text in JSON."""
    columns = model.__table__.columns
    for name, value in values.items():
        read = READ.get(type(columns[name].type))
        if read and isinstance(value, str):
            values[name] = read(value)
    db.session.add(model(**values))
    db.session.flush()


if __name__ == "__main__":
    main()
