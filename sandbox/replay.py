"""`ReplayExecutor`: answers plans with calls that were recorded before; nothing is sent."""

import asyncio
import hashlib
import json
from collections.abc import Iterable
from typing import Literal

from gretel.contracts.budget import Budget
from gretel.contracts.protocols import ToolLookup
from gretel.contracts.record import JsonObject, JsonValue, Record
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import CallPlan, CallResult, Failure, Outcome
from gretel.sandbox.answers.answer import read_answer
from gretel.sandbox.answers.judge import judge, vocabulary_of
from gretel.sandbox.answers.verdict import Verdict
from gretel.sandbox.lookup import find_tool
from gretel.sandbox.secrets.redact import Redactor


class Recording(Record):
    """One call, and what came of it."""

    tool_id: ToolId
    arguments: JsonObject
    text: str = ""
    """The answer or the error, as it was received."""
    end: Literal["answered", "error", "timeout"] = "answered"
    """`error`: the tool said that it failed, whatever its words look like."""
    latency_ms: float | None = None


class ReplayExecutor:
    """Executes plans from recordings.

    A plan is answered by the first recording of its tool with the same arguments, numbers compared
    by value. A call that nobody recorded is `unavailable`, through no fault of the tool.
    """

    def __init__(self, catalog: ToolLookup, recordings: Iterable[Recording]) -> None:
        """Replay `recordings` for the tools of `catalog`."""
        self._catalog = catalog
        self._redactor = Redactor()
        self._recordings: dict[tuple[ToolId, str], Recording] = {}
        for recording in recordings:
            key = (recording.tool_id, _canonical(recording.arguments))
            self._recordings.setdefault(key, recording)

    async def execute(self, plan: CallPlan, *, budget: Budget) -> Outcome:
        """What came of the call when it was recorded; `source` is `replayed`."""
        return (await self.call(plan, budget=budget)).outcome

    async def call(self, plan: CallPlan, *, budget: Budget) -> CallResult:
        """As `execute`, with the whole answer beside the outcome; the budget is not touched."""
        await asyncio.sleep(0)  # a batch of replays stays cancellable
        values = plan.values()
        recording = self._recordings.get((plan.tool_id, _canonical(values)))
        tool = find_tool(self._catalog, plan.tool_id)
        if recording is None or tool is None:
            return CallResult(outcome=_not_recorded())
        if recording.end == "timeout":
            detail = recording.text or "No answer came when the call was recorded."
            failure = Failure(kind="timeout", detail=detail, fault="tool")
            return CallResult(outcome=self._outcome(recording, Verdict("failed", failure), ""))
        text = recording.text
        shown = json.dumps({"error": text}) if recording.end == "error" else text
        answer = read_answer("POST", 200, "", shown)
        verdict = judge(answer, tool, values, vocabulary_of(self._catalog))
        outcome = self._outcome(recording, verdict, answer.shown)
        return CallResult(outcome=outcome, body=answer.value if answer.is_json else answer.text)

    def _outcome(self, recording: Recording, verdict: Verdict, shown: str) -> Outcome:
        content = recording.text.encode(errors="surrogatepass")
        outcome = Outcome(
            status=verdict.status,
            source="replayed",
            failure=verdict.failure,
            latency_ms=recording.latency_ms,
            bytes_decoded=len(content),
            body_sha256=hashlib.sha256(content).hexdigest() if content else None,
            excerpt=shown,
        )
        return self._redactor.outcome(outcome)


def _not_recorded() -> Outcome:
    detail = "No call with these arguments was recorded."
    failure = Failure(kind="no_binding", detail=detail, fault="ours")
    return Outcome(status="unavailable", source="none", failure=failure)


def _canonical(arguments: JsonObject) -> str:
    return json.dumps(_plain(arguments), sort_keys=True)


def _plain(value: JsonValue) -> JsonValue:
    """`value` with `2.0` as `2`, which are one number in JSON."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
