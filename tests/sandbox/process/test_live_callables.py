"""Live callables whose errors are hostile, or that cancel themselves: an outcome, never a raise."""

import asyncio
import contextlib
import errno
import threading
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import pytest

from fakes import plan
from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.contracts.trial import Failure, Outcome
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.process.callables import CallableExecutor
from gretel.sandbox.process.run import CallError, describe


def refuses(*_: Any) -> NoReturn:
    raise RuntimeError("asked")


class Text(str):
    """What `str()` gives may be a class of the tool's own."""

    __bool__ = __len__ = __format__ = __getitem__ = encode = refuses


class Meta(type):
    __name__ = property(refuses)


def hostile(base: type[BaseException], **members: Any) -> type[BaseException]:
    return type("Odd", (base,), members)


ODD = {
    "cause": hostile(ValueError, __cause__=property(refuses), __context__=property(refuses)),
    "errno": hostile(OSError, errno=property(refuses)),
    "class": hostile(ValueError, __class__=property(refuses)),
    "bool": hostile(ValueError, __bool__=refuses, __eq__=refuses, __hash__=refuses),
    "str": hostile(ValueError, __str__=refuses, __repr__=refuses),
    "text": hostile(ValueError, __str__=lambda self: Text("said")),
    "name": Meta("Odd", (ValueError,), {}),
    "attributes": hostile(OSError, __getattribute__=refuses),
    "names": type(Text("Odd"), (ValueError,), {}),
}


def said(error: BaseException) -> CallError | None:
    """How it is described; None for a raise, since pytest itself breaks on what is raised here."""
    with contextlib.suppress(BaseException):
        return describe(error, "call")
    return None


@pytest.mark.parametrize("way", ODD)
def test_an_error_is_described_whatever_it_is(way: str) -> None:
    first, second = ODD[way](), ValueError("outer")
    second.__cause__ = first
    found = [said(first), said(second)]

    words = "Odd: said" if way == "text" else "Odd"
    assert found == [("call", "error", words), ("call", "error", "ValueError: outer")]


@pytest.mark.parametrize("way", ["class", "bool", "str", "attributes"])
def test_what_an_error_is_cannot_be_hidden(way: str) -> None:
    members = {name: value for name, value in vars(ODD[way]).items() if name != "__doc__"}
    for base, number, kind in (
        (MemoryError, 0, "memory"),
        (OSError, errno.ENETDOWN, "network"),
        (OSError, errno.EACCES, "files"),
    ):
        inner, outer = type("Odd", (base,), members)(number, "words"), ODD[way]()
        outer.__context__ = inner
        found = [each.kind if each else None for each in (said(inner), said(outer))]

        assert found == [kind, kind]


def test_an_error_number_that_is_none_says_nothing() -> None:
    for number in (Text("13"), 13.0, ODD["bool"](), None):
        found = said(OSError(number, "words"))

        assert found and found.kind == "error"


@pytest.fixture(autouse=True)
def no_thread_breaks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    broken: list[Any] = []
    monkeypatch.setattr(threading, "excepthook", broken.append)
    yield
    assert broken == []


def executor_of(function: Callable[..., Any]) -> tuple[CallableExecutor, str]:
    """An executor, and the id of its only tool: `function`, which no name reaches."""
    (tool,) = catalog = Catalog.from_callables([function])
    assert catalog.live
    return CallableExecutor(catalog, Policy(safe_tools=frozenset({tool.tool_id}))), tool.tool_id


async def outcome(function: Callable[..., Any]) -> Outcome:
    executor, tool_id = executor_of(function)
    call = executor.execute(plan(tool_id), budget=Budget(call_s=10))
    (ended,) = await asyncio.gather(call, return_exceptions=True)
    assert type(ended) is Outcome, f"{type(ended)} came out raw"
    return ended


def blamed(words: str) -> Failure:
    return Failure(kind="server_error", detail=f"The tool reports {words}", fault="tool")


@pytest.mark.parametrize("way", ODD)
@pytest.mark.parametrize("is_async", [True, False], ids=["async", "plain"])
async def test_a_hostile_error_is_the_tools_failure(is_async: bool, way: str) -> None:
    async def later() -> None:
        """Raises."""
        raise ODD[way]

    def now() -> None:
        """Raises."""
        raise ODD[way]

    ended = await outcome(later if is_async else now)

    assert (ended.status, ended.source) == ("failed", "executed")
    assert ended.failure == blamed("Odd: said" if way == "text" else "Odd")


def cancel_itself() -> None:
    task = asyncio.current_task()
    assert task is not None
    task.cancel("mine")


def suicides() -> list[Callable[..., Any]]:
    async def waits() -> None:
        """Is cancelled where it waits next."""
        cancel_itself()
        await asyncio.sleep(60)

    async def returns() -> str:
        """Has a result, and is cancelled all the same."""
        cancel_itself()
        return "done"

    async def is_cancelled_by_another() -> None:
        """The same by way of the event loop."""
        asyncio.get_running_loop().call_soon(asyncio.current_task().cancel)  # type: ignore[union-attr]
        await asyncio.sleep(60)

    def in_a_loop_of_its_own() -> Any:
        """Gives a coroutine, which is awaited in the thread."""

        async def waits() -> None:
            cancel_itself()
            await asyncio.sleep(60)

        return waits()

    return [waits, returns, is_cancelled_by_another, in_a_loop_of_its_own]


@pytest.mark.parametrize("function", suicides(), ids=lambda function: function.__name__)
async def test_a_callable_that_cancels_itself_is_to_blame(function: Callable[..., Any]) -> None:
    ended = await outcome(function)

    assert ended.status == "failed"
    assert ended.failure is not None and ended.failure.fault == "tool"
    assert ended.failure.detail.startswith("The tool reports CancelledError")
    task = asyncio.current_task()
    assert task is not None and task.cancelling() == 0, "the caller's own task is untouched"


@pytest.mark.parametrize("stubborn", [False, True], ids=["obeys", "swallows"])
async def test_who_cancels_the_call_is_heard(stubborn: bool) -> None:
    started, ended = asyncio.Event(), asyncio.Event()

    async def waits() -> str:
        """Waits, and may not let itself be cancelled."""
        started.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            if not stubborn:
                raise
        finally:
            ended.set()
        return "done"

    executor, tool_id = executor_of(waits)
    calling = asyncio.ensure_future(executor.execute(plan(tool_id), budget=Budget(call_s=60)))
    async with asyncio.timeout(10):
        await started.wait()
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling
        await ended.wait()


async def test_a_callers_own_deadline_is_kept() -> None:
    async def waits() -> None:
        """Waits."""
        await asyncio.sleep(60)

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await outcome(waits)


async def test_what_a_coroutine_gives_is_written_off_the_loop() -> None:
    """It may be an answer of somebody else's server, at any length."""
    where: list[threading.Thread] = []

    class Answer:
        def model_dump(self, mode: str) -> dict[str, str]:
            where.append(threading.current_thread())
            return {"city": "Oslo"}

    async def later() -> object:
        """Gives an answer."""
        return Answer()

    ended = await outcome(later)

    assert ended.status == "succeeded" and where and where[0] is not threading.main_thread()
