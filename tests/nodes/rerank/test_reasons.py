"""The sentence that a tool gets."""

import pytest

from fakes import refusal, trial
from gretel.contracts.tool import ToolId
from gretel.nodes.rerank.reasons import reason_for


@pytest.mark.parametrize(
    ("providers", "said"),
    [(["Users.find"], "Users.find provides"), (["A.b", "C.d"], "A.b, C.d provide")],
)
def test_providers_and_their_verb_agree(providers: list[str], said: str) -> None:
    plan = refusal("Orders.get", "user_id")
    field = plan.missing[0].model_copy(update={"provided_by": tuple(map(ToolId, providers))})
    plan = plan.model_copy(update={"reason": "needs_other_tool", "missing": (field,)})

    reason = reason_for(trial("Orders.get").model_copy(update={"plan": plan}))

    assert reason == f"needs user_id, which {said}"


def test_a_file_that_is_missing_is_called_one() -> None:
    plan = refusal("Ships.paint", "photo")
    photo = plan.missing[0].model_copy(update={"file": True})
    plan = plan.model_copy(update={"reason": "missing_required", "missing": (photo,)})

    reason = reason_for(trial("Ships.paint").model_copy(update={"plan": plan}))

    assert reason == "refused: photo (a file) is required and found nowhere in the request"
