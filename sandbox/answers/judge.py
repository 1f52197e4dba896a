"""The whole judgement of an answer: what it says by itself, and whose answer it is."""

from collections.abc import Collection

from gretel.catalog.vocabulary import Vocabulary
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import Tool
from gretel.contracts.trial import Failure
from gretel.sandbox.answers.answer import Answer
from gretel.sandbox.answers.classify import classify
from gretel.sandbox.answers.relevance import is_irrelevant, oddness
from gretel.sandbox.answers.verdict import Verdict


def judge(
    answer: Answer,
    tool: Tool,
    arguments: JsonObject,
    vocabulary: Vocabulary,
    named: Collection[str] | None = None,
) -> Verdict:
    """What `answer` means for a call of `tool`, whose catalogue has this `vocabulary`.

    `named` are the arguments whose values somebody named; None: any may be.
    """
    verdict = classify(answer, tool, arguments, named)
    if verdict.status != "succeeded" or not 200 <= answer.status < 300:
        return verdict  # a status that is the answer itself has the words of errors beside it
    # JSON that was cut on its way is text, and its names are still there.
    value = answer.value if answer.is_json else answer.text
    if verdict.says_none:
        return verdict  # nothing is there that could be about something else
    if is_irrelevant(value, tool, arguments, vocabulary):
        detail = "The answer's fields are not those of this tool."
        return Verdict("failed", Failure(kind="irrelevant", detail=detail, fault="tool"))
    return verdict._replace(oddness=oddness(value, tool, arguments, vocabulary))
