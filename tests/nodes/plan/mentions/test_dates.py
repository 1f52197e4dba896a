"""Dates and times, counted from a given day."""

import datetime as dt

import pytest

from gretel.nodes.plan.mentions.dates import date_mentions
from gretel.nodes.plan.mentions.mention import Moment

TODAY = dt.date(2026, 10, 8)  # a Thursday


def moments(text: str, *, month_first: bool = True) -> list[str]:
    """Every date in `text` as ISO text, the longest spans first."""
    mentions = date_mentions(text, 0, TODAY, month_first=month_first)
    found = [m for m in mentions if m.kind == "date"]
    values = [m.value for m in sorted(found, key=lambda m: m.start - m.end)]
    return [
        dt.datetime.combine(v.date, v.time).isoformat() if v.time else v.date.isoformat()
        for v in values
        if isinstance(v, Moment) and v.date
    ]


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("today", "2026-10-08"),
        ("tomorrow", "2026-10-09"),
        ("the day after tomorrow", "2026-10-10"),
        ("next Tuesday", "2026-10-13"),
        ("next Thursday", "2026-10-15"),
        ("this Friday", "2026-10-09"),
        ("last Monday", "2026-10-05"),
        ("in 3 days", "2026-10-11"),
        ("in two weeks", "2026-10-22"),
        ("a month ago", "2026-09-08"),
        ("in 4 months", "2027-02-08"),
        ("July 4", "2027-07-04"),
        ("Dec. 24th", "2026-12-24"),
        ("5th of May, 2027", "2027-05-05"),
        ("3 March", "2027-03-03"),
        ("November 14, 2010", "2010-11-14"),
        ("2024-09-20", "2024-09-20"),
        ("2024/9/2", "2024-09-02"),
        ("25/12/2026", "2026-12-25"),
        ("12.11.2026", "2026-11-12"),
        ("15 août 2027", "2027-08-15"),
        ("3. Oktober 2027", "2027-10-03"),
        ("4 de julio de 2027", "2027-07-04"),
        ("übermorgen", "2026-10-10"),
        ("завтра", "2026-10-09"),
        ("2027年3月5日", "2027-03-05"),
    ],
)
def test_one_date(text: str, date: str) -> None:
    assert moments(f"It is due {text}.")[0] == date


def test_a_slash_date_follows_the_locale() -> None:
    assert moments("3/4/2027") == ["2027-03-04"]
    assert moments("3/4/2027", month_first=False) == ["2027-04-03"]


def test_both_ends_of_a_range_are_found() -> None:
    assert moments("July 4-8, 2027") == ["2027-07-04", "2027-07-08"]
    assert moments("from March 10th to 15th") == ["2027-03-10", "2027-03-15"]


def test_a_year_behind_a_range_holds_for_its_beginning() -> None:
    assert sorted(moments("from April 1st to April 30th, 2023")) == ["2023-04-01", "2023-04-30"]


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("March 22 at 8 AM", "2027-03-22T08:00:00"),
        ("tomorrow at noon", "2026-10-09T12:00:00"),
        ("3:30pm on Friday", "2026-10-09T15:30:00"),
        ("2022-12-10T15:00:00", "2022-12-10T15:00:00"),
        ("2022-12-10 15:00", "2022-12-10T15:00:00"),
    ],
)
def test_a_date_and_a_time_beside_it_are_one_moment(text: str, moment: str) -> None:
    assert moments(f"Meet me {text}, please")[0] == moment


def test_a_span_of_hours_beside_a_date_gives_both_ends() -> None:
    found = moments("from 9:00 AM to 10:00 AM tomorrow")
    assert {"2026-10-09T09:00:00", "2026-10-09T10:00:00"} <= set(found)


@pytest.mark.parametrize("text", ["I may go", "version 2.21.15", "31/31/2026", "February 30, 2026"])
def test_what_is_no_date(text: str) -> None:
    assert moments(text) == []


def test_periods_are_not_dates() -> None:
    mentions = date_mentions("over the last month, in Q3 2025", 0, TODAY, month_first=True)
    assert [m.text for m in mentions if m.kind == "period"] == ["the last month", "Q3 2025"]
