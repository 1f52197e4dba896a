"""Pages whose head tells of a failure, and pages that are about one."""

from typing import Any

import pytest

from fakes import param, tool
from gretel.catalog import Catalog
from gretel.contracts.trial import Argument, CallPlan, Outcome
from gretel.sandbox.answers.results import answered

ADVICE = "\n\nTo look further, try another title, or ask what was changed lately. " * 6
NOTE = tool("notes.read_note", params=(param("title"), param("search_text")))


def of(text: str, **values: Any) -> Outcome:
    arguments = {n: Argument(value=v, source="request") for n, v in values.items()}
    plan = CallPlan(tool_id=NOTE.tool_id, arguments=arguments)
    words = Catalog.from_tools([NOTE]).vocabulary
    return answered(NOTE, plan, {"result": text}, 1.0, vocabulary=words).outcome


def test_a_head_says_that_what_was_named_is_not_there() -> None:
    outcome = of(f'\n# Note Not Found in main: "Ridge"{ADVICE}', title="Ridge")
    assert outcome.failure is not None
    assert (outcome.status, outcome.failure.fault) == ("empty", "request")
    assert outcome.failure.fields == ("title",)


def test_the_words_under_a_head_ask_for_what_was_left_out() -> None:
    outcome = of(f"# No Criteria\n\nPlease give one of: `search_text`, `tags`.{ADVICE}")
    assert outcome.failure is not None
    assert (outcome.failure.kind, outcome.failure.fields) == (
        "rejected_arguments",
        ("search_text",),
    )


@pytest.mark.parametrize(
    "head", ["# No Text Specified", "**No Text Specified**", "## Missing Text"]
)
def test_a_head_says_that_something_was_left_out_and_a_line_below_names_it(head: str) -> None:
    advice = "There are several notes here.\n\n- Ask again with `search_text` set to a word"
    outcome = of(f"{head}\n\n{advice}{ADVICE}", title="Ridge")
    assert outcome.failure is not None
    assert (outcome.failure.kind, outcome.failure.fields) == (
        "rejected_arguments",
        ("search_text",),
    )


@pytest.mark.parametrize(
    "text",
    [
        f"**No Text Specified**\n\nIt is the title of a song.{ADVICE}",
        f"**Ridge**\n\nSet `search_text` to its name.{ADVICE}",
        f"# Why Pages Are Not Found{ADVICE}",  # about what nobody named
        f"# Ridge{ADVICE} It was not found in May: Ridge.",
        f"# Rules\n\nPlease close the gate.{ADVICE}",
        f"# Rules\n\nThe `search_text` of a note is what it says.{ADVICE}",
    ],
)
def test_a_page_about_it_is_an_answer(text: str) -> None:
    assert of(text, title="Ridge").status == "succeeded"
