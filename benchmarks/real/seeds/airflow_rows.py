# ruff: noqa: C901, E501
"""Run by the Python of Airflow on an empty database: its own functions write the dairy's rows."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

HOME = Path(os.environ["AIRFLOW_HOME"])
DAGS = {
    "milk_intake.py": '''
"""Milk of the member farms, every morning."""
from datetime import datetime, timedelta
from airflow.sdk import DAG, Asset
from airflow.providers.standard.operators.bash import BashOperator
from airflow.providers.standard.operators.empty import EmptyOperator

with DAG("milk_intake", schedule="0 5 * * *", start_date=datetime(2026, 9, 1), catchup=False,
         tags=["milk", "daily"], default_args={"owner": "jonas", "retries": 2,
         "retry_delay": timedelta(minutes=5)}, max_active_runs=1,
         description="Reads the tank levels of the member farms and loads them"):
    fetch = BashOperator(task_id="fetch_tank_levels", bash_command="echo levels", pool="tank_sensors")
    check = BashOperator(task_id="check_quality", bash_command="echo quality")
    load = BashOperator(task_id="load_warehouse", bash_command="echo load",
                        outlets=[Asset("milk_levels", uri="dairy://warehouse/milk_levels")])
    mail = EmptyOperator(task_id="mail_dairy", trigger_rule="all_done")
    fetch >> check >> load >> mail
''',
    "cheese_inventory.py": '''
"""Counting of the ripening cellar, on Mondays."""
from datetime import datetime
from airflow.sdk import DAG, Asset
from airflow.providers.standard.operators.bash import BashOperator

with DAG("cheese_inventory", schedule="0 6 * * 1", start_date=datetime(2026, 9, 1), catchup=False,
         tags=["cheese", "weekly"], default_args={"owner": "miriam"},
         description="Counts the shelves of the ripening cellar"):
    count = BashOperator(task_id="count_shelves", bash_command="echo 412")
    age = BashOperator(task_id="compute_ageing", bash_command="echo age", pool="heavy_sql")
    publish = BashOperator(task_id="publish_stock", bash_command="echo stock",
                           outlets=[Asset("cheese_stock", uri="dairy://warehouse/cheese_stock")])
    count >> age >> publish
''',
    "price_list.py": '''
"""New price list whenever the stock of cheese changed."""
from datetime import datetime
from airflow.sdk import DAG, Asset
from airflow.providers.standard.operators.bash import BashOperator

with DAG("price_list", schedule=[Asset("cheese_stock", uri="dairy://warehouse/cheese_stock"),
         Asset("milk_levels", uri="dairy://warehouse/milk_levels")],
         start_date=datetime(2026, 9, 1), catchup=False, tags=["cheese", "finance"],
         default_args={"owner": "miriam"}, description="Computes the shop prices"):
    BashOperator(task_id="compute_prices", bash_command="echo prices") >> BashOperator(
        task_id="print_labels", bash_command="echo labels")
''',
    "invoice_export.py": '''
"""Invoices of the month for the bank."""
from datetime import datetime
from airflow.sdk import DAG, Param
from airflow.providers.standard.operators.bash import BashOperator

with DAG("invoice_export", schedule="0 3 1 * *", start_date=datetime(2026, 7, 1), catchup=False,
         tags=["finance", "monthly"], default_args={"owner": "odile", "retries": 1},
         params={"month": Param("2026-10", type="string"), "dry_run": Param(False, type="boolean")},
         description="Sends the invoices of the month to the bank"):
    collect = BashOperator(task_id="collect_orders", bash_command="echo orders")
    render = BashOperator(task_id="build_pdf", bash_command="echo pdf")
    send = BashOperator(task_id="send_to_bank", bash_command="echo bank", pool="bank_gateway")
    collect >> render >> send
''',
    "cellar_climate.py": '''
"""Temperature and humidity of the cellar, four times a day."""
from datetime import datetime
from airflow.sdk import DAG
from airflow.providers.standard.operators.bash import BashOperator

with DAG("cellar_climate", schedule="0 */6 * * *", start_date=datetime(2026, 9, 1), catchup=False,
         tags=["cheese", "sensors"], default_args={"owner": "jonas"},
         description="Reads temperature and humidity of the ripening cellar"):
    BashOperator(task_id="read_sensors", bash_command="echo 12.4", pool="tank_sensors") >> BashOperator(
        task_id="store_readings", bash_command="echo stored")
''',
    "vet_reports.py": '"""Reports of the vet."""\nimport herdbook_client\n',
}
VARIABLES = {
    "warehouse_schema": ("dairy_prod", "Schema of the warehouse that all loads write to"),
    "milk_price_cents": ("47", "Paid per litre, in cents"),
    "quality_limit_cells": ("400000", "Somatic cells per ml above which milk is refused"),
    "alert_mail": ("nightshift@dairy.example", "Who hears of failures"),
    "cellar_target_temperature": ("12.5", "Degrees Celsius"),
}
CONNECTIONS = [
    ("warehouse_db", "postgres", "pg.dairy.example", 5432, "loader", "dairy", "Warehouse"),
    ("tank_sensors_api", "http", "sensors.dairy.example", 8443, "tank", None, "Tank sensors"),
    ("bank_sftp", "sftp", "sftp.bank.example", 22, "dairy-coop", None, "Drop folder of the bank"),
    ("label_printer", "http", "printer.dairy.example", 631, None, None, "Printer in the shop"),
]
POOLS = {
    "tank_sensors": (4, "At most four sensors at once"),
    "heavy_sql": (2, "Warehouse"),
    "bank_gateway": (1, "The bank takes one connection"),
}
OK, BAD = "success", "failed"
# dag, run, logical date, minutes, state, task states, note
RUNS = [
    ("milk_intake", "scheduled__2026-10-01", "2026-10-01T05:00", 7, OK, [OK] * 4, None),
    ("milk_intake", "scheduled__2026-10-02", "2026-10-02T05:00", 9, OK, [OK] * 4, None),
    (
        "milk_intake",
        "scheduled__2026-10-03",
        "2026-10-03T05:00",
        16,
        BAD,
        [OK, BAD, "upstream_failed", OK],
        "Tank of the Huber farm sent no cell count",
    ),
    ("milk_intake", "scheduled__2026-10-04", "2026-10-04T05:00", 8, OK, [OK] * 4, None),
    (
        "milk_intake",
        "manual__huber-again",
        "2026-10-03T09:30",
        6,
        OK,
        [OK] * 4,
        "Repeated by hand after the call with Huber",
    ),
    ("cheese_inventory", "scheduled__2026-09-21", "2026-09-21T06:00", 41, OK, [OK] * 3, None),
    ("cheese_inventory", "scheduled__2026-09-28", "2026-09-28T06:00", 52, OK, [OK] * 3, None),
    (
        "cheese_inventory",
        "scheduled__2026-10-05",
        "2026-10-05T06:00",
        12,
        BAD,
        [OK, BAD, "upstream_failed"],
        None,
    ),
    ("price_list", "asset__2026-09-28", "2026-09-28T07:00", 3, OK, [OK] * 2, None),
    ("invoice_export", "manual__september", "2026-10-01T03:00", 22, OK, [OK] * 3, None),
    (
        "invoice_export",
        "manual__october-rehearsal",
        "2026-10-04T15:00",
        2,
        BAD,
        [OK, BAD, "upstream_failed"],
        None,
    ),
    ("cellar_climate", "scheduled__2026-10-04T06", "2026-10-04T06:00", 1, OK, [OK] * 2, None),
    ("cellar_climate", "scheduled__2026-10-04T12", "2026-10-04T12:00", 1, OK, [OK] * 2, None),
    ("cellar_climate", "scheduled__2026-10-04T18", "2026-10-04T18:00", 1, OK, [OK] * 2, None),
]
ORDER = {
    "milk_intake": ["fetch_tank_levels", "check_quality", "load_warehouse", "mail_dairy"],
    "cheese_inventory": ["count_shelves", "compute_ageing", "publish_stock"],
    "price_list": ["compute_prices", "print_labels"],
    "invoice_export": ["collect_orders", "build_pdf", "send_to_bank"],
    "cellar_climate": ["read_sensors", "store_readings"],
}
XCOMS = [
    (
        "milk_intake",
        "fetch_tank_levels",
        "scheduled__2026-10-04",
        "return_value",
        {"huber": 1840, "moser": 2210, "aigner": 1575},
    ),
    ("milk_intake", "fetch_tank_levels", "scheduled__2026-10-04", "farms_read", 3),
    ("cheese_inventory", "count_shelves", "scheduled__2026-09-28", "return_value", 412),
    ("cheese_inventory", "count_shelves", "scheduled__2026-10-05", "return_value", 398),
    ("invoice_export", "collect_orders", "manual__september", "return_value", 67),
]
LOGS = {
    ("milk_intake", "scheduled__2026-10-03", "check_quality"): [
        ("info", "Reading 3 farms"),
        ("error", "ValueError: no cell count for farm huber"),
    ],
    ("cheese_inventory", "scheduled__2026-10-05", "compute_ageing"): [
        ("info", "Connecting to pg.dairy.example"),
        ("error", "OperationalError: relation cheese_shelf is locked"),
    ],
    ("invoice_export", "manual__october-rehearsal", "build_pdf"): [
        ("error", "FileNotFoundError: letterhead.svg")
    ],
}
BROKEN = {
    "vet_reports.py": "Traceback: ModuleNotFoundError: No module named 'herdbook_client'",
    "old/label_test.py": "Traceback: SyntaxError: unexpected EOF while parsing (line 14)",
}
# dag, from, to, completed, who
BACKFILLS = [
    ("milk_intake", "2026-09-10T05:00", "2026-09-14T05:00", "2026-10-04T09:40", "jonas"),
    ("cellar_climate", "2026-09-20T00:00", "2026-09-22T18:00", None, "miriam"),
]
WARNINGS = [("invoice_export", "Pool bank_gateway was missing when this was last parsed")]


def main():
    """Files, then everything the files make, then rows."""
    for name, text in DAGS.items():
        path = HOME / "dags" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.lstrip())
    program = str(Path(sys.executable).with_name("airflow"))
    for command in (["db", "migrate"], ["dags", "reserialize"]):
        subprocess.run([program, *command], check=True, capture_output=True)
    _rows()


def _rows():
    from airflow.models import Connection, DagModel, DagRun, Log, Pool, Variable
    from airflow.models.asset import AssetDagRunQueue, AssetEvent, AssetModel
    from airflow.models.backfill import Backfill
    from airflow.models.dagwarning import DagWarning
    from airflow.models.errors import ParseImportError
    from airflow.models.serialized_dag import SerializedDagModel
    from airflow.models.xcom import XComModel
    from airflow.utils.session import create_session
    from airflow.utils.types import DagRunTriggeredByType, DagRunType
    from sqlalchemy import select, text

    for name, (value, told) in VARIABLES.items():
        Variable.set(name, value, description=told)
    with create_session() as session:
        for name, kind, host, port, login, schema, told in CONNECTIONS:
            session.add(
                Connection(
                    conn_id=name,
                    conn_type=kind,
                    host=host,
                    port=port,
                    login=login,
                    schema=schema,
                    description=told,
                )
            )
        for name, (slots, told) in POOLS.items():
            session.add(Pool(pool=name, slots=slots, description=told, include_deferred=False))
        for model in session.scalars(select(DagModel)):
            model.is_paused = model.dag_id == "invoice_export"
        for dag, told in WARNINGS:
            session.add(DagWarning(dag, "non-existent pool", told))
    with create_session() as session:
        for dag, run, logical, minutes, state, tasks, note in RUNS:
            begun = datetime.fromisoformat(logical).replace(tzinfo=UTC)
            manual = run.startswith("manual")
            kind = DagRunType(run.partition("__")[0].replace("asset", "asset_triggered"))
            made = SerializedDagModel.get_dag(dag).create_dagrun(
                run_id=run,
                logical_date=begun,
                data_interval=(begun, begun),
                run_after=begun,
                run_type=kind,
                state=state,
                start_date=begun,
                note=note,
                session=session,
                conf={"month": "2026-09" if "september" in run else "2026-10"}
                if dag == "invoice_export"
                else None,
                triggering_user_name="odile" if manual else None,
                triggered_by=DagRunTriggeredByType.UI
                if manual
                else DagRunTriggeredByType.TIMETABLE,
            )
            session.flush()
            made.end_date = begun + timedelta(minutes=minutes)
            made.queued_at = begun
            instances = {each.task_id: each for each in made.get_task_instances(session=session)}
            order = ORDER[dag]
            step = timedelta(minutes=minutes) / len(order)
            for number, (name, state_of) in enumerate(zip(order, tasks, strict=True)):
                instance = instances[name]
                instance.state = state_of
                if state_of != "upstream_failed":
                    instance.start_date = begun + number * step
                    instance.end_date = instance.start_date + step
                    instance.duration = step.total_seconds()
                    instance.try_number = 1
                    instance.hostname = "worker-1.dairy.example"
                    _log(dag, run, name, instance)
        session.flush()
        for dag, task, run, key, value in XCOMS:
            XComModel.set(key, value, dag_id=dag, task_id=task, run_id=run, session=session)
        for name, dag, task, run, moment in (
            (
                "milk_levels",
                "milk_intake",
                "load_warehouse",
                "scheduled__2026-10-02",
                "2026-10-02T05:07",
            ),
            (
                "milk_levels",
                "milk_intake",
                "load_warehouse",
                "scheduled__2026-10-04",
                "2026-10-04T05:06",
            ),
            (
                "cheese_stock",
                "cheese_inventory",
                "publish_stock",
                "scheduled__2026-09-28",
                "2026-09-28T06:52",
            ),
        ):
            asset = session.scalar(select(AssetModel).where(AssetModel.name == name))
            event = AssetEvent(
                asset_id=asset.id,
                source_dag_id=dag,
                source_task_id=task,
                source_run_id=run,
                source_map_index=-1,
                extra={},
                timestamp=datetime.fromisoformat(moment).replace(tzinfo=UTC),
            )
            session.add(event)
            if name == "cheese_stock":
                found = session.scalar(select(DagRun).where(DagRun.dag_id == "price_list"))
                found.consumed_asset_events.append(event)
        milk = session.scalar(select(AssetModel).where(AssetModel.name == "milk_levels"))
        session.add(
            AssetDagRunQueue(
                asset_id=milk.id, target_dag_id="price_list", created_at=_at("2026-10-04T05:06")
            )
        )
        for name, told in BROKEN.items():
            session.add(
                ParseImportError(
                    filename=name,
                    bundle_name="dags-folder",
                    stacktrace=told,
                    timestamp=_at("2026-10-04T08:00"),
                )
            )
        for dag, start, end, done, user in BACKFILLS:
            session.add(
                Backfill(
                    dag_id=dag,
                    from_date=_at(start),
                    to_date=_at(end),
                    dag_run_conf={},
                    is_paused=not done,
                    max_active_runs=2,
                    created_at=_at("2026-10-04T09:00"),
                    completed_at=_at(done) if done else None,
                    triggering_user_name=user,
                )
            )
        session.execute(
            text(
                "INSERT INTO job (state, job_type, start_date, end_date, latest_heartbeat, hostname, unixname)"
                " VALUES ('success', 'SchedulerJob', '2026-10-01 04:00:00', '2026-10-04 20:00:00',"
                " '2026-10-04 19:59:55', 'scheduler-1.dairy.example', 'airflow')"
            )
        )
        for event, dag, owner, moment in (
            ("paused", "invoice_export", "odile", "2026-10-02T08:15"),
            ("trigger", "invoice_export", "odile", "2026-10-04T15:00"),
            ("trigger", "milk_intake", "jonas", "2026-10-03T09:30"),
            ("variable.edit", None, "miriam", "2026-10-01T10:05"),
        ):
            when = datetime.fromisoformat(moment).replace(tzinfo=UTC)
            row = Log(event=event, owner=owner, dag_id=dag)
            row.dttm = when
            session.add(row)


def _at(moment):
    return datetime.fromisoformat(moment).replace(tzinfo=UTC)


def _log(dag, run, task, instance):
    lines = LOGS.get((dag, run, task), [("info", f"{task} done")])
    path = HOME / "logs" / f"dag_id={dag}" / f"run_id={run}" / f"task_id={task}" / "attempt=1.log"
    path.parent.mkdir(parents=True, exist_ok=True)
    moment = instance.start_date.isoformat()
    path.write_text(
        "".join(
            json.dumps({"timestamp": moment, "level": level, "event": event, "logger": "task"})
            + "\n"
            for level, event in lines
        )
    )


main()
