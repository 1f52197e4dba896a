"""The rows of `zou_rows.py` as Zou's own classes take them, in the order in which they depend."""

from collections.abc import Iterator
from typing import Any

from seeds import zou_rows as data
from seeds.zou_plans import plans
from seeds.zou_rows import Row

JTI = "9b0c7f5e-lantern-moth"


def rows() -> Iterator[Row]:
    """All of them."""
    yield from _studio()
    yield from _people()
    yield from _projects()
    yield from _entities()
    yield from _tasks()
    yield from _work()
    yield from plans()


def _task(entity: str, kind: str) -> str:
    return f"@Task/{entity} {kind}"


def _studio() -> Iterator[Row]:
    yield "Organisation", "studio", {"name": "Lantern Moth Pictures", "hours_by_day": 7.5}
    for name, color in data.DEPARTMENTS:
        yield "Department", name, {"name": name, "color": color}
    for place, (name, short, department, served) in enumerate(data.TYPES, 1):
        about: dict[str, Any] = {"name": name, "short_name": short, "priority": place}
        yield (
            "TaskType",
            name,
            about
            | {
                "department_id": f"@Department/{department}",
                "for_entity": served,
            },
        )
    for name, short, more in data.STATUSES:
        yield "TaskStatus", name, {"name": name, "short_name": short, "color": "#888888", **more}
    for name in data.KINDS:
        yield "EntityType", name, {"name": name}
    for name, short, version, ending, cost, owned in data.SOFTWARE:
        yield (
            "Software",
            name,
            {
                "name": name,
                "short_name": short,
                "version": version,
                "file_extension": ending,
                "monthly_cost": cost,
                "inventory_amount": owned,
            },
        )
    for name, short, cost, owned in data.HARDWARE:
        about = {"name": name, "short_name": short, "monthly_cost": cost}
        yield "HardwareItem", name, about | {"inventory_amount": owned}


def _people() -> Iterator[Row]:
    for first, last, role, department, position, salary in data.PEOPLE:
        yield (
            "Person",
            first,
            {
                "first_name": first,
                "last_name": last,
                "email": f"{first.lower()}@lantern-moth.example",
                "role": role,
                "position": position,
                "daily_salary": salary,
                **({"jti": JTI} if role == "admin" else {}),
            },
        )
        yield (
            "DepartmentLink",
            "",
            {
                "person_id": f"@Person/{first}",
                "department_id": f"@Department/{department}",
            },
        )
    for first, start, end, why in data.DAYS_OFF:
        about = {"date": start, "end_date": end, "description": why}
        yield "DayOff", f"{first} {start}", about | {"person_id": f"@Person/{first}"}


def _projects() -> Iterator[Row]:
    for name, color in (("Open", "#22D160"), ("Closed", "#CC2222")):
        yield "ProjectStatus", name, {"name": name, "color": color}
    for name, code, kind, style, start, end, about in data.PROJECTS:
        yield (
            "Project",
            name,
            {
                "name": name,
                "code": code,
                "production_type": kind,
                "production_style": style,
                "start_date": start,
                "end_date": end,
                "description": about,
                "project_status_id": "@ProjectStatus/Open",
            },
        )
        project = f"@Project/{name}"
        for person in data.TEAMS[name]:
            yield "ProjectPersonLink", "", {"project_id": project, "person_id": f"@Person/{person}"}
        for task_type, *_ in data.TYPES:
            about_type = {"project_id": project, "task_type_id": f"@TaskType/{task_type}"}
            yield "ProjectTaskTypeLink", f"{name} {task_type}", about_type
        for status, *_ in data.STATUSES:
            about_status = {"project_id": project, "task_status_id": f"@TaskStatus/{status}"}
            yield "ProjectTaskStatusLink", f"{name} {status}", about_status


def _entities() -> Iterator[Row]:
    for name, kind, project, parent, more in data.ENTITIES:
        yield (
            "Entity",
            name,
            {
                "name": name,
                "entity_type_id": f"@EntityType/{kind}",
                "project_id": f"@Project/{project}",
                **({"parent_id": f"@Entity/{parent}"} if parent else {}),
                **more,
            },
        )
    for where, who, times in data.CASTING:
        yield (
            "EntityLink",
            f"{where} {who}",
            {
                "entity_in_id": f"@Entity/{where}",
                "entity_out_id": f"@Entity/{who}",
                "nb_occurences": times,
            },
        )


def _tasks() -> Iterator[Row]:
    projects = {name: project for name, _, project, *_ in data.ENTITIES}
    for entity, kind, status, person, start, due, estimated, spent in data.TASKS:
        yield (
            "Task",
            f"{entity} {kind}",
            {
                "name": "main",
                "project_id": f"@Project/{projects[entity]}",
                "entity_id": f"@Entity/{entity}",
                "task_type_id": f"@TaskType/{kind}",
                "task_status_id": f"@TaskStatus/{status}",
                "assigner_id": "@Person/Tomasz",
                "start_date": start,
                "due_date": due,
                "estimation": estimated,
                "duration": spent,
                **({"done_date": due} if status == "Done" else {}),
            },
        )
        about = {"task_id": _task(entity, kind), "person_id": f"@Person/{person}"}
        yield "TaskPersonLink", "", about


def _work() -> Iterator[Row]:
    for entity, kind, person, day, minutes in data.HOURS:
        about_hours: dict[str, Any] = {"date": day, "duration": minutes}
        yield (
            "TimeSpent",
            f"{entity} {kind} {day}",
            about_hours
            | {
                "task_id": _task(entity, kind),
                "person_id": f"@Person/{person}",
            },
        )
    for entity, kind, person, status, text, moment in data.COMMENTS:
        yield (
            "Comment",
            f"{entity} {moment}",
            {
                "object_id": _task(entity, kind),
                "object_type": "Task",
                "text": text,
                "person_id": f"@Person/{person}",
                "task_status_id": f"@TaskStatus/{status}",
                "created_at": moment,
            },
        )
        about_news = {"author_id": f"@Person/{person}", "change": True, "created_at": moment}
        yield (
            "News",
            f"{entity} {moment}",
            about_news
            | {
                "comment_id": f"@Comment/{entity} {moment}",
                "task_id": _task(entity, kind),
            },
        )
