"""Trials by content: the same call of the same tool is made once, whoever asks."""

import asyncio
import hashlib
import json
from weakref import WeakValueDictionary

from gretel.catalog import Catalog
from gretel.catalog.digest import tool_digest
from gretel.contracts.budget import Budget
from gretel.contracts.errors import InputError
from gretel.contracts.protocols import Executor
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import CallPlan, CallResult, Outcome
from gretel.evaluation.mock.environment_executor import evaluated_request
from gretel.evaluation.mock.faults import TRANSIENT, Faults
from gretel.evaluation.mock.known_values import KnownValues, wire_name
from gretel.evaluation.runs.journal import Journal
from gretel.files import check_few


class TrialStore:
    """`trials.jsonl`: outcomes of executed plans, shared by all pipelines, workers and restarts.

    The key covers all that decides an outcome: the tool, the plan's values, the environment (with
    catalogue, faults and world), our code, the time limit, and the request where the failure is
    transient, or where the tool knows the request's right values.
    """

    def __init__(
        self,
        journal: Journal,
        catalog: Catalog,
        faults: Faults,
        values: KnownValues | None = None,
        *,
        code: str,
    ) -> None:
        """Go on with what the journal holds; `code` is the digest of what executes."""
        self._journal = journal
        self._faults = faults
        self._values = values
        self._world = f"{catalog.digest} {faults.digest} {code}{' values' if values else ''}"
        self._catalog = catalog
        self._tools: dict[ToolId, str] = {}
        self._outcomes: dict[str, Outcome] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        for number, line in enumerate(journal.lines, 1):
            self._outcomes |= _kept(line, number)

    async def outcome(self, executor: Executor, plan: CallPlan, *, budget: Budget) -> Outcome:
        """What came of `plan`; executed where nobody has done so before.

        Raises:
            SandboxUnavailable: the executor itself broke; nothing is kept.
        """
        key = self._key(plan, budget)
        lock = self._locks.setdefault(key, asyncio.Lock())
        async with lock:
            if key not in self._outcomes:
                outcome = await executor.execute(plan, budget=budget)
                self._outcomes[key] = outcome
                kept = outcome.model_dump(mode="json", exclude_defaults=True)
                self._journal.append(json.dumps({"key": key, "outcome": kept}))
            return self._outcomes[key]

    def _key(self, plan: CallPlan, budget: Budget) -> str:
        request_id = evaluated_request() or ""
        own = self._faults.at(plan.tool_id, request_id) in TRANSIENT
        if self._values and (wire_name(request_id), plan.tool_id) in self._values.right:
            own = True
        limits = [budget.call_s, budget.bytes_wire, budget.bytes_decoded]
        made_for = request_id if own else None
        content = [self._world, self._tool(plan.tool_id), plan.values(), limits, made_for]
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    def _tool(self, tool_id: ToolId) -> str:
        if tool_id not in self._tools:
            self._tools[tool_id] = tool_digest(self._catalog[tool_id])
        return self._tools[tool_id]


def _kept(line: bytes, number: int) -> dict[str, Outcome]:
    """An outcome by its key, out of a line of the journal."""
    try:
        check_few(line)
        kept = json.loads(line)
        return {str(kept["key"]): Outcome.model_validate(kept["outcome"])}
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        remedy = "Delete the line, and its call is made again"
        raise InputError("is not a trial", field=f"trials.jsonl:{number}", remedy=remedy) from error


class StoredExecutor:
    """An executor that asks the store first."""

    def __init__(self, store: TrialStore, executor: Executor) -> None:
        """Answer from `store`, and from `executor` what that lacks."""
        self._store = store
        self._executor = executor

    async def execute(self, plan: CallPlan, *, budget: Budget) -> Outcome:
        """See `Executor.execute`."""
        return await self._store.outcome(self._executor, plan, budget=budget)

    async def call(self, plan: CallPlan, *, budget: Budget) -> CallResult:
        """See `Executor.call`; whole answers are not kept, so this one always executes."""
        return await self._executor.call(plan, budget=budget)
