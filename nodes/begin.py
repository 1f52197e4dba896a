"""First node of a run: input is checked, the clock started, an earlier run's results cleared."""

import time

from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from gretel.nodes.context import Context, context_of
from gretel.nodes.request import read_context, read_request
from gretel.nodes.state import State, Update
from gretel.sandbox.secrets.looks import without_secrets
from gretel.workers import off_loop

_UNUSED = (
    "context: {} looks like a secret, and was not used: give it as a credential "
    "(GRETEL_CREDENTIAL_<HOST>)"
)


async def begin(state: State, runtime: Runtime[Context]) -> Update:
    """Read the clock once, and leave nothing of an earlier request on the same thread.

    Raises:
        InputError: the request, a message or the context is unusable.
    """
    context = context_of(runtime)
    today = context.day().isoformat()
    # Off the loop, and first: later nodes read facts that were looked through.
    facts, secrets = await off_loop(without_secrets, read_context(state.get("context")))
    read_request({**state, "today": today, "context": facts}, context)
    wall_s = context.budget.wall_s
    deadline = None if wall_s is None else time.time() + wall_s
    return {
        "today": today,
        # A channel that holds nothing yet would keep the wrapper itself.
        "deadline": Overwrite(deadline) if "deadline" in state else deadline,
        "round": 0,
        "queries": [],
        "candidates": [],
        "needs_tool": None,
        "answerable": None,
        "trials": Overwrite([]),
        "ranking": None,
        "selection": None,
        "usage": Overwrite({}),
        "notes": Overwrite([_UNUSED.format(", ".join(secrets))] if secrets else []),
        **({"context": facts} if secrets else {}),
    }
