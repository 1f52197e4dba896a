"""First node of a run: input checked, parts opened, the clock started, earlier results cleared."""

import time
from collections.abc import Awaitable, Callable

from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from gretel.nodes.context import Context, context_of
from gretel.nodes.request import read_context, read_request
from gretel.nodes.signatures import StateNode
from gretel.nodes.state import State, Update
from gretel.sandbox.secrets.looks import without_secrets
from gretel.workers import off_loop

_UNUSED = (
    "context: {} looks like a secret, and was not used: give it as a credential "
    "(GRETEL_CREDENTIAL_<HOST>)"
)


def begin_node(prepare: Callable[[], Awaitable[object]]) -> StateNode:
    """The node that reads the clock once, and leaves nothing of an earlier request on the thread.

    `prepare` opens what runs need. It comes before the clock: the first run of a process may load
    an encoder and encode a whole catalogue, and its own time is for the request.
    """

    async def begin(state: State, runtime: Runtime[Context]) -> Update:
        context = context_of(runtime)
        today = context.day().isoformat()
        # Off the loop, and first: later nodes read facts that were looked through.
        facts, secrets = await off_loop(without_secrets, read_context(state.get("context")))
        await off_loop(read_request, {**state, "today": today, "context": facts}, context)
        await prepare()
        wall_s = context.budget.wall_s
        deadline = None if wall_s is None else time.time() + wall_s
        notes = [_UNUSED.format(", ".join(secrets))] if secrets else []
        return {
            **_nothing(),
            "today": today,
            # A channel that holds nothing yet would keep the wrapper itself.
            "deadline": Overwrite(deadline) if "deadline" in state else deadline,
            "notes": Overwrite(notes),
            **({"context": facts} if secrets else {}),
        }

    return begin


def _nothing() -> Update:
    """What is left of an earlier request."""
    return {
        "round": 0,
        "queries": [],
        "candidates": [],
        "needs_tool": None,
        "answerable": None,
        "trials": Overwrite([]),
        "ranking": None,
        "selection": None,
        "usage": Overwrite({}),
    }
