"""What is remembered of plans: a conversation holds what servers answered, and may be long."""

from fakes import tool
from gretel.contracts.ranking import Message, Request
from gretel.nodes.plan.deterministic import DeterministicPlanner

WORDS = "word of the day is a thing\n" * 40


def test_plans_that_are_kept_do_not_keep_the_conversation_each() -> None:
    planner = DeterministicPlanner()
    tools = [tool(f"T.op{at}", params=["city"]) for at in range(5)]
    said = (Message(role="tool", content=WORDS),)
    request = Request(text="weather in Oslo", today="2026-01-01", messages=said)
    for each in tools:
        planner.planned(request, each)
    names = [key for key in planner._plans if isinstance(key, tuple)]
    assert len(names) == len(tools)
    assert max(len(part) for part, _ in names) < len(WORDS)
