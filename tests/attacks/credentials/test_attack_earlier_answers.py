"""What tools answered in earlier turns goes to no server that only a document names."""

import threading
from typing import Any

import httpx
import pytest
from arena import HOST

from fakes import FakeAgent, FakeRetriever, param, plan, tool
from gretel.catalog import Catalog
from gretel.contracts.protocols import AgentModel
from gretel.contracts.ranking import Message, Request
from gretel.contracts.record import JsonValue
from gretel.contracts.trial import Argument, CallPlan
from gretel.graph.agent_facade import Agent
from gretel.graph.selector import Selector
from gretel.graph.settings import Settings, make_policy
from gretel.nodes.plan.deterministic import DeterministicPlanner
from gretel.nodes.plan.provenance import facts_of, heard
from gretel.sandbox.http.executor import HttpExecutor
from gretel.sandbox.permission.policy import Policy

PERSON = '{"name": "Kari Nordmann", "account": "48213377", "home_city": "Trondheim", "n": 7}'
ANSWER: Any = {"role": "tool", "content": PERSON}
RETOLD: Any = {"role": "assistant", "content": "Kari Nordmann lives in Trondheim, for 3 years."}
WEATHER = tool(
    "w.now",
    "The weather in a city.",
    params=[param("home_city", {"type": "string"}, required=True)],
    server=f"https://{HOST}",
)


def asked(*turns: Any, text: str = "How is the weather?", **context: JsonValue) -> Request:
    messages = tuple(Message.model_validate(each) for each in turns)
    return Request(text=text, messages=messages, context=context, today="2026-11-23")


def made(value: JsonValue, source: Any = "message", *, quoted: bool = False) -> Any:
    argument = Argument(value=value, source=source, quoted=quoted)
    return plan("w.now").model_copy(update={"arguments": {"q": argument}})


async def selected(
    policy: Policy, messages: list[Any], text: str, *, agent: AgentModel | None = None
) -> list[str]:
    """The calls that a selection, or an agent's run, sent."""
    sent: list[str] = []

    def wire(request: httpx.Request) -> httpx.Response:
        sent.append(str(request.url))
        return httpx.Response(200, json={"home_city": "Trondheim", "degrees": 7})

    catalog = Catalog.from_tools([WEATHER])
    selector = Selector(
        catalog,
        policy=policy,
        retriever=FakeRetriever([WEATHER], needs_tool=1.0),
        executor=HttpExecutor(catalog, policy, transport=httpx.MockTransport(wire)),
    )
    try:
        if agent:
            await Agent(selector, model=agent, offered="candidates").arun(text, messages=messages)
        else:
            await selector.aselect(text, messages=messages)
    finally:
        await selector.aclose()
    return sent


DECLARED = make_policy(Catalog.from_tools([WEATHER]), ["declared"], None, Settings())
NAMED = Policy(frozenset({HOST}))
TURNS = [{"role": "user", "content": "Who am I?"}, ANSWER]


@pytest.mark.parametrize("turns", [TURNS, [*TURNS, RETOLD]], ids=["answered", "retold"])
async def test_an_earlier_answer_is_not_told_to_a_host_of_a_document(turns: list[Any]) -> None:
    text = "What is the weather in my home city?"
    assert await selected(DECLARED, turns, text) == []
    failure = DECLARED.decide(WEATHER, made("Trondheim").model_copy(update={"facts": ("q",)}))
    assert failure and "`allow_hosts`" in failure.detail and "in the request" in failure.detail
    assert await selected(NAMED, turns, text) == [f"https://{HOST}/now?home_city=Trondheim"]


async def test_what_the_person_says_as_well_is_sent() -> None:
    text = "What is the weather in Trondheim, my home city?"
    assert await selected(DECLARED, [*TURNS, RETOLD], text) == [
        f"https://{HOST}/now?home_city=Trondheim"
    ]


@pytest.mark.parametrize(
    ("value", "source", "quoted"),
    [("Trondheim", "message", False), (7, "message", False), ("48 213 377", "invented", False),
     (48213377, "invented", False), ("Nordmann, Kari", "invented", False),
     ("karinordmann", "request", True), ({"48213377": "weather"}, "request", False),
     ("TRD", "message", True), (["weather", "Trondheim"], "message", False)],
)  # fmt: skip
def test_in_whatever_words(value: JsonValue, source: Any, quoted: bool) -> None:
    found = facts_of(made(value, source, quoted=quoted), asked(ANSWER, RETOLD))
    assert found == ("q",)


@pytest.mark.parametrize(
    ("value", "source"),
    [("2026-11-24", "message"), ("Oslo", "message"), ("weather", "message"), (3, "message"),
     ("Bergen", "invented"), ("metric", "default"), ("2026-11-23", "context")],
)  # fmt: skip
def test_what_no_tool_said_alone_is_sent(value: JsonValue, source: Any) -> None:
    """A date of `tomorrow` in an earlier turn, a number that the assistant asks about."""
    earlier = {"role": "user", "content": "How is Oslo tomorrow?"}
    assert facts_of(made(value, source), asked(earlier, ANSWER, RETOLD)) == ()


def test_an_answer_that_repeats_a_fact_of_the_context_opens_it_to_nobody() -> None:
    request = asked(ANSWER, account="48213377")
    assert facts_of(made("48213377", "context"), request, own=[PERSON]) == ("q",)
    assert facts_of(made("48213377", "message"), request, own=[PERSON]) == ("q",)


@pytest.mark.parametrize(
    ("value", "source"),
    [("48213377", "context"), ("48213377", "message"), (48213377, "message"),
     ("Kari Nordmann", "context"), ("Trondheim", "message"), ({"to": "Trondheim"}, "message")],
)  # fmt: skip
def test_nor_does_an_assistant_that_repeats_a_fact_of_the_context(
    value: JsonValue, source: Any
) -> None:
    retold: Any = {
        "role": "assistant",
        "content": "Shall I use account 48213377 of Kari Nordmann in Trondheim, or Oslo?",
    }
    facts: dict[str, JsonValue] = {"account": "48213377", "name": "Kari Nordmann"}
    facts |= {"city": "Trondheim", "n": 7}
    said = asked(retold, text="Yes, please.", **facts)
    assert facts_of(made(value, source), said) == ("q",)
    assert facts_of(made("Oslo"), said) == () and facts_of(made(7), said) == ()
    mine = asked(retold, text="Yes, my account 48213377, as Kari Nordmann in Trondheim.", **facts)
    assert facts_of(made(value, source), mine) == ()


def test_a_server_is_told_what_it_answered_itself() -> None:
    assert facts_of(made("48213377"), asked(ANSWER), own=[PERSON]) == ()
    hidden = made({"48213377": "Kari"}, "request")
    assert facts_of(hidden, asked(ANSWER), own=["Kari"]) == ("q",)


def test_an_assistant_that_retells_an_answer_gives_no_leave() -> None:
    (argument,) = heard(made("Trondheim"), asked(ANSWER, RETOLD)).arguments.values()
    assert argument.source == "answer"
    (argument,) = heard(made("Trondheim"), asked(RETOLD)).arguments.values()
    assert argument.source == "message"


async def test_nor_does_an_agent_tell_an_earlier_answer() -> None:
    said = {"home_city": Argument(value="Trondheim", source="message", span=(69, 78))}
    call = plan("w.now").model_copy(update={"arguments": said})
    for policy, count in ((DECLARED, 0), (NAMED, 1)):
        model = FakeAgent(["w.now"], arguments={"w.now": call})
        sent = await selected(policy, [*TURNS, RETOLD], "The weather at home?", agent=model)
        assert len(sent) == count


async def test_what_rules_make_of_an_earlier_answer_is_told_to_nobody() -> None:
    """A date in another form than in the answer, that nobody said."""
    day = param("date", {"type": "string", "format": "date"}, required=True)
    answered: Any = {"role": "tool", "content": "The operation is on 24 December 2026."}
    asked_tool = tool("w.on", "The weather of a day.", params=[day])
    found = await DeterministicPlanner().plan(asked(answered), asked_tool)
    assert isinstance(found, CallPlan) and found.values() == {"date": "2026-12-24"}
    assert facts_of(found, asked(answered), asked_tool) == ("date",)
    said = asked(answered, text="How is the weather on 24 December 2026?")
    found = await DeterministicPlanner().plan(said, asked_tool)
    assert isinstance(found, CallPlan) and facts_of(found, said, asked_tool) == ()


@pytest.mark.parametrize("where", ["nodes.plan.node", "nodes.agent.arguing"])
async def test_a_long_answer_is_read_off_the_loop(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[threading.Thread] = []

    def noted(*given: Any) -> tuple[str, ...]:
        threads.append(threading.current_thread())
        return facts_of(*given)

    monkeypatch.setattr(f"gretel.{where}.facts_of", noted)
    call = plan("w.now", home_city="Trondheim")
    model = FakeAgent(["w.now"], arguments={"w.now": call}) if "agent" in where else None
    await selected(NAMED, TURNS, "The weather in Trondheim?", agent=model)
    assert threads and threading.main_thread() not in threads


@pytest.mark.parametrize(
    ("value", "fact"),
    [("karin.nordmann@corp.example", True), ("Nordmann, Karin", True), ("Trondheim", True),
     ("48 213 377", True), ({"rows": ["48213377"]}, True), ("contact cities", False),
     ("homeTown", False)],
)  # fmt: skip
def test_a_name_within_what_you_know_is_told_to_no_stranger(value: JsonValue, fact: bool) -> None:
    """People and accounts stand there as often as fields, whose labels tell nothing."""
    people: JsonValue = {"karin.nordmann@corp.example": 1, "Trondheim": {"48213377": True}}
    known: dict[str, JsonValue] = {"contacts": people, "cities": [{"homeTown": 1}]}
    request = Request(text="List things.", today="2026-11-23", context=known)
    assert facts_of(made(value, "invented"), request) == (("q",) if fact else ())
