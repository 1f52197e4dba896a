"""Stretches of time up to now."""

import pytest

from gretel.nodes.plan.mentions.stretches import stretches


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("over the last 5 minutes", 300),
        ("in the past two hours, please", 7_200),
        ("the last hour", 3_600),
        ("in den letzten drei Tagen", 259_200),
        ("les 15 dernières minutes", 900),
        ("los últimos 30 segundos", 30),
        ("最近十分钟的平均值", 600),
        ("过去 2 小时", 7_200),
    ],
)
def test_its_seconds_are_counted(text: str, seconds: int) -> None:
    assert [stretch.seconds for stretch in stretches(text)] == [seconds]


@pytest.mark.parametrize("text", ["the last 5 entries", "5 minutes", "the last minutely report"])
def test_nothing_else_is_one(text: str) -> None:
    assert not list(stretches(text))
