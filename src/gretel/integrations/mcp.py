"""MCP servers: their tools as a catalogue, and an executor that calls them.

Through the official `mcp` client: unlike langchain-mcp-adapters it keeps output schemas, hints and
the difference between an error and an answer, and one session serves many calls.
"""

import asyncio
import contextlib
import json
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias, cast
from weakref import WeakKeyDictionary

import httpcore

from gretel.catalog import Catalog
from gretel.catalog.digest import tool_digest
from gretel.catalog.identity import before_marks, mint
from gretel.contracts.budget import Budget
from gretel.contracts.errors import CallRefused, ConfigurationError, ServiceUnreachable
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import McpBinding, Tool, ToolId
from gretel.contracts.trial import CallPlan, CallResult, Failure, Outcome
from gretel.integrations.mcp_asking import answer_of, listing_of
from gretel.integrations.mcp_bounds import LISTING_S, Reading, in_time
from gretel.integrations.mcp_catalog import check_unlisted, described, speaks_of, unlisted
from gretel.integrations.mcp_results import value_of
from gretel.integrations.mcp_secrets import secrets_of, telling
from gretel.integrations.mcp_session import Session, open_session, read_server
from gretel.sandbox.answers.results import answered, failed, not_made, raised, unavailable
from gretel.sandbox.network.body import BodyRefused
from gretel.sandbox.network.connect import NetworkDead
from gretel.sandbox.permission.marks import document_origin
from gretel.sandbox.permission.policy import Policy
from gretel.text.redact import Redactor
from gretel.workers import off_loop, read_off_loop

if TYPE_CHECKING:
    from mcp.client.stdio import StdioServerParameters

Server: TypeAlias = "str | StdioServerParameters | Any"
"""A URL (streamable HTTP), a command to start (`"uvx mcp-server-git"`, or `StdioServerParameters`,
which have room for its environment), or a server object in this process."""


class McpServers:
    """MCP servers by name, and an `Executor` of their tools for `executors["mcp"]`.

    Each event loop has its own sessions, opened on first use and closed by `aclose`. A command is
    your own program and runs unconfined. A URL is called only if the policy allows it.

    Example:
        >>> servers = McpServers({"files": "https://mcp.example.com/mcp"}, policy)  # doctest: +SKIP
        >>> catalog = await servers.catalog()  # doctest: +SKIP
        >>> Selector(catalog, policy=policy, executors={"mcp": servers})  # doctest: +SKIP
    """

    def __init__(self, servers: Mapping[str, Server], policy: Policy | None = None) -> None:
        """Know `servers`; nothing is opened yet.

        Raises:
            ConfigurationError: one is neither a URL nor a command.
        """
        self._servers = {name: read_server(name, server) for name, server in servers.items()}
        self._secrets = {name: secrets_of(server) for name, server in self._servers.items()}
        self._policy = self._marks = policy or Policy()
        self._known = Catalog()
        self._redactor, self._listings = Redactor(), Redactor()
        self._sessions: WeakKeyDictionary[
            asyncio.AbstractEventLoop, dict[str, asyncio.Task[Session]]
        ] = WeakKeyDictionary()

    async def catalog(self) -> Catalog:
        """The tools of all servers, as they describe them now; later calls are held to that.

        A server that cannot be listed is a skipped row beside the tools of the others, unless the
        policy marks tools of it, or trusts it.

        Raises:
            ServiceUnreachable: no server answers, or the policy lets us ask none; or it is so of
                one that the policy speaks of.
            ConfigurationError: a mark of the policy is not clear.
        """
        found, errors = Catalog(), list[ServiceUnreachable]()
        for name in self._servers:
            try:
                with self._redactor.during(self._secrets[name]):
                    found = found + await self._described(name)
            except ServiceUnreachable as error:
                if speaks_of(self._policy, name):
                    raise
                errors.append(error)
                found = found + Catalog(skipped=[unlisted(name, error)])
        if errors and not len(found):
            raise errors[0]
        check_unlisted(self._policy, found, self._servers)
        self._known, self._marks = found, self._policy.bound(found, others=True)
        return found

    async def _described(self, name: str) -> Catalog:
        session, reading = await self._session(name), Reading.listing()
        try:
            listed = await in_time(listing_of(session, reading), LISTING_S)
            return await off_loop(self._read, listed, name)
        except Exception as error:
            why = await off_loop(session.reason, error, reading)
            raise ServiceUnreachable(f"{name}: {why}") from None

    def _read(self, listed: list[JsonValue], name: str, tool_id: ToolId | None = None) -> Catalog:
        with self._listings.during(telling(self._secrets.get(name, ()))):
            return described(listed, name, tool_id)

    async def execute(self, plan: CallPlan, *, budget: Budget) -> Outcome:
        """What came of `plan`; see `Executor.execute`."""
        return (await self.call(plan, budget=budget)).outcome

    async def call(self, plan: CallPlan, *, budget: Budget) -> CallResult:
        """As `execute`, with the whole answer beside the outcome; see `Executor.call`.

        A tool that its server now describes otherwise than in the catalogue is not called.
        """
        listed = self._listed(plan)
        if listed is None:
            return not_made("no_binding", "No server listed this tool: read their catalogue first.")
        result = await self._of_tool(listed, plan, budget)
        outcome = result.outcome.model_copy(update={"host": document_origin(listed)})
        return result.model_copy(update={"outcome": outcome})

    def _listed(self, plan: CallPlan) -> Tool | None:
        """The tool that a plan is for, as it was listed.

        The plan's id has a mark more where another document of the selection claims that of the
        listing: what the plan says of the content tells which of them is meant.
        """
        ids = (plan.tool_id, *(before_marks(plan.tool_id) if plan.digest else ()))
        return next((self._known[each] for each in ids if each in self._known), None)

    def _refusal(self, listed: Tool, tool: Tool, plan: CallPlan) -> CallResult | None:
        """What comes of a call that is not made, for what the tool says of itself."""
        if plan.digest not in (None, tool_digest(tool)):
            return failed(
                "drift", "The server described the tool differently when it was selected."
            )
        unsafe = self._unsafe(listed, tool, plan)
        return unavailable(unsafe) if unsafe else None

    def _unsafe(self, listed: Tool, tool: Tool, plan: CallPlan) -> Failure | None:
        """Why a call is not made. A person may have marked or approved it by the plan's id, too."""
        unsafe = self._marks.unsafe_call(listed, plan)
        if unsafe and tool.tool_id != listed.tool_id and not self._marks.forbidden(listed):
            return self._policy.unsafe_call(tool, plan)
        return unsafe

    async def _of_tool(self, listed: Tool, plan: CallPlan, budget: Budget) -> CallResult:
        tool = _called(listed, plan.tool_id)
        refusal = await off_loop(self._refusal, listed, tool, plan)
        if refusal is not None:
            return refusal
        assert isinstance(tool.binding, McpBinding)
        start = time.perf_counter()
        try:
            with self._redactor.during(self._secrets.get(tool.binding.server, ())):
                return await in_time(self._called(tool, tool.binding, plan, budget), budget.call_s)
        except TimeoutError:
            return failed("timeout", f"No answer within {budget.call_s:g} s.", _ms(start))
        except ServiceUnreachable as error:
            return failed("connection", str(error), _ms(start))

    async def aclose(self) -> None:
        """Close the sessions of the running event loop."""
        for task in self._sessions.pop(asyncio.get_running_loop(), {}).values():
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await (await task).aclose()

    async def _called(
        self, tool: Tool, binding: McpBinding, plan: CallPlan, budget: Budget
    ) -> CallResult:
        session = await self._session(binding.server)
        start = time.perf_counter()
        reading = Reading.listing(budget.call_s)
        try:
            minted = mint(binding.server, binding.tool)
            listed = await listing_of(session, reading)
            if await off_loop(self._drifted, listed, tool, minted):
                detail = "The server describes the tool differently than the catalogue does."
                return failed("drift", detail, _ms(start))
            reading = Reading.call(budget)
            result = await answer_of(session, reading, binding.tool, plan.values())
        except Exception as error:
            why = await off_loop(session.reason, error, reading)
            if isinstance(reading.problem, CallRefused):
                return not_made("host_not_allowed", why)
            if isinstance(reading.problem, NetworkDead):
                return not_made("connection", f"Our network: {why}.")
            if isinstance(reading.problem, BodyRefused):
                return failed("protocol", why, _ms(start))
            if isinstance(reading.problem, httpcore.NetworkError):
                return failed("connection", why, _ms(start))
            return await off_loop(raised, tool, plan, why, _ms(start), kind="protocol")
        most, ms = budget.bytes_decoded, _ms(start)
        return await read_off_loop(reading.size, self._judged, tool, plan, result, ms, most)

    def _drifted(self, listed: list[JsonValue], tool: Tool, minted: ToolId) -> bool:
        """Whether a listing says something else of `tool`, which is there called `minted`."""
        binding = cast(McpBinding, tool.binding)
        said = self._read(listed, binding.server, minted).digest_of(minted)
        return said != tool_digest(_called(tool, minted))

    def _judged(
        self, tool: Tool, plan: CallPlan, result: JsonObject, ms: float, limit: int
    ) -> CallResult:
        value = value_of(result)
        written = json.dumps(value)
        if len(written) > limit:
            return failed("protocol", f"The answer is longer than {limit:,} bytes.", ms)
        if result.get("isError"):
            words = value if isinstance(value, str) else written
            return raised(tool, plan, words or "an error", ms, kind="error_in_body")
        return answered(tool, plan, value, ms, vocabulary=self._known.vocabulary)

    async def _session(self, name: str) -> Session:
        """The running loop's session with a server; one that failed or ended is opened anew."""
        if name not in self._servers:
            raise ConfigurationError(
                "no such server", field=name, remedy=f"Known are: {', '.join(self._servers)}."
            )
        sessions = self._sessions.setdefault(asyncio.get_running_loop(), {})
        task = sessions.get(name)
        if task is None or (task.done() and _is_over(task)):
            server = self._servers[name]
            task = sessions[name] = asyncio.create_task(open_session(name, server, self._policy))
        return await asyncio.shield(task)


def _is_over(opened: "asyncio.Task[Session]") -> bool:
    return opened.cancelled() or opened.exception() is not None or opened.result().ended


def _called(tool: Tool, tool_id: ToolId) -> Tool:
    """`tool` under that id."""
    return tool if tool.tool_id == tool_id else tool.model_copy(update={"tool_id": tool_id})


def _ms(start: float) -> float:
    return round((time.perf_counter() - start) * 1000, 3)
