"""Values that a request leaves out since the turn before has said them: "show me row 3 of crew",
"and row 5".
"""

from collections.abc import Callable
from dataclasses import replace

from gretel.contracts.ranking import Request
from gretel.nodes.plan.filling.assignment import assign
from gretel.nodes.plan.filling.filling import Filling
from gretel.nodes.plan.filling.fillings import Fillings
from gretel.nodes.plan.filling.followups import CONFIDENCE, goes_on
from gretel.nodes.plan.matching.view import View


def carried(
    request: Request, fillings: Fillings, read: Callable[[Request], View]
) -> dict[int, Filling]:
    """The required slots that are still lacking, as the user's turn before alone fills them.

    Where the request goes on with it. `read` reads a conversation up to a turn.
    """
    lacking = {index for index, cues in fillings.free().items() if cues.slot.required}
    before = _before(request) if lacking and goes_on(fillings.view) else None
    if before is None:
        return {}
    said = assign(read(before), fillings.profile, fillings.skip).found
    return {index: _earlier(said[index]) for index in lacking & said.keys()}


def _before(request: Request) -> Request | None:
    """The conversation up to the user's turn before, as that turn's request."""
    turns = request.messages
    last = next((n for n in reversed(range(len(turns))) if turns[n].role == "user"), None)
    if last is None or not turns[last].content.strip():
        return None
    return request.model_copy(update={"text": turns[last].content, "messages": turns[:last]})


def _earlier(filling: Filling) -> Filling:
    """The value of a request, now that it is an earlier turn."""
    source = "message" if filling.source == "request" else filling.source
    return replace(filling, source=source, confidence=min(filling.confidence, CONFIDENCE))
