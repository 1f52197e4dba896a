"""What the studio of `zou_rows.py` plans: milestones, schedule, budget and lists for a review."""

from collections.abc import Iterator

from seeds import zou_rows as data
from seeds.zou_rows import Row

SALT = "@Project/The Salt Cartographer"
PLAYLIST = "Dailies of 23 October"


def plans() -> Iterator[Row]:
    """All of them."""
    yield from _schedule()
    yield from _money()
    yield from _lists()


def _schedule() -> Iterator[Row]:
    for name, project, kind, day in data.MILESTONES:
        about = {"name": name, "date": day, "project_id": f"@Project/{project}"}
        yield "Milestone", name, about | {"task_type_id": f"@TaskType/{kind}"}
    for project, kind, start, end, days in data.SCHEDULE:
        yield (
            "ScheduleItem",
            f"{project} {kind}",
            {
                "project_id": f"@Project/{project}",
                "task_type_id": f"@TaskType/{kind}",
                "start_date": start,
                "end_date": end,
                "man_days": days,
            },
        )


def _money() -> Iterator[Row]:
    budget = {"name": "Film fund 2026", "currency": "EUR", "revision": 1, "project_id": SALT}
    yield "Budget", "Film fund", budget
    for department, person, start, months, salary in data.BUDGET:
        yield (
            "BudgetEntry",
            f"Film fund {person}",
            {
                "budget_id": "@Budget/Film fund",
                "department_id": f"@Department/{department}",
                "person_id": f"@Person/{person}",
                "start_date": start,
                "months_duration": months,
                "daily_salary": salary,
            },
        )


def _lists() -> Iterator[Row]:
    playlist = {"name": PLAYLIST, "project_id": SALT, "for_entity": "shot", "shots": []}
    yield "Playlist", PLAYLIST, playlist
    yield (
        "MetadataDescriptor",
        "Difficulty",
        {
            "project_id": SALT,
            "entity_type": "Shot",
            "name": "Water simulation",
            "field_name": "water_simulation",
            "data_type": "list",
            "choices": ["none", "ripples", "waves"],
        },
    )
