"""Run by the Python of Prefect on an empty data folder: a ferry company's flows and their runs."""

import asyncio
import os
import random
from datetime import UTC, datetime, timedelta
from uuid import UUID

# Ids are random: with a fixed source they are the same wherever this runs.
os.urandom = random.Random(31).randbytes

from prefect.server import models, schemas  # noqa: E402
from prefect.server.database import provide_database_interface  # noqa: E402
from prefect.server.schemas import core  # noqa: E402
from prefect.server.schemas.states import State, StateType  # noqa: E402

FLOWS = {
    "nightly-ticket-sync": "a1f0c3de-5b21-4c7e-9d10-3f6b8e2a7c01",
    "tide-forecast": "a1f0c3de-5b21-4c7e-9d10-3f6b8e2a7c02",
    "crew-roster-import": "a1f0c3de-5b21-4c7e-9d10-3f6b8e2a7c03",
    "fuel-report": "a1f0c3de-5b21-4c7e-9d10-3f6b8e2a7c04",
}
TAGS = {"nightly-ticket-sync": ["tickets"], "fuel-report": ["finance", "monthly"]}
POOLS = {
    "harbour-servers": ("process", "Two machines in the harbour office.", False, 6),
    "cloud-burst": ("docker", "Rented when the season is high.", True, 20),
}
QUEUES = {"urgent": (1, None), "bulk": (5, 2)}
# id, flow, name, cron, queue, paused, parameters, description
DEPLOYMENTS = (
    ("d2e1b4cf-6c32-4d8f-8e21-406c9f3b8d01", "nightly-ticket-sync", "production", "15 2 * * *",
     "urgent", False, {"region": "north", "dry_run": False}, "Copies yesterday's tickets."),
    ("d2e1b4cf-6c32-4d8f-8e21-406c9f3b8d02", "nightly-ticket-sync", "staging", None,
     "bulk", False, {"region": "north", "dry_run": True}, "For trying out changes."),
    ("d2e1b4cf-6c32-4d8f-8e21-406c9f3b8d03", "tide-forecast", "hourly", "5 * * * *",
     "urgent", False, {"stations": ["Fjordside", "Gull Rock"]}, "Asked for by the captains."),
    ("d2e1b4cf-6c32-4d8f-8e21-406c9f3b8d04", "fuel-report", "monthly", "0 6 1 * *",
     "bulk", True, {"currency": "EUR"}, "Paused while the new ferry is in the dock."),
)  # fmt: skip
# id, flow, deployment, name, state, its name, message, start, minutes, tags
RUNS = (
    ("f3d2a5b0-7d43-4e90-9f32-517da04c9e01", 0, 0, "brave-otter", "COMPLETED", "Completed",
     "All states completed.", datetime(2026, 11, 20, 2, 15, tzinfo=UTC), 14),
    ("f3d2a5b0-7d43-4e90-9f32-517da04c9e02", 0, 0, "quiet-heron", "FAILED", "Failed",
     "The ticket API answered 503 three times.", datetime(2026, 11, 21, 2, 15, tzinfo=UTC), 3),
    ("f3d2a5b0-7d43-4e90-9f32-517da04c9e03", 1, 2, "amber-seal", "COMPLETED", "Completed",
     "All states completed.", datetime(2026, 11, 21, 9, 5, tzinfo=UTC), 1),
    ("f3d2a5b0-7d43-4e90-9f32-517da04c9e04", 3, 3, "lucid-puffin", "CRASHED", "Crashed",
     "The machine ran out of memory.", datetime(2026, 11, 1, 6, 0, tzinfo=UTC), 41),
    ("f3d2a5b0-7d43-4e90-9f32-517da04c9e05", 2, None, "plain-gannet", "PAUSED", "Paused",
     "Waits for the harbour master's approval.", datetime(2026, 11, 19, 8, 30, tzinfo=UTC), 2),
)  # fmt: skip
# id, run, name, state, message
TASKS = (
    ("b4c3d6a1-8e54-4fa1-8043-628eb15daf01", 0, "fetch-tickets-0", "COMPLETED", ""),
    ("b4c3d6a1-8e54-4fa1-8043-628eb15daf02", 0, "write-to-ledger-0", "COMPLETED", ""),
    ("b4c3d6a1-8e54-4fa1-8043-628eb15daf03", 1, "fetch-tickets-0", "FAILED", "HTTP 503"),
    ("b4c3d6a1-8e54-4fa1-8043-628eb15daf04", 2, "read-gauges-0", "COMPLETED", ""),
)
LOGS = (
    (0, 20, "Fetched 1842 tickets."),
    (0, 20, "Wrote 1842 rows to the ledger."),
    (1, 30, "The ticket API answered 503, trying again in 20 s."),
    (1, 40, "Gave up after three tries. Ask Ruth Solberg for the status page."),
)
ARTIFACTS = (
    ("c5d4e7f2-9f65-40b2-9154-739fc26eb001", "fuel-october", "markdown",
     "# October 2026\n\n41 320 litres, 58 674 EUR.", 3),
    ("c5d4e7f2-9f65-40b2-9154-739fc26eb002", "ticket-totals", "table",
     '[{"day": "2026-11-19", "tickets": 1710}]', 0),
    ("c5d4e7f2-9f65-40b2-9154-739fc26eb003", "ticket-totals", "table",
     '[{"day": "2026-11-20", "tickets": 1842}]', 0),
)  # fmt: skip


async def main() -> None:
    """Write all rows."""
    db = provide_database_interface()
    await db.create_db()
    async with db.session_context(begin_transaction=True) as session:
        for name, number in FLOWS.items():
            flow = core.Flow(id=UUID(number), name=name, tags=TAGS.get(name, []))
            await models.flows.create_flow(session=session, flow=flow)
        queues = await _pools(session)
        await _deployments(session, queues)
        await _runs(session)


async def _pools(session) -> dict[str, UUID]:
    queues = {}
    for name, (kind, words, paused, limit) in POOLS.items():
        pool = await models.workers.create_work_pool(
            session=session,
            work_pool=schemas.actions.WorkPoolCreate(
                name=name, type=kind, description=words, is_paused=paused, concurrency_limit=limit
            ),
        )
        if name == "harbour-servers":
            for queue, (priority, most) in QUEUES.items():
                made = schemas.actions.WorkQueueCreate(
                    name=queue, priority=priority, concurrency_limit=most
                )
                row = await models.workers.create_work_queue(
                    session=session, work_pool_id=pool.id, work_queue=made
                )
                queues[queue] = row.id
    return queues


async def _deployments(session, queues: dict[str, UUID]) -> None:
    for number, flow, name, cron, queue, paused, parameters, words in DEPLOYMENTS:
        schedules = []
        if cron:
            when = schemas.schedules.CronSchedule(cron=cron, timezone="Europe/Oslo")
            schedules = [core.DeploymentSchedule(schedule=when, active=not paused)]
        deployment = core.Deployment(
            id=UUID(number),
            name=name,
            flow_id=UUID(FLOWS[flow]),
            paused=paused,
            schedules=schedules,
            parameters=parameters,
            description=words,
            work_queue_name=queue,
            work_queue_id=queues[queue],
            entrypoint=f"flows/{flow.replace('-', '_')}.py:main",
            tags=TAGS.get(flow, []),
        )
        await models.deployments.create_deployment(session=session, deployment=deployment)


async def _runs(session) -> None:
    flows = list(FLOWS.values())
    for number, flow, deployment, name, state, title, words, start, minutes in RUNS:
        row = DEPLOYMENTS[deployment] if deployment is not None else None
        run = core.FlowRun(
            id=UUID(number),
            name=name,
            flow_id=UUID(flows[flow]),
            deployment_id=UUID(row[0]) if row else None,
            parameters=row[6] if row else {"file": "crew-2026-47.csv"},
            work_queue_name=row[4] if row else None,
            expected_start_time=start,
        )
        await models.flow_runs.create_flow_run(session=session, flow_run=run)
        steps = [
            State(type=StateType.SCHEDULED, name="Scheduled", timestamp=start - timedelta(hours=1)),
            State(type=StateType.RUNNING, name="Running", timestamp=start),
            State(
                type=StateType(state),
                name=title,
                message=words,
                timestamp=start + timedelta(minutes=minutes),
            ),
        ]
        for step in steps:
            await models.flow_runs.set_flow_run_state(
                session=session, flow_run_id=UUID(number), state=step, force=True
            )
    for number, run, name, state, words in TASKS:
        start = RUNS[run][7]
        task = core.TaskRun(
            id=UUID(number),
            flow_run_id=UUID(RUNS[run][0]),
            name=name,
            task_key=name.removesuffix("-0"),
            dynamic_key="0",
        )
        await models.task_runs.create_task_run(session=session, task_run=task)
        for kind, later in ((StateType.RUNNING, 5), (StateType(state), 65)):
            step = State(
                type=kind,
                name=kind.value.capitalize(),
                message=words if kind.value == state and words else None,
                timestamp=start + timedelta(seconds=later),
            )
            await models.task_runs.set_task_run_state(
                session=session, task_run_id=UUID(number), state=step, force=True
            )
    logs = [
        schemas.actions.LogCreate(
            name="prefect.flow_runs",
            level=level,
            message=words,
            timestamp=RUNS[run][7] + timedelta(seconds=10 + place),
            flow_run_id=UUID(RUNS[run][0]),
        )
        for place, (run, level, words) in enumerate(LOGS)
    ]
    await models.logs.create_logs(session=session, logs=logs)
    for number, key, kind, data, run in ARTIFACTS:
        artifact = core.Artifact(
            id=UUID(number), key=key, type=kind, data=data, flow_run_id=UUID(RUNS[run][0])
        )
        await models.artifacts.create_artifact(session=session, artifact=artifact)
    asked = core.FlowRunInput(
        flow_run_id=UUID(RUNS[4][0]),
        key="approval",
        value='{"by": "Amir Haddad", "granted": false}',
    )
    await models.flow_run_input.create_flow_run_input(session=session, flow_run_input=asked)


asyncio.run(main())
