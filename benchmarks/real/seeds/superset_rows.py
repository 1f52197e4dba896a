"""Run by Superset's Python on an empty database: a town's swimming pools in tables and charts."""

import json
import os
import random
import sqlite3
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

# UUIDs are random: with a fixed source they are the same wherever this runs.
os.urandom = random.Random(31).randbytes

from superset.app import create_app  # noqa: E402

HOME = Path(os.environ["SUPERSET_HOME"])
POOLS = {"Lake Pool": 410, "Riverside": 640, "Old Baths": 180}
TICKETS = {"single": (55, 6.5), "season": (30, 0.0), "child": (15, 3.0)}
COURSES = [
    (1, "Seahorse", "Old Baths", 12, 12, "Aisha Diallo"),
    (2, "Crawl for adults", "Riverside", 16, 9, "Tom Becker"),
    (3, "Aqua gym", "Old Baths", 20, 19, "Aisha Diallo"),
    (4, "Lifesaver bronze", "Lake Pool", 10, 4, "Jan Novak"),
]
SCHEMA = """
CREATE TABLE visits (day DATE, pool TEXT, ticket TEXT, visitors INTEGER, revenue REAL);
CREATE TABLE water (day DATE, pool TEXT, temperature REAL, ph REAL, chlorine REAL);
CREATE TABLE courses (id INTEGER PRIMARY KEY, name TEXT, pool TEXT, places INTEGER,
  booked INTEGER, teacher TEXT);
CREATE VIEW visits_by_month AS SELECT strftime('%Y-%m', day) AS month, pool,
  sum(visitors) AS visitors FROM visits GROUP BY 1, 2;
"""


def measured() -> None:
    """The tables that charts are made of."""
    connection = sqlite3.connect(HOME / "pools.db")
    connection.executescript(SCHEMA)
    for number in range(304):
        day = date(2026, 1, 1) + timedelta(days=number)
        for place, (pool, usual) in enumerate(POOLS.items()):
            swing = (number * 37 + place * 11) % 41 - 20
            total = usual + usual * swing // 100 + (usual // 3 if day.weekday() > 4 else 0)
            for ticket, (share, price) in TICKETS.items():
                people = total * share // 100
                row = (day.isoformat(), pool, ticket, people, round(people * price, 2))
                connection.execute("INSERT INTO visits VALUES (?, ?, ?, ?, ?)", row)
            water = (24 + place * 2 + swing / 40, 7.2 + swing / 100, 0.5 + swing / 80)
            values = (day.isoformat(), pool, *(round(each, 2) for each in water))
            connection.execute("INSERT INTO water VALUES (?, ?, ?, ?, ?)", values)
    connection.executemany("INSERT INTO courses VALUES (?, ?, ?, ?, ?, ?)", COURSES)
    connection.commit()
    connection.close()


# number: (name, how it is drawn, dataset, description, groups, metric)
CHARTS: list[tuple[str, str, int, str, list[str], str]] = [
    ("Visitors per day", "echarts_timeseries_line", 1, "All pools together", ["day"], "visitors"),
    ("Revenue by pool", "pie", 1, "Without season tickets", ["pool"], "revenue"),
    ("Tickets sold", "table", 1, "By kind of ticket", ["ticket"], "visitors"),
    ("Water temperature", "echarts_timeseries_line", 2, "", ["pool"], "temperature"),
    ("Low chlorine", "table", 2, "Lowest value of each pool", ["pool"], "lowest_chlorine"),
    ("Free places in courses", "table", 3, "Places less bookings", ["name"], "free_places"),
]
METRICS = {
    1: {"visitors": "SUM(visitors)", "revenue": "SUM(revenue)"},
    2: {"temperature": "AVG(temperature)", "lowest_chlorine": "MIN(chlorine)"},
    3: {"free_places": "SUM(places - booked)"},
}
DASHBOARDS = [
    ("Pools at a glance", "pools-at-a-glance", True, [1, 2, 3], "For the town council", "ines"),
    ("Water quality", "water-quality", True, [4, 5], "Read out by the health office", "aisha"),
    ("Swimming courses", "swimming-courses", False, [6], "Not finished yet", "tom"),
]
LAYERS = [
    (
        *("Holidays", "School holidays"),
        [
            ("Easter holidays", "2026-03-30", "2026-04-11", "Children's tickets at half price"),
            ("Summer holidays", "2026-07-20", "2026-08-31", "Open until 22:00"),
        ],
    ),
    (
        *("Closures", "Days on which a pool was closed"),
        [
            ("Pump of Lake Pool", "2026-05-04", "2026-05-09", "Seal of pump 2 replaced"),
            ("Old Baths: tiles", "2026-09-14", "2026-09-25", "Tiles of the small basin"),
        ],
    ),
]
SAVED = [
    (
        *("Days with low chlorine", "For the health office", "ines"),
        "SELECT day, pool, chlorine FROM water WHERE chlorine < 0.3 ORDER BY day",
    ),
    (
        *("Best days", "Ten days with the highest revenue", "ines"),
        "SELECT day, sum(revenue) FROM visits GROUP BY day ORDER BY 2 DESC LIMIT 10",
    ),
    (
        *("Courses nearly full", "", "tom"),
        "SELECT name, places - booked AS free FROM courses WHERE places - booked < 3",
    ),
]
QUERIES = [
    ("Pq7rT2xLm1a", "ines", "success", "SELECT count(*) FROM visits", 1, "2026-11-18", ""),
    ("Pq7rT2xLm1b", "tom", "failed", "SELECT * FROM visitors", 0, "2026-11-19", "no such table"),
    ("Pq7rT2xLm1c", "aisha", "success", "SELECT * FROM water LIMIT 50", 50, "2026-11-20", ""),
]
TAGS = [
    ("council", "Shown in the town council", [("dashboard", 1), ("chart", 1), ("chart", 2)]),
    ("hygiene", "What the health office asks for", [("dashboard", 2), ("chart", 5), ("query", 1)]),
]
REPORTS: list[tuple[str, str, str, dict[str, Any]]] = [
    ("Report", "Weekly numbers", "0 7 * * 1", {"dashboard_id": 1, "last_state": "Success"}),
    (
        *("Alert", "Chlorine too low", "0 6 * * *"),
        {
            "chart_id": 5,
            "database_id": 1,
            "sql": "SELECT min(chlorine) FROM water WHERE day > date('now', '-2 days')",
            "last_state": "Error",
            "validator_type": "operator",
            "validator_config_json": json.dumps({"op": "<", "threshold": 0.3}),
        },
    ),
    ("Report", "Course list", "0 18 * * 5", {"chart_id": 6, "active": False}),
]
REPORT_LOGS = [
    (1, "2026-11-09T07:00:00", "Success", ""),
    (1, "2026-11-16T07:00:00", "Success", ""),
    (2, "2026-11-19T06:00:00", "Success", ""),
    (2, "2026-11-20T06:00:00", "Error", "The mail server did not answer"),
]


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def people() -> dict[str, Any]:
    """Users, roles and a group."""
    from superset import db
    from superset import security_manager as manager

    roles = {name: manager.find_role(name) for name in ("Admin", "Alpha", "Gamma")}
    roles["Lake Pool team"] = manager.add_role("Lake Pool team")
    for permission in ("can_read", "can_export"):
        found = manager.find_permission_view_menu(permission, "Chart")
        if found:
            manager.add_permission_role(roles["Lake Pool team"], found)
    rows = [
        ("ines", "Ines", "Prado", "Admin", True),
        ("tom", "Tom", "Becker", "Alpha", True),
        ("aisha", "Aisha", "Diallo", "Alpha", True),
        ("jan", "Jan", "Novak", "Lake Pool team", True),
        ("greta", "Greta", "Holm", "Gamma", False),
    ]
    for name, first, last, role, active in rows:
        mail = f"{name}@pools.example.com"
        user = manager.add_user(name, first, last, mail, roles[role], password="of-a-benchmark")
        user.active = active
    group = manager.add_group("Attendants", "Attendants", "People at the basin", roles=[])
    group.users = [manager.find_user(name) for name in ("jan", "aisha")]
    db.session.commit()
    return {name: manager.find_user(name) for name, *_ in rows}


def sources() -> None:
    """The database and its datasets."""
    from superset import db
    from superset.connectors.sqla.models import SqlaTable, SqlMetric
    from superset.models.core import Database

    database = Database(
        database_name="Pools",
        sqlalchemy_uri=f"sqlite:///{HOME / 'pools.db'}",
        expose_in_sqllab=True,
        allow_file_upload=False,
    )
    db.session.add(database)
    db.session.commit()
    told = {
        "visits": "Visitors and revenue by day, pool and kind of ticket",
        "water": "Measured every morning at seven",
        "courses": "Swimming courses of this season",
    }
    for number, (name, words) in enumerate(told.items(), 1):
        table = SqlaTable(table_name=name, database=database, schema="main", description=words)
        table.main_dttm_col = None if name == "courses" else "day"
        db.session.add(table)
        db.session.commit()
        table.fetch_metadata()
        table.metrics = [
            SqlMetric(metric_name=metric, expression=expression)
            for metric, expression in METRICS[number].items()
        ]
        db.session.commit()


def drawn(users: dict[str, Any]) -> list[Any]:
    """Charts."""
    from superset import db
    from superset.models.slice import Slice

    charts = []
    for name, drawing, table, words, groups, metric in CHARTS:
        query = {"columns": groups, "metrics": [metric], "row_limit": 1000, "filters": []}
        context = {
            "datasource": {"id": table, "type": "table"},
            "force": False,
            "queries": [query],
            "form_data": {},
            "result_format": "json",
            "result_type": "full",
        }
        form = {"viz_type": drawing, "groupby": groups, "metrics": [metric], "row_limit": 1000}
        charts.append(
            Slice(
                slice_name=name,
                viz_type=drawing,
                datasource_id=table,
                datasource_type="table",
                description=words,
                params=json.dumps(form),
                query_context=json.dumps(context),
                owners=[users["aisha" if table == 2 else "ines"]],
            )
        )
    db.session.add_all(charts)
    db.session.commit()
    return charts


def shown(users: dict[str, Any], charts: list[Any]) -> None:
    """Dashboards, favourites, how they look."""
    from superset import db
    from superset.models.core import CssTemplate, FavStar, Theme
    from superset.models.dashboard import Dashboard

    for title, slug, published, numbers, words, owner in DASHBOARDS:
        db.session.add(
            Dashboard(
                dashboard_title=title,
                slug=slug,
                published=published,
                description=words,
                owners=[users[owner]],
                slices=[charts[number - 1] for number in numbers],
                position_json=json.dumps(_places(numbers)),
                json_metadata=json.dumps({"refresh_frequency": 0}),
                certified_by="Town statistics office" if published else None,
            )
        )
        db.session.commit()
    for kind, number in (("slice", 2), ("slice", 5), ("Dashboard", 1)):
        db.session.add(FavStar(user_id=users["ines"].id, class_name=kind, obj_id=number))
    db.session.add(CssTemplate(template_name="Wide print", css=".grid { width: 297mm; }"))
    db.session.add(CssTemplate(template_name="Lobby screen", css="body { font-size: 2em; }"))
    db.session.add(
        Theme(theme_name="Pool blue", json_data='{"token": {"colorPrimary": "#0a6c9a"}}')
    )
    db.session.commit()


def _places(numbers: list[int]) -> dict[str, Any]:
    """Two tabs: the first chart, and the others."""
    root: dict[str, Any] = {"id": "ROOT_ID", "type": "ROOT", "children": ["TABS-1"]}
    tabs = {"id": "TABS-1", "type": "TABS", "children": ["TAB-1", "TAB-2"], "meta": {}}
    found: dict[str, Any] = {"DASHBOARD_VERSION_KEY": "v2", "ROOT_ID": root, "TABS-1": tabs}
    for tab, words, inside in (("1", "Today", numbers[:1]), ("2", "This year", numbers[1:])):
        row = f"ROW-{tab}"
        named = {"text": words, "defaultText": "Tab title"}
        found[f"TAB-{tab}"] = {
            "id": f"TAB-{tab}",
            "type": "TAB",
            "children": [row],
            "meta": named,
            "parents": ["ROOT_ID", "TABS-1"],
        }
        children = [f"CHART-{number}" for number in inside]
        found[row] = {"id": row, "type": "ROW", "children": children, "meta": {}}
        for number in inside:
            meta = {"chartId": number, "width": 4, "height": 50}
            name = f"CHART-{number}"
            found[name] = {"id": name, "type": "CHART", "children": [], "meta": meta}
    return found


def asked(users: dict[str, Any]) -> None:
    """Queries that are kept, and those that were run."""
    from superset import db
    from superset.models.sql_lab import Query, SavedQuery

    for label, words, user, sql in SAVED:
        maker = users[user].id
        made = {"user_id": maker, "created_by_fk": maker, "db_id": 1, "schema": "main"}
        db.session.add(SavedQuery(label=label, description=words, sql=sql, **made))
    for number, (client, user, status, sql, rows, day, error) in enumerate(QUERIES, 1):
        begun = datetime.fromisoformat(f"{day}T09:00:00").replace(tzinfo=UTC)
        start = begun.timestamp() * 1000
        db.session.add(
            Query(
                client_id=client,
                database_id=1,
                schema="main",
                user_id=users[user].id,
                status=status,
                sql=sql,
                executed_sql=sql,
                tab_name=f"Query {number}",
                sql_editor_id=str(number),
                rows=rows,
                progress=100,
                error_message=error or None,
                start_time=start,
                end_time=start + 120 * number,
                limit=1000,
                changed_on=begun.replace(tzinfo=None),
            )
        )
    db.session.commit()


def noted() -> None:
    """Notes on the time line, and tags."""
    from superset import db
    from superset.models.annotations import Annotation, AnnotationLayer
    from superset.tags.models import ObjectType, Tag, TaggedObject, TagType

    for name, words, notes in LAYERS:
        layer = AnnotationLayer(name=name, descr=words)
        db.session.add(layer)
        db.session.commit()
        for short, first, last, long in notes:
            told = {"short_descr": short, "long_descr": long, "layer": layer}
            between = {"start_dttm": _moment(first), "end_dttm": _moment(last)}
            db.session.add(Annotation(**told, **between))
            db.session.commit()
    for name, words, things in TAGS:
        tag = Tag(name=name, description=words, type=TagType.custom)
        db.session.add(tag)
        db.session.commit()
        for kind, number in things:
            pair = {"object_id": number, "object_type": ObjectType[kind]}
            db.session.add(TaggedObject(tag_id=tag.id, **pair))
    db.session.commit()


def mailed(users: dict[str, Any]) -> None:
    """Reports and alerts, and how sending them went."""
    from superset import db
    from superset.reports.models import ReportExecutionLog, ReportRecipients, ReportSchedule

    for kind, name, when, more in REPORTS:
        values = {"type": kind, "name": name, "crontab": when, "timezone": "Europe/Berlin"}
        schedule = ReportSchedule(**values, owners=[users["ines"]], **more)
        target = json.dumps({"target": "council@town.example.com"})
        schedule.recipients = [ReportRecipients(type="Email", recipient_config_json=target)]
        db.session.add(schedule)
        db.session.commit()
    for number, moment, state, error in REPORT_LOGS:
        start = _moment(moment)
        spent = {"scheduled_dttm": start, "start_dttm": start}
        db.session.add(
            ReportExecutionLog(
                report_schedule_id=number,
                end_dttm=start + timedelta(seconds=20),
                state=state,
                error_message=error or None,
                **spent,
            )
        )
    db.session.commit()


def watched(users: dict[str, Any]) -> None:
    """A rule for rows, and what people did."""
    from superset import db
    from superset import security_manager as manager
    from superset.connectors.sqla.models import RowLevelSecurityFilter, SqlaTable
    from superset.models.core import Log

    tables = db.session.query(SqlaTable).order_by(SqlaTable.id).all()
    db.session.add(
        RowLevelSecurityFilter(
            name="Lake Pool only",
            description="The team of Lake Pool sees no other pool",
            filter_type="Regular",
            clause="pool = 'Lake Pool'",
            tables=tables[:2],
            roles=[manager.find_role("Lake Pool team")],
        )
    )
    for user, action, board, chart, moment in (
        ("tom", "mount_dashboard", 1, None, "2026-11-18T08:15:00"),
        ("aisha", "mount_explorer", None, 5, "2026-11-19T10:02:00"),
        ("ines", "mount_dashboard", 2, None, "2026-11-20T07:30:00"),
    ):
        where = {"dashboard_id": board, "slice_id": chart, "dttm": _moment(moment)}
        event = json.dumps({"event_name": action, "source": "dashboard"})
        db.session.add(Log(action="log", user_id=users[user].id, json=event, **where))
    db.session.commit()


def main() -> None:
    """All of it, in an order that fixes the ids."""
    measured()
    with create_app().app_context():
        users = people()
        sources()
        shown(users, drawn(users))
        asked(users)
        noted()
        mailed(users)
        watched(users)


if __name__ == "__main__":
    main()
