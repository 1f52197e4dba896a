"""`CallableExecutor`: runs Python callables, in a child process or, if they are live, right here.

A callable runs only where the user marked its tool safe: what a function does cannot be seen from
its signature. One that has a name runs in a confined process. A closure over live objects has none
and cannot move: it runs in this process under a deadline, and is as trusted as the caller's code.
"""

import asyncio
import sys
import time
from weakref import WeakKeyDictionary

from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import CallableBinding, Tool
from gretel.contracts.trial import CallPlan, CallResult, Outcome
from gretel.sandbox.answers.results import answered, failed, not_made, raised, unavailable
from gretel.sandbox.network.body import parse_json
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.process.child import Ended, run_in_process
from gretel.sandbox.process.live import run_live
from gretel.sandbox.process.settings import ProcessSettings
from gretel.text.given import secrets_among
from gretel.text.redact import Redactor
from gretel.workers import read_off_loop

_CPU_EXIT = 128 + 24
"""SIGXCPU: the limit of processor time."""


class CallableExecutor:
    """Executes plans of tools with a `CallableBinding`. Usable from several event loops."""

    def __init__(
        self,
        catalog: Catalog,
        policy: Policy,
        settings: ProcessSettings | None = None,
    ) -> None:
        """Make an executor; `policy` says which tools are safe, `settings` what a process may."""
        self._catalog = catalog
        self._policy = policy.once_bound(catalog)
        self._settings = settings or ProcessSettings()
        self._redactor = Redactor()
        self._gates: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = (
            WeakKeyDictionary()
        )

    async def execute(self, plan: CallPlan, *, budget: Budget) -> Outcome:
        """What came of `plan`; nothing ran where the status is `unavailable`.

        Raises:
            SandboxUnavailable: the child process could not be started or confined.
        """
        return (await self.call(plan, budget=budget)).outcome

    async def call(self, plan: CallPlan, *, budget: Budget) -> CallResult:
        """As `execute`, with the whole result beside the outcome.

        Raises:
            SandboxUnavailable: the child process could not be started or confined.
        """
        if plan.tool_id not in self._catalog:
            return not_made("no_binding", "The catalogue has no such tool.")
        tool = self._catalog[plan.tool_id]
        if not isinstance(tool.binding, CallableBinding):
            return not_made("no_binding", "This tool is not a Python callable.")
        unsafe = self._policy.unsafe_call(tool)
        if unsafe:
            return unavailable(unsafe)
        gate, start = self._gate(), time.perf_counter()
        try:
            async with asyncio.timeout(budget.queue_s):
                await gate.acquire()
        except TimeoutError:
            return not_made("budget_spent", "Other calls left no place for this one in time.")
        try:
            left = max(budget.call_s - (time.perf_counter() - start), budget.queue_s)
            budget = budget.model_copy(update={"call_s": round(left, 3)})
            if tool.binding.target is None:
                return await self._live(tool, plan, budget)
            return await self._confined(tool, tool.binding, plan, budget)
        finally:
            gate.release()

    def _gate(self) -> asyncio.Semaphore:
        return self._gates.setdefault(
            asyncio.get_running_loop(), asyncio.Semaphore(self._settings.at_once)
        )

    async def _live(self, tool: Tool, plan: CallPlan, budget: Budget) -> CallResult:
        target = self._catalog.live.get(tool.tool_id)
        if target is None:
            detail = "The catalogue no longer has the function behind this tool."
            return not_made("no_binding", detail)
        ended = await run_live(target, plan.values(), seconds=budget.call_s)
        if ended is None:
            return not_made("budget_spent", "Too many calls of live tools have not returned.")
        return await read_off_loop(len(ended.answer), self._judged, tool, plan, ended, budget)

    async def _confined(
        self, tool: Tool, binding: CallableBinding, plan: CallPlan, budget: Budget
    ) -> CallResult:
        if sys.platform != "linux":
            return not_made("sandbox_unavailable", "Child processes are confined on Linux only.")
        ended = await run_in_process(binding, plan.values(), self._settings, budget)
        missing = sorted(ended.missing.keys() - self._settings.allow_missing_layers)
        if missing:
            why = "; ".join(f"{name}: {ended.missing[name]}" for name in missing)
            remedy = "name them in allow_missing_layers to run without"
            return not_made("sandbox_unavailable", f"Not run; missing layers ({remedy}): {why}")
        return await read_off_loop(len(ended.answer), self._judged, tool, plan, ended, budget)

    def _judged(self, tool: Tool, plan: CallPlan, ended: Ended, budget: Budget) -> CallResult:
        """What a process that ended in this way says of its tool."""
        with self._redactor.during(secrets_among(self._settings.environment.items())):
            return self._read(tool, plan, ended, budget)

    def _read(self, tool: Tool, plan: CallPlan, ended: Ended, budget: Budget) -> CallResult:
        ms = ended.latency_ms
        if len(ended.answer) > budget.bytes_decoded:
            detail = f"The result is longer than {budget.bytes_decoded:,} bytes."
            return failed("protocol", detail, ms)
        line, newline, _ = ended.answer.partition(b"\n")
        parsed = parse_json(line.decode(errors="replace")) if newline else None
        report = parsed.value if parsed and isinstance(parsed.value, dict) else {}
        error = report.get("error")
        if isinstance(error, dict):
            ours = _of_error(error, self._settings, ms)
            return ours or raised(tool, plan, str(error.get("words")), ms)
        if "value" in report:
            known = self._catalog.vocabulary
            return answered(tool, plan, report["value"], ms, vocabulary=known)
        if ended.timed_out or ended.exit_code == _CPU_EXIT:
            return failed("timeout", f"No result within {budget.call_s:g} s.", ms)
        if parsed is not None:
            detail = parsed.error or "It wrote something else than a result."
            return failed("protocol", detail, ms)
        return failed("server_error", f"It ended with code {ended.exit_code} and no result.", ms)


def _of_error(error: JsonObject, settings: ProcessSettings, ms: float) -> CallResult | None:
    """The result of a call whose process reported an error; None for one of the tool's own."""
    stage, kind = error.get("stage"), error.get("kind")
    words = str(error.get("words"))
    if kind == "memory":
        size = settings.memory_bytes >> 20
        return failed("server_error", f"It needs more than {size} MiB of memory.", ms)
    if kind == "network" and not settings.network:
        detail = f"It needs the network, which its process does not have: {words}"
        return not_made("host_not_allowed", detail)
    if kind == "files":
        return not_made("permission", f"It wants what its process may not do or see: {words}")
    if stage == "import":
        return not_made("no_binding", f"Its process cannot import it: {words}")
    if stage == "result":
        return failed("protocol", f"Its result is not JSON: {words}", ms)
    return None
