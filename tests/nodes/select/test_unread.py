"""Whether what a refused tool lacks may stand in the request."""

import pytest

from fakes import refusal
from gretel.contracts.trial import Argument, Refusal
from gretel.nodes.select.unread import may_be_said

CODED = "Show me proposal KRAB37 of the conference."
PLAIN = "Show me the proposal of the conference."
SURE, UNSURE = 0.97, 0.7


def refused(confidence: float, *read: tuple[int, int]) -> Refusal:
    found = {str(span): Argument(value="x", source="request", span=span) for span in read}
    return refusal("K.r", "event").model_copy(update={"confidence": confidence, "found": found})


@pytest.mark.parametrize(
    ("text", "plan", "said"),
    [
        (PLAIN, refused(SURE), False),
        (PLAIN, refused(UNSURE), True),
        (CODED, refused(SURE), True),
        (CODED, refused(SURE, (17, 23)), False),
        (CODED, refused(SURE, (8, 16)), True),
        (PLAIN, refused(UNSURE).model_copy(update={"reason": "invalid_value"}), False),
        (PLAIN, refused(UNSURE).model_copy(update={"reason": "needs_other_tool"}), False),
    ],
    ids=["unsaid", "doubted", "code", "code that is read", "word that is read", "broken", "other"],
)
def test_a_value_may_be_said_where_a_refusal_is_unsure_or_a_code_is_unread(
    text: str, plan: Refusal, said: bool
) -> None:
    assert may_be_said(text, plan) is said
