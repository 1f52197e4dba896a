"""The callable itself, found, called, and its result put into JSON; errors become words.

Standard library only, but for pydantic where a signature asks for more than JSON's types.
"""

import asyncio
import dataclasses
import datetime
import decimal
import enum
import errno
import functools
import importlib
import inspect
import json
import operator
import os
import pathlib
import socket
import types
import typing
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

_WORDS = 2_000
"""Characters of an error's own words that are passed on."""
_FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)
_ALL = ("/",)
"""What a process without a root of its own is shown."""
_PLAIN = (str, int, float, bool, list, dict, type(None), Any)


Spec: typing.TypeAlias = Mapping[str, Any]
"""What the parent asks for; `sandbox/process/child.py` writes it."""
Stage: typing.TypeAlias = typing.Literal["import", "call", "result"]
Kind: typing.TypeAlias = typing.Literal["memory", "network", "files", "error"]


class CallError(NamedTuple):
    """Why there is no result."""

    stage: Stage
    kind: Kind
    """Which of our limits the callable ran into; `error`: none that we know."""
    words: str


def run(spec: Spec, *, own_root: bool) -> bytes:
    """What came of the call that `spec` asks for: one of the reports below.

    In an `own_root` a file that is not among what the process may read seems to be missing.
    """
    shown = [*spec["readable"], spec["scratch"]] if own_root else _ALL
    found = functools.partial(find, spec["target"], factory=spec["factory"])
    return reported(found, spec["arguments"], shown=shown)


def reported(
    found: Callable[[], Any], arguments: dict[str, Any], *, shown: Sequence[str] = _ALL
) -> bytes:
    """What came of a call of what `found` gives: one of the reports below."""
    stage: Stage = "import"
    try:
        target = found()
        stage = "call"
        value = call(target, arguments)
        stage = "result"
        return value_report(value)
    except BaseException as error:  # SystemExit and KeyboardInterrupt too are the tool's
        return error_report(error, stage, shown)


def value_report(value: Any) -> bytes:
    """A line that says `{"value": …}` in JSON.

    Raises:
        Exception: the value cannot be said in JSON; of any type, where its own code runs.
    """
    return json.dumps({"value": value}, default=json_form).encode() + b"\n"


def error_report(error: BaseException, stage: Stage, shown: Sequence[str] = _ALL) -> bytes:
    """A line that says `{"error": {stage, kind, words}}` in JSON."""
    return json.dumps({"error": describe(error, stage, shown)._asdict()}).encode() + b"\n"


def find(target: str, *, factory: bool) -> Any:
    """The object that `module:qualname` names, or what that gives when it is a factory."""
    module, _, name = target.partition(":")
    found = operator.attrgetter(name)(importlib.import_module(module))
    return found() if factory else found


def call(target: Any, arguments: dict[str, Any]) -> Any:
    """Call a function, or a LangChain tool, sync or async."""
    if hasattr(target, "ainvoke"):
        return asyncio.run(target.ainvoke(arguments))
    value = _typed(target)(**arguments)
    return asyncio.run(_awaited(value)) if inspect.isawaitable(value) else value


def describe(error: BaseException, stage: Stage, shown: Sequence[str] = _ALL) -> CallError:
    """An error in words, and whether our limits caused it. Never raises, whatever the error is.

    A file that is missing outside of the `shown` folders may be there for others.

    Its class is the tool's own, so nothing of it is asked but `__str__`; the interpreter's own
    record of it says the rest.
    """
    chain = _chain(error)
    kind: Kind = "error"
    if any(issubclass(type(each), MemoryError) for each in chain):
        kind = "memory"
    elif any(_no_network(each) for each in chain):
        kind = "network"
    elif any(_errno(each) in _FORBIDDEN or _is_hidden(each, shown) for each in chain):
        kind = "files"
    name = str.__str__(type.__dict__["__name__"].__get__(type(error)))
    try:
        words = str.__str__(str(error))  # a subclass of str has methods of its own
    except BaseException:
        words = ""
    text = f"{name}: {words}" if words else name
    return CallError(stage, kind, text[:_WORDS].encode(errors="replace").decode())


def json_form(value: Any) -> Any:
    """A value of a common type as JSON says it.

    Raises:
        TypeError: it is of no such type.
    """
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, decimal.Decimal | uuid.UUID | pathlib.PurePath):
        return str(value)
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, set | frozenset):
        return list(value)
    raise TypeError(f"a result of type {type(value).__name__} is not JSON")


async def _awaited(value: Any) -> Any:
    return await value


def _typed(target: Any) -> Any:
    """`target`, with JSON turned into its annotated types where these are not JSON's own."""
    annotated = target.func if isinstance(target, functools.partial) else target
    if annotated is target and not (inspect.isroutine(target) or inspect.isclass(target)):
        target = annotated = annotated.__call__  # pydantic takes no object that can be called
    try:
        hints = typing.get_type_hints(annotated)
    except Exception:
        hints = {"": object}
    hints.pop("return", None)
    if all(_is_plain(hint) for hint in hints.values()):
        return target
    from pydantic import validate_call

    return validate_call(target)


def _is_plain(hint: Any) -> bool:
    if hint in _PLAIN:
        return True
    origin = typing.get_origin(hint)
    inner = typing.get_args(hint)
    if origin is typing.Literal:
        return True
    return origin in (list, dict, typing.Union, types.UnionType) and all(map(_is_plain, inner))


def _chain(error: BaseException) -> list[BaseException]:
    """The error and what it came from, at most sixteen."""
    chain: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and len(chain) < 16:
        chain.append(current)
        cause = _recorded(BaseException, "__cause__", current)
        current = _recorded(BaseException, "__context__", current) if cause is None else cause
    return chain


def _no_network(error: BaseException) -> bool:
    """Whether an error is what our network rule causes: no socket, or no answer to a name."""
    return issubclass(type(error), socket.gaierror) or _errno(error) == errno.ENETDOWN


def _is_hidden(error: BaseException, shown: Sequence[str]) -> bool:
    """Whether a file is missing of which our root would not show that it exists."""
    if _errno(error) != errno.ENOENT:
        return False
    path = _recorded(OSError, "filename", error)
    if type(path) is not str or "\0" in path:
        return False
    try:
        place = pathlib.Path(os.path.realpath(path))
    except OSError:  # its working folder is gone
        return False
    return not any(map(place.is_relative_to, map(os.path.realpath, shown)))


def _errno(error: BaseException) -> int | None:
    number = _recorded(OSError, "errno", error) if issubclass(type(error), OSError) else None
    return number if type(number) is int else None


def _recorded(kind: type[BaseException], name: str, error: BaseException) -> Any:
    """What the interpreter knows under `name`, past whatever the error's own class says."""
    return kind.__dict__[name].__get__(error)
