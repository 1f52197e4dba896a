"""Calls of selected tools by the caller, with the same checks and sandbox as their trials."""

from collections.abc import Mapping
from contextlib import nullcontext
from copy import deepcopy
from typing import Any

from pydantic import PrivateAttr

from gretel.catalog import Catalog
from gretel.catalog.arguments import argument_problems, as_documented
from gretel.contracts.budget import Budget, Usage
from gretel.contracts.errors import ArgumentsError, CallRefused, ConfigurationError
from gretel.contracts.protocols import Executor
from gretel.contracts.ranking import Ranking, SelectedTool, Selection
from gretel.contracts.tool import Tool
from gretel.contracts.trial import (
    FAILURE_CLASS,
    Argument,
    CallPlan,
    CallResult,
    Failure,
    Refusal,
    Trial,
)
from gretel.graph.loop import LoopThread
from gretel.sandbox.permission.approved import approved
from gretel.sandbox.permission.policy import Policy
from gretel.workers import off_loop


class Caller:
    """Calls tools of one catalogue through one executor."""

    def __init__(self, catalog: Catalog, executor: Executor, policy: Policy | None = None) -> None:
        self._catalog = catalog
        self._executor = executor
        self._policy = policy or Policy()

    async def call(
        self, trial: Trial, arguments: Mapping[str, Any], *, allow_change: bool = False
    ) -> CallResult:
        """Call the tool of `trial` with `arguments`; with none, as the trial planned it.

        With `allow_change`, or where policy marks the tool callable, also where the call may
        change something; a tool that is marked unsafe is not called even so.

        Raises:
            ArgumentsError: the arguments break the tool's schema, or none are known.
            CallRefused: policy does not let the call out, or the tool says something else of
                itself than when it was selected (`reason` is then `drift`).
            SandboxUnavailable: the executor itself broke.
        """
        tool = self._catalog[trial.tool_id]
        if trial.digest not in (None, self._catalog.digest_of(tool.tool_id)):
            what = "it has changed since it was selected"
            raise CallRefused(f"{tool.tool_id}: {what}; select again", reason="drift")
        plan = await off_loop(_given, tool, arguments) if arguments else _planned(trial)
        plan = plan.model_copy(update={"digest": trial.digest})
        leave = allow_change is True or self._policy.callable_unasked(tool)
        with approved(tool) if leave else nullcontext():
            result = await self._executor.call(plan, budget=Budget())
        failure = result.outcome.failure
        if failure is not None and FAILURE_CLASS[failure.kind] == "policy":
            said = f"{tool.tool_id}: {failure.detail}{self._how(tool, failure)}"
            raise CallRefused(said, reason=failure.kind)
        return result

    def _how(self, tool: Tool, failure: Failure) -> str:
        """How the person who asked can let out a call that may change something."""
        if failure.kind != "unsafe_method" or self._policy.forbidden(tool):
            return ""
        return (
            " If the person who asked wants it: call(…, allow_change=True), or "
            f"Policy(callable_tools={{{str(tool.tool_id)!r}}})."
        )


class BoundTool(SelectedTool):
    """A selected tool that can be called, in the same sandbox as its trial.

    A tool that was stored as JSON or pickled has no selector any more, and cannot be called.
    """

    _caller: Caller | None = PrivateAttr(default=None)
    _loop: LoopThread | None = PrivateAttr(default=None)

    def __getstate__(self) -> dict[Any, Any]:
        return {**super().__getstate__(), "__pydantic_private__": {"_caller": None, "_loop": None}}

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> "BoundTool":
        return self.model_copy(update={"trial": deepcopy(self.trial, memo)})

    def call(
        self,
        arguments: Mapping[str, Any] | None = None,
        /,
        *,
        allow_change: bool = False,
        **named: Any,
    ) -> CallResult:
        """Call the tool; the synchronous form of `acall`."""
        if self._loop is None:
            raise _unbound(self)
        return self._loop.run(self.acall(arguments, allow_change=allow_change, **named))

    async def acall(
        self,
        arguments: Mapping[str, Any] | None = None,
        /,
        *,
        allow_change: bool = False,
        **named: Any,
    ) -> CallResult:
        """Call the tool with arguments; without any, with those that its trial planned.

        Put arguments that a model wrote into the mapping: nothing in it can give permission.

        Args:
            arguments: by name; those in `named` are added.
            allow_change: allow this one call to change something, because the person who asked
                wants it. Such a tool was not tried before.
            **named: arguments, as keywords.

        Raises:
            ArgumentsError: the arguments break the tool's schema, or are needed and not known.
            CallRefused: the policy does not allow the call; the message says how to allow it.
            ConfigurationError: the tool was stored and loaded, and belongs to no selector.
            SandboxUnavailable: the executor itself broke.
        """
        if self._caller is None:
            raise _unbound(self)
        if not isinstance(arguments, Mapping | None):
            raise ArgumentsError(
                f"is a {type(arguments).__name__}",
                field=f"{self.tool_id}(arguments)",
                remedy='Give them by name: call({"city": "Bergen"}), or call(city="Bergen").',
            )
        given = {**(arguments or {}), **named}
        return await self._caller.call(self.trial, given, allow_change=allow_change)


class BoundSelection(Selection):
    """What `Selector.select` returns: the selection, its evidence and its cost."""

    tools: tuple[BoundTool, ...] = ()
    usage: Usage = Usage()
    usage_by_step: Mapping[str, Usage] = {}
    """Usage of each step: `retrieve:1`, `plan:<tool_id>:1`, …"""
    ranking: Ranking | None = None
    """Every tool that was tried, in order; None if none was."""
    trials: tuple[Trial, ...] = ()
    """All trials, sorted by tool_id."""


def _unbound(tool: BoundTool) -> ConfigurationError:
    return ConfigurationError(
        "was loaded from storage, and belongs to no selector",
        field=str(tool.tool_id),
        remedy="Select again, and call the tool from that selection.",
    )


def _given(tool: Tool, arguments: Mapping[str, Any]) -> CallPlan:
    arguments = as_documented(tool, dict(arguments))
    problems = argument_problems(tool, arguments)
    if problems:
        first = problems[0]
        raise ArgumentsError(
            first.detail,
            field=f"{tool.tool_id}({first.field})",
            remedy=f"The tool takes: {', '.join(p.name for p in tool.fillable) or 'nothing'}.",
        )
    return CallPlan(
        tool_id=tool.tool_id,
        arguments={
            name: Argument(value=value, source="context") for name, value in arguments.items()
        },
    )


def _planned(trial: Trial) -> CallPlan:
    if isinstance(trial.plan, Refusal):
        raise ArgumentsError(
            trial.plan.detail,
            field=str(trial.tool_id),
            remedy="Pass the arguments yourself.",
        )
    return trial.plan
