"""Zero-shot query generation: the queries that a model would search the catalogue with.

"Improving Tool Retrieval by Leveraging Large Language Models for Query Generation"
(arXiv 2412.03573), the zero-shot variant.
"""

from collections.abc import Sequence

from gretel import prompts
from gretel.catalog.document import as_list
from gretel.contracts.ranking import Message, Request, RetrievalQuery
from gretel.contracts.record import JsonObject
from gretel.contracts.trial import Refusal, Trial
from gretel.llm.model import StructuredModel
from gretel.llm.strict import closed
from gretel.nodes.rewrite.queries import MAX_CHARS, MAX_LACKED, MAX_QUERIES, beside, distinct
from gretel.workers import off_loop

ASKED_CHARS = 160
"""What a model is asked for at most: queries read like the first sentence of a description."""

SCHEMA = closed(
    {
        "queries": {
            "type": "array",
            "items": {"type": "string", "minLength": 1, "maxLength": ASKED_CHARS},
            "minItems": 1,
            "maxItems": MAX_QUERIES,
        }
    }
)
ACCEPTED = closed({"queries": {"type": "array", "items": {"type": "string"}}})
"""Endpoints that keep no bounds may give more and longer ones, which are cut."""


class LlmRewriter:
    """Asks a model for retrieval queries."""

    def __init__(self, model: StructuredModel) -> None:
        self._model = model

    async def rewrite(
        self, request: Request, feedback: Sequence[Trial] | None = None
    ) -> list[RetrievalQuery]:
        """At most four queries of the model's, never none.

        The request itself comes before them, so that a rewrite can add candidates and lose none:
        with `feedback`, too, since what it finds behind the tried tools was never refuted.

        Raises:
            ModelReplyError: the model gave no query; the caller then asks for the request itself.
            GretelError: as `StructuredModel.reply` says.
        """
        messages = await off_loop(_asked, request, feedback or ())
        texts = await self._model.reply(
            messages, SCHEMA, _queries, step="rewrite", accepted=ACCEPTED
        )
        return beside(request.text, texts, "feedback" if feedback else "rewrite")


def _asked(request: Request, feedback: Sequence[Trial]) -> list[Message]:
    """What asks for queries: documents say what a call of theirs lacks, and at which length."""
    return prompts.load("rewrite").render(
        request=request.text,
        conversation=prompts.conversation(request),
        tried="\n".join(map(_tried, feedback)),
    )


def _queries(reply: JsonObject) -> list[str]:
    found = distinct(str(text) for text in as_list(reply["queries"]))
    if not found:
        raise ValueError("queries: give at least one query that is not blank")
    return found


def _tried(trial: Trial) -> str:
    """What came of it in a line: what a call lacked, or why it failed and by which arguments."""
    name, failure = prompts.one_line(trial.tool_id, MAX_CHARS), trial.outcome.failure
    if isinstance(trial.plan, Refusal):
        missing = trial.plan.missing
        lacked = [prompts.one_line(field.name, MAX_CHARS) for field in missing[:MAX_LACKED]]
        more = f" and {len(missing) - MAX_LACKED} more" if len(missing) > MAX_LACKED else ""
        return (
            f"{name}: not called, lacks {', '.join(lacked) or 'a call that can be planned'}{more}"
        )
    blamed = [prompts.one_line(field, MAX_CHARS) for field in failure.fields] if failure else []
    why = ", ".join([failure.kind, *blamed]) if failure else ""
    return f"{name}: {trial.outcome.status}" + (f" ({why})" if why else "")
